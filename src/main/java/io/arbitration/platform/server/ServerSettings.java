package io.arbitration.platform.server;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.limits.ByteBudget;
import io.arbitration.platform.outbound.Cidr;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the HTTP servers.
 *
 * @param publicUrl address at which users reach the platform, without a slash at the end
 * @param connectionsPerAddress open connections from one address (IPv6: from one network of 64 bits); trusted proxies have no
 * such bound
 * @param streamsMax requests over HTTP/2 that are open at once
 * @param streamsPerAddress from one address (IPv6: from one network of 64 bits); trusted proxies have no such bound
 * @param head time within which the head of the first request must be complete, including a TLS handshake
 * @param paceBytesMin bytes a second; a client that reads its answers or sends a file more slowly is disconnected
 * @param answers bytes of unsent answers
 * @param idle a connection without a request for this long is closed
 * @param drain how long a node that stops waits for requests that are being answered
 * @param trustedProxies proxies whose information about the address of a client is trusted
 */
public record ServerSettings(
        String host, int port, Optional<String> publicUrl, int eventLoops, Duration idle, Duration head, int paceBytesMin, int connectionsMax, int connectionsPerAddress, int streamsMax, int streamsPerAddress, ByteBudget.Bounds answers, Duration drain, boolean compression,
        List<String> corsOrigins, List<Cidr> trustedProxies, Optional<Tls> tls) {

    /** Whether browsers reach the platform over TLS, at the node or at a proxy in front. */
    boolean isReachedOverTls() {
        return tls.isPresent() || publicUrl.filter(url -> url.startsWith("https:")).isPresent();
    }

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
                c.whole("http.streamsMax", 1, 1_000_000), c.whole("http.streamsPerAddress", 1, 1_000_000),
                new ByteBudget.Bounds(c.whole("http.answersBytesMax", 65_536L, 68_719_476_736L), c.whole("http.answersBytesPerCaller", 65_536L, 68_719_476_736L),
                        c.whole("http.answersBytesPerAddress", 65_536L, 68_719_476_736L)),
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
