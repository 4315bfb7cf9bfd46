package io.arbitration.platform.auth;

import io.arbitration.platform.config.AreaAddress;
import io.arbitration.platform.config.AreaSettings;
import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The authentication of browsers by a cookie instead of a bearer token.
 *
 * @param sessions the sessions of cookies
 * @param origins from which a browser may write with its cookie: those of this platform
 */
public record BrowserAccess(CookieSessions sessions, SessionCookie cookie, Set<String> origins) {

    /** @param publicUrl the public address of the platform */
    public static BrowserAccess of(CookieSessions sessions, AreaSettings areas, String publicUrl) {
        URI reached = URI.create(publicUrl);
        Set<String> origins = new HashSet<>();
        origins.add(origin(reached.getScheme(), reached.getHost(), reached.getPort()));
        for (AreaAddress address : areas.addresses().values()) {
            origins.add(switch (address) {
                case AreaAddress.HostName(String host) -> origin(reached.getScheme(), host, reached.getPort());
                case AreaAddress.Port(int port) -> origin(reached.getScheme(), reached.getHost(), port);
            });
        }
        return new BrowserAccess(sessions, SessionCookie.at(publicUrl), Set.copyOf(origins));
    }

    /** As browsers write it (RFC 6454): in lower case, without the default port. */
    private static String origin(String scheme, String host, int port) {
        boolean usual = port < 0 || port == ("https".equals(scheme) ? 443 : 80);
        return "%s://%s%s".formatted(scheme, host.toLowerCase(Locale.ROOT), usual ? "" : ":" + port);
    }
}
