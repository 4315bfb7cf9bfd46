package io.arbitration.identity.signin;

import io.arbitration.identity.Secrets;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * An incomplete sign-in of a browser. It is stored in a cookie of that browser, so that the answer to a sign-in that another
 * browser began is refused. State, nonce and code verifier are hashes of its random secret, so none of them can be computed from
 * another.
 *
 * @param returnTo a path of this origin
 */
record SignInAttempt(String provider, String secret, String returnTo, Instant endsAt) {

    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final int LENGTH_MAX = 2000;

    String state() {
        return derived("state");
    }

    String nonce() {
        return derived("nonce");
    }

    /** The code verifier of PKCE, 43 characters (RFC 7636). */
    String verifier() {
        return derived("verifier");
    }

    String challenge() {
        return BASE64.encodeToString(Secrets.hash(verifier()));
    }

    private String derived(String purpose) {
        return BASE64.encodeToString(Secrets.hash(purpose + "\n" + secret));
    }

    String cookie() {
        return "%s.%s.%s.%d".formatted(provider, secret, BASE64.encodeToString(returnTo.getBytes(StandardCharsets.UTF_8)), endsAt.getEpochSecond());
    }

    /** Reads a cookie; empty if it is malformed. It needs no signature, because it only concerns the browser that has it. */
    static Optional<SignInAttempt> parse(String cookie) {
        String[] parts = cookie.split("\\.", -1);
        if (cookie.length() > LENGTH_MAX || parts.length != 4 || !parts[3].matches("[0-9]{1,12}")) {
            return Optional.empty();
        }
        try {
            String returnTo = new String(Base64.getUrlDecoder().decode(parts[2]), StandardCharsets.UTF_8);
            return Optional.of(new SignInAttempt(parts[0], parts[1], returnTo, Instant.ofEpochSecond(Long.parseLong(parts[3]))))
                    .filter(attempt -> isPath(attempt.returnTo));
        } catch (IllegalArgumentException | DateTimeException malformed) {
            return Optional.empty();
        }
    }

    /** Whether the text is a path, so that a redirect to it stays at this origin. */
    static boolean isPath(String text) {
        return text.startsWith("/") && !text.startsWith("//") && text.length() <= 1000
                && text.chars().allMatch(c -> c > ' ' && c < 127 && c != '\\' && c != '"' && c != '<' && c != '>');
    }
}
