package io.arbitration.platform.http;

import io.arbitration.platform.config.Settings;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.CorsHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The HTTP servers of one event loop: one for the shared port and one for each area with a port of its own. Deployed once
 * per event loop, it mounts the routers that the areas built.
 */
public final class FrontDoor extends VerticleBase {

    private static final int INITIAL_LINE_BYTES_MAX = 8192;
    private static final int HEADER_BYTES_MAX = 32768;
    private static final int HTTP2_STREAMS_MAX = 256;

    private final Settings.Http settings;
    private final Map<String, Settings.Address> addresses;
    private final List<Area> areas;
    private final AtomicBoolean draining;
    private final List<HttpServer> servers = new ArrayList<>();

    /** @param draining set at shutdown: from then on answers ask the client to close the connection */
    public FrontDoor(Settings.Http settings, Map<String, Settings.Address> addresses, List<Area> areas, AtomicBoolean draining) {
        this.settings = settings;
        this.addresses = addresses;
        this.areas = areas;
        this.draining = draining;
    }

    @Override
    public Future<?> start() {
        Router shared = entrance();
        Map<String, Router> byHost = new HashMap<>();
        List<Future<HttpServer>> starting = new ArrayList<>();
        for (Area area : areas) {
            switch (addresses.get(area.name())) {
                case null -> shared.route("/" + area.name() + "/*").subRouter(area.router());
                case Settings.Address.HostName host -> {
                    Router router = entrance();
                    router.route("/*").subRouter(area.router());
                    byHost.put(host.name().toLowerCase(), router);
                }
                case Settings.Address.Port port -> {
                    Router router = entrance();
                    router.route("/*").subRouter(area.router());
                    starting.add(listen(router, Map.of(), "areas.addresses." + area.name() + ".port", port.number()));
                }
            }
        }
        starting.add(listen(shared, byHost, "http.port", settings.port()));
        return Future.all(starting);
    }

    /** The steps before any area: request id, draining, CORS; and the rendering of every error. */
    private Router entrance() {
        Router router = Router.router(vertx);
        ErrorBodies errors = new ErrorBodies();
        router.route().handler(new RequestId()).failureHandler(errors);
        router.route().handler(this::drain);
        if (!settings.corsOrigins().isEmpty()) {
            router.route().handler(CorsHandler.create()
                    .addOrigins(settings.corsOrigins())
                    .allowedMethods(Set.of(HttpMethod.POST, HttpMethod.GET, HttpMethod.OPTIONS))
                    .allowedHeaders(Set.of("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "X-Request-Id"))
                    .exposedHeaders(Set.of("X-Request-Id", "Error-Code", "ETag", "Retry-After", "Idempotent-Replayed"))
                    .maxAgeSeconds(3600));
        }
        for (int status : new int[] {400, 401, 403, 404, 405, 413, 415, 500}) {
            router.errorHandler(status, errors);
        }
        return router;
    }

    private void drain(RoutingContext context) {
        if (draining.get() && context.request().version() != HttpVersion.HTTP_2) {
            context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        context.next();
    }

    private Future<HttpServer> listen(Router router, Map<String, Router> byHost, String key, int port) {
        HttpServer server = vertx.createHttpServer(options());
        servers.add(server);
        server
                .requestHandler(request -> {
                    String host = request.authority() == null ? "" : request.authority().host().toLowerCase();
                    byHost.getOrDefault(host, router).handle(request);
                })
                .invalidRequestHandler(new MalformedRequest());
        return CannotListen.listen(server, key, settings.host(), port);
    }

    private HttpServerOptions options() {
        HttpServerOptions options = new HttpServerOptions()
                .setIdleTimeout((int) settings.idle().toSeconds())
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setCompressionSupported(settings.compression())
                .setDecompressionSupported(false)
                .setMaxInitialLineLength(INITIAL_LINE_BYTES_MAX)
                .setMaxHeaderSize(HEADER_BYTES_MAX)
                .setTcpNoDelay(true)
                .setTcpFastOpen(false)
                .setHttp2ClearTextEnabled(true);
        options.getInitialSettings().setMaxConcurrentStreams(HTTP2_STREAMS_MAX);
        settings.tls().ifPresent(tls -> options
                .setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(tls.certificateFile().toString())
                        .setKeyPath(tls.keyFile().toString())));
        return options;
    }

    /** The port that the shared server really listens on. */
    public int port() {
        return servers.getLast().actualPort();
    }

    /** Ends the servers when the requests in flight are answered, at the latest after the given time. */
    public Future<Void> close(long waitMillis) {
        return Future.all(servers.stream().map(server -> server.shutdown(waitMillis, TimeUnit.MILLISECONDS)).toList()).mapEmpty();
    }
}
