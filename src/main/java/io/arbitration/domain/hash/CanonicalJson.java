package io.arbitration.domain.hash;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The JSON Canonicalization Scheme (RFC 8785): members sorted by UTF-16 code units, no white space, numbers as in ECMAScript,
 * minimal escapes. Hashes are computed over this form, so that anyone can compute them again.
 */
public final class CanonicalJson {

    private CanonicalJson() {}

    /**
     * The canonical text of a value made of maps, lists, strings, numbers, booleans and nulls.
     *
     * @throws IllegalArgumentException for another kind of value, a number that {@link #isExact} refuses, or an unpaired
     * surrogate
     */
    public static String text(Object value) {
        StringBuilder out = new StringBuilder(512);
        write(value, out);
        return out.toString();
    }

    /** Whether a number can be represented exactly as an IEEE 754 double, the only kind of number in canonical JSON. */
    public static boolean isExact(Number number) {
        if (number instanceof Double) {
            return Double.isFinite(number.doubleValue());
        }
        BigDecimal exact = new BigDecimal(number.toString());
        double asDouble = exact.doubleValue();
        return Double.isFinite(asDouble) && shortest(asDouble).compareTo(exact) == 0;
    }

    /**
     * The decimal with the fewest digits that reads back as the double. Java writes at least two digits. For the smallest
     * doubles one is enough, and ECMAScript writes one: 5e-324 where Java has 4.9E-324.
     */
    private static BigDecimal shortest(double value) {
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (digits.precision() == 2) {
            BigDecimal oneDigit = digits.round(new MathContext(1, RoundingMode.HALF_EVEN));
            return oneDigit.doubleValue() == value ? oneDigit : digits;
        }
        return digits;
    }

    private static void write(Object value, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case String string -> write(string, out);
            case Boolean bool -> out.append(bool);
            case Number number -> write(number, out);
            case Map<?, ?> map -> write(map, out);
            case List<?> list -> write(list, out);
            default -> throw new IllegalArgumentException("not JSON: " + value.getClass());
        }
    }

    private static void write(Map<?, ?> map, StringBuilder out) {
        TreeMap<String, Object> sorted = new TreeMap<>();
        map.forEach((name, value) -> sorted.put((String) name, value));
        out.append('{');
        boolean first = true;
        for (Map.Entry<String, Object> member : sorted.entrySet()) {
            if (!first) {
                out.append(',');
            }
            first = false;
            write(member.getKey(), out);
            out.append(':');
            write(member.getValue(), out);
        }
        out.append('}');
    }

    private static void write(List<?> list, StringBuilder out) {
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
            if (i > 0) {
                out.append(',');
            }
            write(list.get(i), out);
        }
        out.append(']');
    }

    private static void write(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else if (Character.isSurrogate(c)) {
                        if (Character.isLowSurrogate(c) || i + 1 == string.length() || !Character.isLowSurrogate(string.charAt(i + 1))) {
                            throw new IllegalArgumentException("half a surrogate pair at " + i);
                        }
                        out.append(c).append(string.charAt(++i));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** ECMAScript's Number::toString. Java finds the same shortest digits, but places the decimal point differently. */
    private static void write(Number number, StringBuilder out) {
        if (!isExact(number)) {
            throw new IllegalArgumentException("not exact as a double: " + number);
        }
        double value = number.doubleValue();
        if (value == 0) {
            out.append('0');
            return;
        }
        if (value < 0) {
            out.append('-');
        }
        BigDecimal shortest = shortest(Math.abs(value)).stripTrailingZeros();
        String digits = shortest.unscaledValue().toString();
        int pointAt = digits.length() - shortest.scale();
        if (digits.length() <= pointAt && pointAt <= 21) {
            out.append(digits).repeat('0', pointAt - digits.length());
        } else if (0 < pointAt && pointAt <= 21) {
            out.append(digits, 0, pointAt).append('.').append(digits, pointAt, digits.length());
        } else if (-6 < pointAt && pointAt <= 0) {
            out.append("0.").repeat('0', -pointAt).append(digits);
        } else {
            int exponent = pointAt - 1;
            out.append(digits.charAt(0));
            if (digits.length() > 1) {
                out.append('.').append(digits, 1, digits.length());
            }
            out.append('e').append(exponent < 0 ? '-' : '+').append(Math.abs(exponent));
        }
    }
}
