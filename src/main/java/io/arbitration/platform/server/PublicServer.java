package io.arbitration.platform.server;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.config.AreaAddress;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.idempotency.Idempotency;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.ErrorBodies;
import io.arbitration.platform.reference.ReferencePages;
import io.arbitration.platform.request.ClientAddress;
import io.arbitration.platform.request.ClientNetwork;
import io.arbitration.platform.request.RequestId;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.CorsHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The HTTP servers of one event loop: one for the shared port and one for each area with a port of its own. Deployed once
 * per event loop, it mounts the routers that the areas built.
 */
public final class PublicServer extends VerticleBase {

    static final int INITIAL_LINE_BYTES_MAX = 8192;
    static final int HEADER_BYTES_MAX = 32768;
    /** Bytes of a body that come at once: as many as are read from the socket at once, where the default would cut them in eight. */
    private static final int CHUNK_BYTES_MAX = 65_536;
    /** Streams that a client may reset on a connection in half a minute; a browser that leaves a page resets those under way. */
    private static final int HTTP2_RESETS_MAX = 40;
    private static final int HTTP2_STREAMS_MAX = 128;
    /**
     * Of a socket; the kernel doubles it. It takes more only when a third of it is free, so that in a larger one a slow but honest
     * client would seem to stand still for minutes.
     */
    static final int SEND_BUFFER_BYTES = 131_072;
    private static final int FIRST = -1;
    private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");
    private static final long SWEEP_MILLIS = 1000;
    /** A connection on which an answer is awaited, or not taken, may be silent for this long. Idle ones are closed by {@link Connections}. */
    private static final int ANSWER_SECONDS_MAX = 300;

    private final ServerSettings settings;
    private final Map<String, AreaAddress> addresses;
    private final List<AreaVerticle> areas;
    private final AtomicBoolean draining;
    private final Supplier<Optional<String>> outOfService;
    private final ConnectionLimit connectionLimit;
    private final ReferencePages reference;
    private final RateLimiter rate;
    private final Connections connections;
    private final Map<String, HttpServer> own = new HashMap<>();
    private final List<HttpServer> servers = new ArrayList<>();

    /**
     * @param draining set at shutdown: from then on answers ask the client to close the connection
     * @param outOfService why no request is answered now; empty: they are
     * @param connectionLimit guards the ports that the servers listen on
     * @param reference stands beside the areas at the shared port
     * @param rate of each address without a token
     * @param refusals of each address: with one too many its connection ends
     */
    public PublicServer(ServerSettings settings, Map<String, AreaAddress> addresses, List<AreaVerticle> areas, AtomicBoolean draining,
            Supplier<Optional<String>> outOfService, ConnectionLimit connectionLimit, ReferencePages reference, RateLimiter rate, RateLimiter refusals) {
        this.rate = rate;
        this.connectionLimit = connectionLimit;
        this.reference = reference;
        this.connections = new Connections(settings, connectionLimit, refusals);
        this.settings = settings;
        this.addresses = addresses;
        this.areas = areas;
        this.draining = draining;
        this.outOfService = outOfService;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(SWEEP_MILLIS, sweep -> connections.closeIdle());
        Router shared = entrance();
        reference.mount(shared);
        shared.route().last().handler(this::notFound);
        Map<String, Router> byHost = new HashMap<>();
        List<Future<HttpServer>> starting = new ArrayList<>();
        for (AreaVerticle area : areas) {
            switch (addresses.get(area.name())) {
                case null -> {
                    // Before all else, because it begins again from there.
                    shared.route("/" + area.name()).order(FIRST).handler(PublicServer::atItsRoot);
                    shared.route("/" + area.name() + "/*").subRouter(area.router());
                }
                case AreaAddress.HostName host -> {
                    Router router = entrance();
                    router.route("/*").subRouter(area.router());
                    router.route().last().handler(this::notFound);
                    byHost.put(host.name().toLowerCase(Locale.ROOT), router);
                }
                case AreaAddress.Port port -> {
                    Router router = entrance();
                    router.route("/*").subRouter(area.router());
                    router.route().last().handler(this::notFound);
                    starting.add(listen(router, Map.of(), "areas.addresses." + area.name() + ".port", shared(port.number())));
                    own.put(area.name(), servers.getLast());
                }
            }
        }
        starting.add(listen(shared, byHost, "http.port", shared(settings.port())));
        return Future.all(starting);
    }

    /** What is nowhere is asked for at the rate of an address: guessing paths costs no more than trying tokens. */
    private void notFound(RoutingContext context) {
        rate.admit(ClientNetwork.of(ClientAddress.of(context)));
        context.fail(HttpError.PATH.refusal());
    }

    /** An area is asked for without the slash: that is its root as well. */
    private static void atItsRoot(RoutingContext context) {
        String path = context.request().path();
        if (path.endsWith("/")) {
            context.next();
        } else {
            String query = context.request().query();
            context.reroute(context.request().method(), query == null ? path + "/" : path + "/?" + query);
        }
    }

    /** The steps before any area: request id, draining, CORS; and the rendering of every error. */
    private Router entrance() {
        Router router = Router.router(vertx);
        ErrorBodies errors = new ErrorBodies();
        router.route().handler(new RequestId()).failureHandler(errors);
        router.route().handler(new ClientAddress(settings.trustedProxies()));
        router.route().handler(this::drain);
        router.route().handler(this::inService);
        router.route().handler(connections::enter);
        if (!settings.corsOrigins().isEmpty()) {
            CorsHandler cors = CorsHandler.create()
                    .addOrigins(settings.corsOrigins())
                    .allowedMethods(Set.of(HttpMethod.POST, HttpMethod.GET, HttpMethod.OPTIONS))
                    .allowedHeaders(Set.of("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-Range", "Range", "X-Request-Id"))
                    .exposedHeaders(Set.of("X-Request-Id", "Error-Code", "ETag", "Retry-After", "Idempotent-Replayed",
                            "Accept-Ranges", "Content-Range", "Content-Disposition"))
                    .maxAgeSeconds(3600);
            router.route().handler(context -> allowOrigin(context, cors));
        }
        for (int status : new int[] {400, 404, 405, 500}) {
            router.errorHandler(status, errors);
        }
        return router;
    }

