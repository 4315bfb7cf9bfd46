package io.arbitration.platform.auth;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * The cookies of browsers: one for the session, and one for a sign-in in progress. Their {@code __Host-} prefix (RFC 6265bis)
 * binds them to one host and to TLS. On plain HTTP, which is only for this machine, browsers would drop cookies with this prefix.
 *
 * @param isPlain whether they have neither the prefix nor {@code Secure}
 */
public record SessionCookie(boolean isPlain) {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** @param publicUrl the address at which browsers reach the platform */
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

    /**
     * The value of a {@code Set-Cookie}. Lax: browsers send it with links to the platform, but not with a POST from another site.
     */
    public String set(String name, String value, Duration maxAge) {
        return "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Lax%s".formatted(name, value, maxAge.toSeconds(), isPlain ? "" : "; Secure");
    }

    /** The value of a {@code Set-Cookie} that deletes it. */
    public String forget(String name) {
        return set(name, "", Duration.ZERO);
    }
}
