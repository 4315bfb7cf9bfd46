package io.arbitration.platform.server;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.outbound.Cidr;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the platform is reached over HTTP.
 *
 * @param publicUrl where users reach it, without a slash at the end
 * @param connectionsPerAddress open at once from one address (IPv6: from its network of 64 bits), but for trusted proxies
 * @param head time in which the first request of a connection must have begun, a TLS handshake included
 * @param paceBytesMin a client that takes its answers, or sends a file, slower than so many bytes a second is cut off
 * @param idle a connection on which nothing was asked for so long is closed
 * @param drain how long a node that stops waits for the answers in flight
 * @param trustedProxies whose word on a client's address is taken
 */
public record ServerSettings(
        String host, int port, Optional<String> publicUrl, int eventLoops, Duration idle, Duration head, int paceBytesMin, int connectionsMax, int connectionsPerAddress, Duration drain, boolean compression,
        List<String> corsOrigins, List<Cidr> trustedProxies, Optional<Tls> tls) {

    public record Tls(Path certificateFile, Path keyFile) {}

    public static ServerSettings read(Configuration c, Path home) {
        int eventLoops = c.whole("http.eventLoops", 0, 64);
        Optional<String> certificate = c.optional("http.tls.certificateFile");
        Optional<String> key = c.optional("http.tls.keyFile");
        if (certificate.isPresent() != key.isPresent()) {
            throw new ConfigurationError("http.tls: certificateFile and keyFile go together");
        }
        return new ServerSettings(
                c.required("http.host"), c.whole("http.port", 0, 65535),
                c.optional("http.publicUrl", Configuration.BASE_URL_BOUND, Configuration.BASE_URL),
                eventLoops == 0 ? Runtime.getRuntime().availableProcessors() : eventLoops,
                Duration.ofSeconds(c.whole("http.idleSeconds", 1, 3600)), Duration.ofSeconds(c.whole("http.headSeconds", 1, 3600)),
                c.whole("http.paceBytesMin", 1, 1_048_576), c.whole("http.connectionsMax", 1, 1_000_000), c.whole("http.connectionsPerAddress", 1, 1_000_000),
                Duration.ofSeconds(c.whole("http.drainSeconds", 0, 300)), c.yesOrNo("http.compression"),
                origins(c), c.list("http.trustedProxies", Cidr.BOUND, Cidr::read),
                certificate.map(file -> new Tls(home.resolve(file), home.resolve(key.get()))));
    }

    /** Origins as browsers send them (RFC 6454, section 7); {@code *} would open the platform to every page. */
    private static List<String> origins(Configuration c) {
        return c.list("http.corsOrigins", "scheme, host in small letters and port, e.g. https://app.example.org",
                Configuration.matching("https?://[a-z0-9.-]+(:[0-9]{1,5})?"));
    }
}
