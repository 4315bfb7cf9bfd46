package io.arbitration.platform.server;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.config.AreaAddress;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.console.ConsolePages;
import io.arbitration.platform.idempotency.Idempotency;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.ErrorBodies;
import io.arbitration.platform.pipeline.ReplySender;
import io.arbitration.platform.reference.ReferencePages;
import io.arbitration.platform.request.ClientAddress;
import io.arbitration.platform.request.ClientNetwork;
import io.arbitration.platform.request.RequestId;
import io.arbitration.platform.telemetry.SecurityEvents;
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
    /**
     * Bytes of a body that are passed on at once: as many as one read from the socket gives. The default would split them into
     * eight parts.
     */
    private static final int CHUNK_BYTES_MAX = 65_536;
    /** Streams that a client may reset on a connection within 30 s. A browser that leaves a page resets its open ones. */
    private static final int HTTP2_RESETS_MAX = 40;
    static final int HTTP2_STREAMS_MAX = 128;
    /**
     * Send buffer of a socket; the kernel doubles the number. The kernel takes more bytes only when a third of the buffer is free. With a
     * larger buffer a slow but honest client would seem not to read anything for minutes.
     */
    static final int SEND_BUFFER_BYTES = 131_072;
    private static final int FIRST = -1;
    private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");
    private static final long SWEEP_MILLIS = 1000;
    /** How long no byte may pass on a connection while a request is being answered. Idle connections are closed by {@link Connections}. */
    private static final int ANSWER_SECONDS_MAX = 300;

    private final ServerSettings settings;
    private final Map<String, AreaAddress> addresses;
    private final List<AreaVerticle> areas;
    private final AtomicBoolean draining;
    private final Supplier<Optional<String>> outOfService;
    private final ConnectionLimit connectionLimit;
    private final ReferencePages reference;
    private final ConsolePages console;
    private final RateLimiter rate;
    private final SecurityEvents security;
    private final SecurityHeaders headers;
    private final MalformedRequest malformed;
    private final ReplySender sender;
    private final ClientAddress clients;
    private final RateLimiter refusals;
    private Connections connections;
    private final Map<String, HttpServer> own = new HashMap<>();
    private final List<HttpServer> servers = new ArrayList<>();

    /**
     * @param draining true from the beginning of a shutdown: answers then ask the client to close the connection
     * @param outOfService why requests are not answered now; empty when they are
     * @param connectionLimit bounds the connections to the ports of these servers
     * @param reference pages that are served beside the areas at the shared port
     * @param console served in the same way
     * @param rate of requests without a token, for each address
     * @param refusals of each address; a connection that exceeds it is closed
     * @param security records refusals
     * @param sender of errors
     */
    public PublicServer(ServerSettings settings, Map<String, AreaAddress> addresses, List<AreaVerticle> areas, AtomicBoolean draining,
            Supplier<Optional<String>> outOfService, ConnectionLimit connectionLimit, ReferencePages reference, ConsolePages console, RateLimiter rate,
            RateLimiter refusals, SecurityEvents security, ReplySender sender) {
        this.security = security;
        this.headers = new SecurityHeaders(settings.isReachedOverTls());
        this.malformed = new MalformedRequest(headers, sender);
        this.sender = sender;
        this.clients = new ClientAddress(settings.trustedProxies());
        this.rate = rate;
        this.connectionLimit = connectionLimit;
        this.reference = reference;
        this.console = console;
        this.refusals = refusals;
        this.settings = settings;
        this.addresses = addresses;
        this.areas = areas;
        this.draining = draining;
        this.outOfService = outOfService;
    }

    @Override
    public Future<?> start() {
        connections = new Connections(vertx, settings, connectionLimit, refusals);
        vertx.setPeriodic(SWEEP_MILLIS, sweep -> connections.closeIdle());
        Router shared = entrance();
        reference.mount(shared);
        console.mount(shared);
        shared.route().last().handler(this::notFound);
        Map<String, Router> byHost = new HashMap<>();
        List<Future<HttpServer>> starting = new ArrayList<>();
        for (AreaVerticle area : areas) {
            switch (addresses.get(area.name())) {
                case null -> {
                    // The first route, because routing begins again after it.
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

    /** Counts requests for unknown paths against the rate of their address, as requests with invalid tokens are. */
    private void notFound(RoutingContext context) {
        rate.admit(ClientNetwork.of(ClientAddress.of(context)));
        context.fail(HttpError.PATH.refusal());
    }

    /** Treats the path of an area without a slash at the end as its root. */
    private static void atItsRoot(RoutingContext context) {
        String path = context.request().path();
        if (path.endsWith("/")) {
            context.next();
        } else {
            String query = context.request().query();
            context.reroute(context.request().method(), query == null ? path + "/" : path + "/?" + query);
        }
    }

    /** A router with the steps before every area: request id, client address, draining, CORS, and the rendering of errors. */
    private Router entrance() {
        Router router = Router.router(vertx);
        ErrorBodies errors = new ErrorBodies(security, sender);
        router.route().handler(new RequestId()).failureHandler(errors);
        router.route().handler(headers);
        router.route().handler(clients);
        router.route().handler(this::drain);
        router.route().handler(this::inService);
        router.route().handler(connections::enter);
        if (!settings.corsOrigins().isEmpty()) {
            CorsHandler cors = CorsHandler.create()
                    .addOrigins(settings.corsOrigins())
                    .allowedMethods(Set.of(HttpMethod.POST, HttpMethod.GET, HttpMethod.OPTIONS))
                    .allowedHeaders(Set.of("Acting-Organization", "Acting-User", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "If-Range", "Last-Event-ID", "Range",
                            "X-Request-Id"))
                    .exposedHeaders(Set.of("X-Request-Id", "Error-Code", "ETag", "Retry-After", "Idempotent-Replayed",
                            "Accept-Ranges", "Content-Range", "Content-Disposition", "Next-Cursor", "Summarized-Inputs", "RateLimit", "RateLimit-Policy",
                            "WWW-Authenticate", "Deprecation", "Sunset", "Link", "webhook-sandbox"))
                    .maxAgeSeconds(3600);
            router.route().handler(context -> allowOrigin(context, cors));
        }
        for (int status : new int[] {400, 404, 405, 500}) {
            router.errorHandler(status, errors);
        }
        return router;
    }

    /** Adds CORS headers only for configured origins. Without them a browser refuses the answer to a page of another origin. */
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

    /** With port 0 the server of each event loop would take a port of its own. With the same negative number Vert.x lets them share one free port. */
    private int shared(int port) {
        return port == 0 ? -1 - servers.size() : port;
    }

    private Future<HttpServer> listen(Router router, Map<String, Router> byHost, String key, int port) {
        HttpServer server = vertx.createHttpServer(options());
        servers.add(server);
        server
                .connectionHandler(connections::opened)
                .requestHandler(request -> connections.begin(request, () -> route(request, router, byHost)))
                .invalidRequestHandler(this::refuseMalformed);
        return ListenFailure.listen(server, key, settings.host(), port).onSuccess(listening -> connectionLimit.guard(listening.actualPort()));
    }

    private void route(HttpServerRequest request, Router router, Map<String, Router> byHost) {
        if (connections.isEnding(request)) {
            return;
        }
        HostAndPort authority = request.authority();
        boolean hasNoHost = authority == null && request.version() != HttpVersion.HTTP_1_0;
        if (hasNoHost || request.headers().getAll(HttpHeaders.HOST).size() > 1) {
            // RFC 9112, section 3.2: an HTTP/1.1 request without a valid Host is answered with 400, and so is one with two, of which a proxy
            // may have read the other.
            refuse(request, HttpError.HOST.refusal());
            return;
        }
        // Of two Authorization headers a proxy may have checked the other.
        if (request.path() == null || !request.path().startsWith("/") || BROKEN_ESCAPE.matcher(request.path()).find()
                || request.headers().getAll(HttpHeaders.AUTHORIZATION).size() > 1) {
            refuse(request, HttpError.MALFORMED.refusal());
            return;
        }
        List<String> codings = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
        if (!codings.isEmpty()) {
            // RFC 9113, section 8.2.2: HTTP/2 has no transfer codings.
            if (request.version() == HttpVersion.HTTP_2 || !codings.stream().allMatch("chunked"::equalsIgnoreCase)) {
                // With an unknown coding the end of the body is unknown, and its bytes would be read as the next request.
                refuse(request, HttpError.TRANSFER_ENCODING.refusal());
                return;
            }
            // The HTTP decoder refuses a Content-Length that comes with it (RFC 9112, section 6.1). The connection is closed after the answer all
            // the same, so that requests stay separate if a decoder should not refuse it.
            connections.endAfter(request);
        }
        String host = authority == null ? "" : authority.host().toLowerCase(Locale.ROOT);
        byHost.getOrDefault(host, router).handle(request);
    }

    /**
     * Refuses ambiguous requests. Over HTTP/1, bytes after such a request are ignored, because they may be a part of it. Over
     * HTTP/2 frames separate the requests.
     */
    private void refuse(HttpServerRequest request, Refusal refusal) {
        String client = clients.of(request);
        if (request.version() != HttpVersion.HTTP_2) {
            connections.endAfter(request);
        } else if (connections.endsWithRefusal(request, client)) {
            return;
        }
        String network = ClientNetwork.of(client);
        malformed.answer(vertx, request, network, counted(network, refusal));
    }

    /** A refused request counts against the rate of its address, even if it comes through a proxy. */
    private Refusal counted(String network, Refusal refusal) {
        try {
            rate.admit(network);
            return refusal;
        } catch (Refusal tooMany) {
            return tooMany;
        }
    }

    private void refuseMalformed(HttpServerRequest request) {
        if (!connections.isEnding(request)) {
            refuse(request, MalformedRequest.refusal(request));
        }
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
                // Answers are written only on the context of their request: see RequestContext.
                .setStrictThreadMode(true)
                .setTcpNoDelay(true)
                .setTcpFastOpen(false)
                .setHttp2ClearTextEnabled(true)
                .setHttp2RstFloodMaxRstFramePerWindow(HTTP2_RESETS_MAX);
        options.getInitialSettings().setMaxConcurrentStreams(HTTP2_STREAMS_MAX).setMaxHeaderListSize(HEADER_BYTES_MAX);
        settings.tls().ifPresent(tls -> {
            ServerTls.SUITES.forEach(options::addEnabledCipherSuite);
            options.setSsl(true)
                .setUseAlpn(true)
                .setSslEngineOptions(new ServerTls())
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

    /** The actual port of the server of an area with a port of its own. */
    public Optional<Integer> port(String area) {
        return Optional.ofNullable(own.get(area)).map(HttpServer::actualPort);
    }

    /** The actual port of the shared server. */
    public int port() {
        return servers.getLast().actualPort();
    }

    /** Ends the servers when the requests in flight are answered, at the latest after the given time. */
    public Future<Void> close(long waitMillis) {
        return Future.join(servers.stream().map(server -> server.shutdown(waitMillis, TimeUnit.MILLISECONDS)).toList()).mapEmpty();
    }
}
