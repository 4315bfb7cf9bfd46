package io.arbitration.platform.db;

import io.arbitration.platform.config.ConfigurationError;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the database is: {@code postgresql://user:password@host:port/database?sslmode=…&sslrootcert=…}. Both drivers, the
 * reactive one and JDBC for migrations, are configured from it. Its text form leaves the password out.
 */
public record DatabaseUrl(
        String host, int port, String database, String user, String password, String sslMode, String sslRootCertificate) {

    private static final List<String> SSL_MODES = List.of("disable", "prefer", "require", "verify-ca", "verify-full");
    private static final List<String> PARAMETERS = List.of("sslmode", "sslrootcert");

    /** Read by hand: {@link URI} takes no host with an underscore, as container networks give them. */
    private static final Pattern SERVER = Pattern.compile("(?:(?<user>[^@]*)@)?(?:\\[(?<six>[0-9a-fA-F:.%]+)]|(?<host>[^@:\\[\\]]+))(?::(?<port>[0-9]{1,5}))?");

    /**
     * The URL of the owner of the tables.
     *
     * @param node of the same database, under the user that nodes work with
     * @throws ConfigurationError also when both are one user
     */
    public static DatabaseUrl parseOwner(String text, DatabaseUrl node) {
        DatabaseUrl owner;
        try {
            owner = parse(text);
        } catch (ConfigurationError wrong) {
            throw new ConfigurationError(wrong.getMessage().replaceFirst("^database\\.url", "database.ownerUrl"));
        }
        if (owner.user.equals(node.user)) {
            throw new ConfigurationError("database.ownerUrl: must name another user than database.url");
        }
        return owner;
    }

    /** @throws ConfigurationError naming what is wrong; never the password */
    public static DatabaseUrl parse(String text) {
        URI uri = uri(text);
        boolean known = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
        Matcher server = SERVER.matcher(String.valueOf(uri.getRawAuthority()));
        if (!known || uri.getRawAuthority() == null || !server.matches() || uri.getPath() == null || uri.getPath().length() < 2) {
            throw wrong("must look like postgresql://user:password@host:port/database");
        }
        int port = server.group("port") == null ? 5432 : Integer.parseInt(server.group("port"));
        if (port < 1 || port > 65535) {
            throw wrong("port %d is out of bounds: from 1 to 65535".formatted(port));
        }
        String[] user = server.group("user") == null ? new String[] {""} : server.group("user").split(":", 2);
        if (user[0].isEmpty()) {
            throw wrong("a user is missing");
        }
        Map<String, String> parameters = parameters(uri.getRawQuery());
        String sslMode = parameters.getOrDefault("sslmode", "prefer");
        if (!SSL_MODES.contains(sslMode)) {
            throw wrong("sslmode %s is not one of %s".formatted(sslMode, SSL_MODES));
        }
        return new DatabaseUrl(server.group("six") != null ? server.group("six") : server.group("host"), port, uri.getPath().substring(1),
                decoded(user[0]), user.length > 1 ? decoded(user[1]) : "", sslMode, parameters.getOrDefault("sslrootcert", ""));
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException notAUri) {
            throw wrong("not a URL; characters like @ / # in the password need percent-encoding");
        }
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query == null ? new String[0] : query.split("&")) {
            String[] parts = pair.split("=", 2);
            if (!PARAMETERS.contains(parts[0]) || parts.length < 2) {
                throw wrong("unknown parameter %s, known are %s".formatted(parts[0], PARAMETERS));
            }
            parameters.put(parts[0], decoded(parts[1]));
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static ConfigurationError wrong(String what) {
        return new ConfigurationError("database.url: " + what);
    }

    PgConnectOptions connectOptions() {
        PgConnectOptions options = new PgConnectOptions()
                .setHost(host).setPort(port).setDatabase(database).setUser(user).setPassword(password)
                .setSslMode(SslMode.of(sslMode));
        if (!sslMode.equals("disable")) {
            ClientSSLOptions ssl = new ClientSSLOptions().setTrustAll(!sslMode.startsWith("verify"));
            if (sslMode.equals("verify-full")) {
                ssl.setHostnameVerificationAlgorithm("HTTPS");
            }
            if (!sslRootCertificate.isEmpty()) {
                ssl.setTrustOptions(new PemTrustOptions().addCertPath(sslRootCertificate));
            }
            options.setSslOptions(ssl);
        }
        return options;
    }

    /** The same for JDBC, without user and password. */
    public String jdbcUrl() {
        String url = "jdbc:postgresql://%s:%d/%s?sslmode=%s".formatted(
                host.contains(":") ? "[" + host + "]" : host, port, URLEncoder.encode(database, StandardCharsets.UTF_8), sslMode);
        if (!sslRootCertificate.isEmpty()) {
            return url + "&sslrootcert=" + URLEncoder.encode(sslRootCertificate, StandardCharsets.UTF_8);
        }
        // Else the driver would want a certificate in the home folder; what the machine trusts is what the other driver takes.
        return sslMode.startsWith("verify") ? url + "&sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory" : url;
    }

    @Override
    public String toString() {
        return "postgresql://%s@%s:%d/%s?sslmode=%s".formatted(user, host, port, database, sslMode);
    }
}
