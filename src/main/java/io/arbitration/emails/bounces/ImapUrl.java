package io.arbitration.emails.bounces;

import io.arbitration.platform.config.ConfigurationError;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * {@code imaps://user:password@host:port/folder}; its text form hides the password.
 *
 * @param tls from the first byte; otherwise STARTTLS is required, except on this machine
 */
public record ImapUrl(boolean tls, String host, int port, String user, String password, String folder) {

    private static final int TLS_PORT = 993;
    private static final int PLAIN_PORT = 143;

    /** @throws ConfigurationError with the fault; never the password */
    public static ImapUrl parse(String text) {
        try {
            URI uri = new URI(text);
            boolean tls = "imaps".equals(uri.getScheme());
            String[] login = uri.getRawUserInfo() == null ? new String[0] : uri.getRawUserInfo().split(":", 2);
            if (!tls && !"imap".equals(uri.getScheme()) || uri.getHost() == null || login.length != 2) {
                throw wrong();
            }
            String folder = uri.getPath() == null || uri.getPath().length() < 2 ? "INBOX" : uri.getPath().substring(1);
            return new ImapUrl(tls, uri.getHost(), uri.getPort() > 0 ? uri.getPort() : tls ? TLS_PORT : PLAIN_PORT, decoded(login[0]), decoded(login[1]), folder);
        } catch (URISyntaxException broken) {
            throw wrong();
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static ConfigurationError wrong() {
        return new ConfigurationError("emails.bounces.imapUrl: must look like imaps://user:password@host:port/folder");
    }

    boolean isThisMachine() {
        return host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
    }

    @Override
    public String toString() {
        return "%s://%s@%s:%d/%s".formatted(tls ? "imaps" : "imap", user, host, port, folder);
    }
}
