package io.arbitration.platform.auth;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * The cookies of browsers that sign in: of the session, and of a sign-in under way. Their {@code __Host-} prefix (RFC 6265bis) binds
 * them to one host and to TLS. On plain HTTP, which is for this machine alone, browsers would drop them with it.
 *
 * @param isPlain whether they go without the prefix and {@code Secure}
 */
public record SessionCookie(boolean isPlain) {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** @param publicUrl where browsers reach the platform */
    public static SessionCookie at(String publicUrl) {
        URI reached = URI.create(publicUrl);
        return new SessionCookie("http".equals(reached.getScheme()) && LOOPBACK.contains(reached.getHost()));
    }

    public String sessionName() {
        return name("session");
    }

    public String signInName() {
        return name("sign-in");
    }

    private String name(String plain) {
        return isPlain ? plain : "__Host-" + plain;
    }

    /** The value of a {@code Set-Cookie}. Lax: it comes with a link that leads here, and with no POST from elsewhere. */
    public String set(String name, String value, Duration maxAge) {
        return "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Lax%s".formatted(name, value, maxAge.toSeconds(), isPlain ? "" : "; Secure");
    }

    /** The value of a {@code Set-Cookie} that takes it away. */
    public String forget(String name) {
        return set(name, "", Duration.ZERO);
    }
}
