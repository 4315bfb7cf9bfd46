package io.arbitration.domain.text;

import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.YearMonth;
import java.util.Currency;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The type of a document field, and the form of its values as text.
 *
 * <p>A blank value is valid for every type: whether a field must be filled is a separate rule. No value may contain control
 * characters (except tab and line break) or an unpaired surrogate, which no database stores. Every check reads the value at most
 * a few times from left to right, so that a long hostile value takes only linear time; the field bounds the length.
 *
 * <p>Source: the table of document schemas in the service interfaces. Details that it leaves open are stated at each type.
 */
public enum FieldType {
    /** Any text. */
    ADDRESS(value -> true, ""),
    /** Exactly {@code true} or {@code false}. */
    BOOLEAN(value -> value.equals("true") || value.equals("false"), "must be true or false"),
    /** Any text. */
    CITY(value -> true, ""),
    /**
     * A decimal amount, optionally with an ISO 4217 code before or after it: {@code 1200.50}, {@code 1200.50 USD}. At most the
     * decimals of the currency, or four without a code. No thousands separators.
     */
    CURRENCY(FieldType::isCurrency, "must be an amount such as 1200.50 or 1200.50 USD"),
    /** A calendar day, as {@code yyyy-MM-dd}. */
    DATE(FieldType::isDate, "must be a date such as 2026-01-31"),
    /** Digits with an optional sign and an optional fraction; no exponent. */
    DECIMAL(value -> isDecimal(value, Integer.MAX_VALUE), "must be a number"),
    /** One address, at most 254 characters, with a dotted domain; letters of any script, no quoted local part. */
    EMAIL(FieldType::isEmail, "must be an email address"),
    /** Digits with an optional sign. */
    INTEGER(value -> isDecimal(value, 0), "must be a whole number"),
    /** A month of any year, {@code 1} to {@code 12} (or {@code 01}), or of one year, {@code yyyy-MM}. */
    MONTH(FieldType::isMonth, "must be a month such as 7 or 2026-07"),
    /** 6 to 15 digits, an optional leading plus (E.164), and spaces, dots, hyphens, slashes or brackets between them. */
    PHONE(FieldType::isPhone, "must be a telephone number"),
    /** Any text: a state, province or region, written out or as its code. */
    STATE(value -> true, ""),
    /** Any text. */
    TEXT(value -> true, ""),
    /** A time of day, {@code HH:mm} or {@code HH:mm:ss}, 00:00 to 23:59:59. */
    TIME(FieldType::isTime, "must be a time such as 14:30"),
    /** An absolute http or https address with a host and without a user name. */
    URL(FieldType::isUrl, "must be a web address that starts with http:// or https://"),
    /** Four digits, from 0001. */
    YEAR(value -> value.length() == 4 && number(value, 0, 4) >= 1, "must be a year of four digits"),
    /** The postal code of any country: 3 to 10 letters, digits, single spaces or hyphens, at least one digit. */
    ZIPCODE(FieldType::isZipcode, "must be a postal code");

