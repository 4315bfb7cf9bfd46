package io.arbitration.platform.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The mail server: {@code smtp://user:password@host:port} or {@code smtps://…}; user and password percent-encoded, the port 587
 * or 465 unless given.
 *
 * @param tls from the first byte on; else STARTTLS
 */
public record SmtpUrl(boolean tls, String host, int port, Optional<Login> login) {

    private static final int SUBMISSION_PORT = 587;
    private static final int SUBMISSIONS_PORT = 465;

    /** The credentials at the mail server. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return "Login[" + user + "]";
        }
    }

    /** @throws ConfigurationError which does not show the URL, because it may contain a password */
    public static SmtpUrl parse(String text) {
        try {
            URI uri = new URI(text);
            boolean tls = "smtps".equals(uri.getScheme());
            boolean bare = (uri.getRawPath() == null || uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"))
                    && uri.getRawQuery() == null && uri.getRawFragment() == null;
            if (uri.getHost() == null || !bare || !tls && !"smtp".equals(uri.getScheme()) || uri.getPort() > 65535) {
                throw broken();
            }
            int port = uri.getPort() >= 0 ? uri.getPort() : tls ? SUBMISSIONS_PORT : SUBMISSION_PORT;
            return new SmtpUrl(tls, uri.getHost().replaceAll("[\\[\\]]", ""), port, Optional.ofNullable(uri.getRawUserInfo()).map(SmtpUrl::login));
        } catch (URISyntaxException | IllegalArgumentException broken) {
            throw broken();
        }
    }

    private static Login login(String userInfo) {
        int colon = userInfo.indexOf(':');
        if (colon < 1) {
            throw broken();
        }
        return new Login(decoded(userInfo.substring(0, colon)), decoded(userInfo.substring(colon + 1)));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static ConfigurationError broken() {
        return new ConfigurationError("smtp.url: must be smtp://host:port or smtps://host:port, with user:password@ before the host where the server "
                + "asks for it, both percent-encoded (the value is not shown, it may hold a password)");
    }
}