    /** An origin that is not configured gets no CORS headers, which is what makes a browser refuse it. */
    private void allowOrigin(RoutingContext context, CorsHandler cors) {
        String origin = context.request().getHeader(HttpHeaders.ORIGIN);
        if (origin != null && settings.corsOrigins().contains(origin)) {
            cors.handle(context);
        } else {
            context.response().putHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN);
            context.next();
        }
    }

    private void drain(RoutingContext context) {
        if (draining.get() && context.request().version() != HttpVersion.HTTP_2) {
            context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        context.next();
    }

    private void inService(RoutingContext context) {
        if (outOfService.get().isPresent()) {
            context.fail(HttpError.OUT_OF_SERVICE.refusal().retryAfter(1));
        } else {
            context.next();
        }
    }

    /** Servers given port 0 would each take another port; given the same negative number, Vert.x lets them share any free one. */
    private int shared(int port) {
        return port == 0 ? -1 - servers.size() : port;
    }

    private Future<HttpServer> listen(Router router, Map<String, Router> byHost, String key, int port) {
        HttpServer server = vertx.createHttpServer(options());
        servers.add(server);
        server
                .connectionHandler(connections::opened)
                .requestHandler(request -> route(request, router, byHost))
                .invalidRequestHandler(new MalformedRequest());
        return CannotListen.listen(server, key, settings.host(), port).onSuccess(listening -> connectionLimit.guard(listening.actualPort()));
    }

    private void route(HttpServerRequest request, Router router, Map<String, Router> byHost) {
        if (connections.isEnding(request)) {
            return;
        }
        connections.watchFrames(request);
        HostAndPort authority = request.authority();
        if (authority == null && request.version() != HttpVersion.HTTP_1_0) {
            // RFC 9112, section 3.2: a request of HTTP/1.1 without a Host that can be read is answered with 400.
            MalformedRequest.answer(request, HttpError.HOST.refusal());
            return;
        }
        if (request.path() == null || !request.path().startsWith("/") || BROKEN_ESCAPE.matcher(request.path()).find()) {
            MalformedRequest.answer(request, HttpError.MALFORMED.refusal());
            return;
        }
        List<String> codings = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
        if (!codings.isEmpty()) {
            if (!codings.stream().allMatch("chunked"::equalsIgnoreCase)) {
                // Where the body of a coding we don't know ends is unknown; taken for none, its bytes would be the next request.
                MalformedRequest.answer(request, HttpError.TRANSFER_ENCODING.refusal());
                return;
            }
            // The HTTP decoder drops a Content-Length beside it. RFC 9112, section 6.1: after such a request the connection ends.
            connections.endAfter(request);
        }
        String host = authority == null ? "" : authority.host().toLowerCase(Locale.ROOT);
        byHost.getOrDefault(host, router).handle(request);
    }

    private HttpServerOptions options() {
        HttpServerOptions options = new HttpServerOptions()
                .setIdleTimeout((int) Math.max(ANSWER_SECONDS_MAX, settings.idle().toSeconds()))
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                // Done by the operation pipeline: see ReplySender.
                .setCompressionSupported(false)
                .setDecompressionSupported(false)
                .setMaxInitialLineLength(INITIAL_LINE_BYTES_MAX)
                .setMaxHeaderSize(HEADER_BYTES_MAX)
                .setMaxChunkSize(CHUNK_BYTES_MAX)
                .setSendBufferSize(SEND_BUFFER_BYTES)
                .setTcpNoDelay(true)
                .setTcpFastOpen(false)
                .setHttp2ClearTextEnabled(true)
                .setHttp2RstFloodMaxRstFramePerWindow(HTTP2_RESETS_MAX);
        options.getInitialSettings().setMaxConcurrentStreams(HTTP2_STREAMS_MAX).setMaxHeaderListSize(HEADER_BYTES_MAX);
        settings.tls().ifPresent(tls -> {
            TlsOfServer.SUITES.forEach(options::addEnabledCipherSuite);
            options.setSsl(true)
                .setUseAlpn(true)
                .setSslEngineOptions(new TlsOfServer())
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(readable("http.tls.certificateFile", tls.certificateFile()))
                        .setKeyPath(readable("http.tls.keyFile", tls.keyFile())));
        });
        return options;
    }

    private static String readable(String key, Path file) {
        if (!Files.isReadable(file)) {
            throw new ConfigurationError("%s: %s is not a file that can be read".formatted(key, file));
        }
        return file.toString();
    }

    /** The port that the server of an area with a port of its own really listens on. */
    public Optional<Integer> port(String area) {
        return Optional.ofNullable(own.get(area)).map(HttpServer::actualPort);
    }

    /** The port that the shared server really listens on. */
    public int port() {
        return servers.getLast().actualPort();
    }

    /** Ends the servers when the requests in flight are answered, at the latest after the given time. */
    public Future<Void> close(long waitMillis) {
        return Future.join(servers.stream().map(server -> server.shutdown(waitMillis, TimeUnit.MILLISECONDS)).toList()).mapEmpty();
    }
}