    private static final int EMAIL_CHARACTERS_MAX = 254;
    private static final int EMAIL_LOCAL_CHARACTERS_MAX = 64;
    private static final int HOST_CHARACTERS_MAX = 253;
    private static final int LABEL_CHARACTERS_MAX = 63;
    private static final int PORT_MAX = 65_535;
    /** The most decimals that any currency has. */
    private static final int CURRENCY_DECIMALS_MAX = 4;
    private static final Map<String, FieldType> BY_WIRE_NAME =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(FieldType::wireName, Function.identity()));

    private final Form form;
    private final String mismatch;

    FieldType(Form form, String mismatch) {
        this.form = form;
        this.mismatch = mismatch;
    }

    /** Whether a value that is neither blank nor unprintable has the form of this type. */
    private interface Form {
        boolean fits(String value);
    }

    /** The name of the type in the interface: {@code zipcode}. */
    public String wireName() {
        // Without a locale: in a Turkish one, the lower case of I is a dotless i.
        return name().toLowerCase(Locale.ROOT);
    }

    /** The type with that name in the interface; empty for an unknown name. */
    public static Optional<FieldType> ofWireName(String wireName) {
        return Optional.ofNullable(BY_WIRE_NAME.get(wireName));
    }

    /**
     * The problem with a value, as the end of a sentence ({@code must be a whole number}); empty if there is none.
     */
    public Optional<String> problem(String value) {
        if (hasUnprintable(value)) {
            return Optional.of("must not contain control characters");
        }
        return value.isBlank() || form.fits(value) ? Optional.empty() : Optional.of(mismatch);
    }

    private static boolean hasUnprintable(String value) {
        for (int at = 0; at < value.length(); at++) {
            char character = value.charAt(at);
            if (character >= ' ' && character < 0x7f) {
                continue;
            }
            if (Character.isHighSurrogate(character) && at + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(at + 1))) {
                at++;
            } else if (Character.isSurrogate(character)) {
                return true;
            } else if (Character.isISOControl(character) && character != '\n' && character != '\t'
                    && !startsLineBreak(value, at)) {
                return true;
            }
        }
        return false;
    }

    /** Browsers send the line breaks of a form as carriage return and line feed. */
    private static boolean startsLineBreak(String value, int at) {
        return value.charAt(at) == '\r' && at + 1 < value.length() && value.charAt(at + 1) == '\n';
    }

    private static boolean isCurrency(String value) {
        if (value.length() > 4 && value.charAt(3) == ' ' && isAsciiLetter(value.charAt(0))) {
            return isAmount(value.substring(4), value.substring(0, 3));
        }
        int codeAt = value.length() - 3;
        if (codeAt > 1 && value.charAt(codeAt - 1) == ' ') {
            return isAmount(value.substring(0, codeAt - 1), value.substring(codeAt));
        }
        return isDecimal(value, CURRENCY_DECIMALS_MAX);
    }

    private static boolean isAmount(String amount, String currencyCode) {
        try {
            // Gold and similar units have -1: no defined minor unit.
            int decimals = Currency.getInstance(currencyCode).getDefaultFractionDigits();
            return isDecimal(amount, decimals < 0 ? CURRENCY_DECIMALS_MAX : decimals);
        } catch (IllegalArgumentException unknownCode) {
            return false;
        }
    }

    private static boolean isDecimal(String value, int decimalsMax) {
        int start = value.startsWith("-") ? 1 : 0;
        int point = value.indexOf('.');
        int wholeEnd = point < 0 ? value.length() : point;
        boolean whole = wholeEnd > start && allDigits(value, start, wholeEnd);
        if (point < 0) {
            return whole;
        }
        int decimals = value.length() - point - 1;
        return whole && decimals >= 1 && decimals <= decimalsMax && allDigits(value, point + 1, value.length());
    }

    private static boolean isDate(String value) {
        return value.length() == 10 && value.charAt(4) == '-' && value.charAt(7) == '-'
                && isYearMonth(value.substring(0, 7))
                && number(value, 8, 10) >= 1
                && YearMonth.of(number(value, 0, 4), number(value, 5, 7)).isValidDay(number(value, 8, 10));
    }

    private static boolean isMonth(String value) {
        return value.length() <= 2 ? isMonthOfYear(value) : isYearMonth(value);
    }

    private static boolean isYearMonth(String value) {
        return value.length() == 7 && value.charAt(4) == '-' && number(value, 0, 4) >= 1 && isMonthOfYear(value.substring(5));
    }

    private static boolean isMonthOfYear(String value) {
        int month = number(value, 0, value.length());
        return month >= 1 && month <= 12;
    }

    private static boolean isTime(String value) {
        boolean minutes = value.length() >= 5 && value.charAt(2) == ':'
                && isBelow(24, value, 0) && isBelow(60, value, 3);
        return minutes
                && (value.length() == 5 || value.length() == 8 && value.charAt(5) == ':' && isBelow(60, value, 6));
    }

    private static boolean isBelow(int limit, String value, int at) {
        int number = number(value, at, at + 2);
        return number >= 0 && number < limit;
    }

    private static boolean isPhone(String value) {
        int digits = 0;
        for (int at = 0; at < value.length(); at++) {
            char character = value.charAt(at);
            if (isDigit(character)) {
                digits++;
            } else if (" .-/()".indexOf(character) < 0 && !(character == '+' && at == 0)) {
                return false;
            }
        }
        return digits >= 6 && digits <= 15 && value.length() <= 3 * digits;
    }

    private static boolean isZipcode(String value) {
        boolean digitSeen = false;
        boolean separatorBefore = true;
        for (int at = 0; at < value.length(); at++) {
            char character = value.charAt(at);
            boolean separator = character == ' ' || character == '-';
            if (separator ? separatorBefore : !isDigit(character) && !isAsciiLetter(character)) {
                return false;
            }
            digitSeen |= isDigit(character);
            separatorBefore = separator;
        }
        return digitSeen && !separatorBefore && value.length() >= 3 && value.length() <= 10;
    }

    private static boolean isEmail(String value) {
        int at = value.indexOf('@');
        return value.length() <= EMAIL_CHARACTERS_MAX
                && at >= 1 && at <= EMAIL_LOCAL_CHARACTERS_MAX
                && isEmailLocal(value.substring(0, at))
                && isDottedDomain(value.substring(at + 1));
    }

    private static boolean isEmailLocal(String local) {
        return !local.startsWith(".") && !local.endsWith(".") && !local.contains("..")
                && local.codePoints().allMatch(character ->
                        Character.isLetterOrDigit(character) || ".!#$%&'*+/=?^_`{|}~-".indexOf(character) >= 0);
    }

    private static boolean isDottedDomain(String domain) {
        int lastDot = domain.lastIndexOf('.');
        return lastDot > 0 && isHostName(domain)
                // An address with only numbers is an IP address without brackets.
                && !allDigits(domain, lastDot + 1, domain.length());
    }

    private static boolean isUrl(String value) {
        try {
            URI address = new URI(value);
            boolean web = "http".equalsIgnoreCase(address.getScheme()) || "https".equalsIgnoreCase(address.getScheme());
            String authority = address.getRawAuthority();
            return web && authority != null && !authority.contains("@") && isHostAndPort(authority);
        } catch (URISyntaxException noAddress) {
            return false;
        }
    }

    private static boolean isHostAndPort(String authority) {
        int colon = authority.lastIndexOf(':');
        boolean port = colon > authority.lastIndexOf(']');
        String host = port ? authority.substring(0, colon) : authority;
        if (port && !isPort(number(authority, colon + 1, authority.length()))) {
            return false;
        }
        // The URI parser has already checked the text between the brackets of an IPv6 address.
        return host.startsWith("[") && host.endsWith("]") || isHostName(host);
    }

    private static boolean isPort(int number) {
        return number >= 1 && number <= PORT_MAX;
    }

    /** Labels of letters, digits and inner hyphens, in any script with an ASCII form. */
    private static boolean isHostName(String host) {
        if (host.isEmpty() || host.length() > HOST_CHARACTERS_MAX) {
            return false;
        }
        try {
            String ascii = IDN.toASCII(host, IDN.USE_STD3_ASCII_RULES);
            return ascii.length() <= HOST_CHARACTERS_MAX
                    && Stream.of(ascii.split("\\.", -1))
                            .allMatch(label -> !label.isEmpty() && label.length() <= LABEL_CHARACTERS_MAX);
        } catch (IllegalArgumentException noHost) {
            return false;
        }
    }

    private static boolean allDigits(String value, int from, int to) {
        for (int at = from; at < to; at++) {
            if (!isDigit(value.charAt(at))) {
                return false;
            }
        }
        return true;
    }

    /** The number with 1 to 5 digits at this position, or -1. */
    private static int number(String value, int from, int to) {
        return to > from && to - from <= 5 && allDigits(value, from, to) ? Integer.parseInt(value, from, to, 10) : -1;
    }

    /** Only ASCII: Character.isDigit would accept digits of other scripts, which readers do not expect. */
    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isAsciiLetter(char character) {
        return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z';
    }
}
