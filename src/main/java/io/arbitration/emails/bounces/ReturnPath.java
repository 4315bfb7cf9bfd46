package io.arbitration.emails.bounces;

import io.arbitration.domain.text.Mailbox;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import java.math.BigInteger;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address for reports of failed deliveries. Each copy has its own, {@code <local>+<token>@<domain>} (VERP), so that a report
 * identifies the copy whatever else it contains. The token is a random number that only the recipient's side learns.
 */
public final class ReturnPath {

    /** A local part has at most 64 characters (RFC 5321, 4.5.3.1.1); 33 are those of the token and its sign. */
    private static final int LOCAL_LENGTH_MAX = 31;

    private final String local;
    private final String domain;
    private final Pattern withToken;

    private ReturnPath(String local, String domain) {
        this.local = local;
        this.domain = domain;
        this.withToken = Pattern.compile("(?<![A-Za-z0-9.+_-])" + Pattern.quote(local) + "\\+([0-9a-f]{32})@" + Pattern.quote(domain) + "(?![A-Za-z0-9.-])",
                Pattern.CASE_INSENSITIVE);
    }

    /** @throws IllegalArgumentException with the fault of the address */
    public static ReturnPath of(String address) {
        String bare = Mailbox.parse(address).address();
        int at = bare.lastIndexOf('@');
        if (!bare.equals(address) || at > LOCAL_LENGTH_MAX || !bare.substring(0, at).matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("must be an address alone, its name of at most %d letters, digits, dots, hyphens and underscores"
                    .formatted(LOCAL_LENGTH_MAX));
        }
        return new ReturnPath(bare.substring(0, at), bare.substring(at + 1));
    }

    public static Optional<ReturnPath> read(Configuration c) {
        return c.optional("emails.returnPath").map(text -> {
            try {
                return of(text);
            } catch (IllegalArgumentException broken) {
                throw ConfigurationError.outOfBounds("emails.returnPath", text, broken.getMessage());
            }
        });
    }

    public String address(UUID token) {
        return "%s+%016x%016x@%s".formatted(local, token.getMostSignificantBits(), token.getLeastSignificantBits(), domain);
    }

    /** The token of the first such address in a header. */
    Optional<UUID> token(String header) {
        Matcher matcher = withToken.matcher(header);
        return matcher.find()
                ? Optional.of(new UUID(new BigInteger(matcher.group(1).substring(0, 16), 16).longValue(),
                        new BigInteger(matcher.group(1).substring(16), 16).longValue()))
                : Optional.empty();
    }
}
