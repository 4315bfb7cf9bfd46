package io.arbitration.platform.outbound;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import io.vertx.core.tracing.TracingPolicy;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP proxy by which alone a browser reaches the network. For each request and each tunnel it resolves the host itself, keeps the
 * addresses that {@link AddressRules} allow, and connects to exactly the address that it checked. So a DNS answer that changes, a
 * redirect or an unusual form of an address cannot lead into the operator's network. A refused request is answered with a status and
 * without a body.
 *
 * <p>Each page gets a {@link Listener} with a port or socket of its own. It has the bounds of this page, connections to servers of its own,
 * so that no page can hold those of others, and is closed with it.
 */
public final class EgressProxy {

    private static final Logger LOG = LoggerFactory.getLogger(EgressProxy.class);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int PORT_MAX = 65_535;
    private static final int CONNECT_WAIT_MILLIS = 5000;
    private static final int IDLE_SECONDS = 30;
    private static final int HEADER_BYTES_MAX = 64 * 1024;
    private static final int LINE_BYTES_MAX = 64 * 1024;
    private static final int ADDRESSES_TRIED_MAX = 3;
    private static final int CONNECTIONS_PER_PEER_MAX = 64;
    private static final int WAITING_PER_PEER_MAX = 256;
    private static final int REFUSED = 403;
    private static final int UNREACHED = 502;
    private static final int TOO_MANY = 503;
    private static final Pattern ABSOLUTE = Pattern.compile("(?i)http://([^/?#]+)([^#]*)");
    /** Headers that are not passed on, besides those that {@code Connection} names (RFC 9110, section 7.6.1). */
    private static final Set<String> HOP_BY_HOP = Set.of("connection", "proxy-connection", "keep-alive", "te", "trailer", "transfer-encoding",
            "upgrade", "proxy-authenticate", "proxy-authorization");

    /**
     * What one page may use.
     *
     * @param connections to the proxy, open at once
     * @param bytes in both directions together; beyond it all connections are closed
     */
    public record Bounds(int connections, long bytes) {}

    private final Vertx vertx;
    private final Names names;
    private final AddressRules rules;
    private final Bounds bounds;
    private final NetClient tunnels;
    private final AtomicInteger socketPorts = new AtomicInteger();

    /** @param nameServers that resolve the names of hosts; empty: those of the machine */
    public EgressProxy(Vertx vertx, AddressRules rules, List<InetSocketAddress> nameServers, Bounds bounds) {
        this(vertx, rules, new DnsNames(vertx, nameServers), bounds);
    }

    EgressProxy(Vertx vertx, AddressRules rules, Names names, Bounds bounds) {
        this.vertx = vertx;
        this.rules = rules;
        this.names = names;
        this.bounds = bounds;
        this.tunnels = vertx.createNetClient(new NetClientOptions().setConnectTimeout(CONNECT_WAIT_MILLIS).setTcpNoDelay(true));
    }

    /** Opens a listener for one page; the caller closes it. Must be called on a Vert.x context; the listener runs on that context. */
    public Future<Listener> open() {
        Listener listener = new Listener(Optional.empty());
        return listener.server.listen(0, LOOPBACK).map(listener);
    }

    /** Opens a listener for a browser without a network: at a Unix-domain socket in the folder, whose name is the port of the listener. */
    public Future<Listener> open(Path folder) {
        int port = socketPorts.updateAndGet(last -> last % PORT_MAX + 1);
        Path socket = folder.resolve(String.valueOf(port));
        Listener listener = new Listener(Optional.of(socket));
        return listener.server.listen(SocketAddress.domainSocketAddress(socket.toString())).map(listener);
    }

    /** Closes the tunnels and the resolver. The callers of {@link #open()} close their listeners. */
    public Future<Void> close() {
        if (names instanceof DnsNames own) {
            own.close();
        }
        return tunnels.close();
    }

    private Future<List<InetAddress>> permitted(TargetUrl target) {
        Future<List<InetAddress>> found = target.address().isPresent()
                ? Future.succeededFuture(List.of(target.address().get()))
                : names.resolve(target.host()).recover(unknown -> Future.failedFuture(
                        new Refused(UNREACHED, "the host name %s cannot be resolved".formatted(target.host()))));
        return found.compose(addresses -> {
            List<InetAddress> permitted = addresses.stream().filter(address -> rules.refusal(address, target.port()).isEmpty()).limit(ADDRESSES_TRIED_MAX).toList();
            return permitted.isEmpty()
                    ? Future.failedFuture(new Refused(REFUSED, "%s leads to %s".formatted(target.host(),
                            rules.refusal(addresses.getFirst(), target.port()).orElse("no address"))))
                    : Future.succeededFuture(permitted);
        });
    }

    /** Connects to the first address, or to the next one when the connection cannot be made. */
    private static <T> Future<T> first(TargetUrl target, List<InetAddress> addresses, BiFunction<TargetUrl, InetAddress, Future<T>> connect) {
        return connect.apply(target, addresses.getFirst()).recover(failed -> {
            boolean unreached = failed instanceof ConnectException || failed.getCause() instanceof ConnectException;
            return unreached && addresses.size() > 1
                    ? first(target, addresses.subList(1, addresses.size()), connect)
                    : Future.failedFuture(failed instanceof Refused ? failed : new Refused(UNREACHED, "%s: %s".formatted(target.host(), failed.getMessage())));
        });
    }

    /** Why a request was not passed on. The browser gets only the status. */
    private static final class Refused extends RuntimeException {
        private final int status;

        Refused(int status, String message) {
            super(message, null, false, false);
            this.status = status;
        }
    }

    /** The proxy of one page. Runs on the context on which it was opened. */
    public final class Listener {

        private final HttpServer server;
        private final HttpClient http;
        private final Optional<Path> socket;
        private final Set<HttpConnection> connections = new HashSet<>();
        private final Set<NetSocket> upstream = new HashSet<>();
        private final Set<HttpClientRequest> requests = new HashSet<>();
        private long bytes;
        private int refusals;
        private boolean closed;

        private Listener(Optional<Path> socket) {
            this.socket = socket;
            // A connection for each request: a server may end one that is kept just when the next request is sent, which then fails.
            this.http = vertx.createHttpClient(new HttpClientOptions().setConnectTimeout(CONNECT_WAIT_MILLIS).setKeepAlive(false)
                    .setMaxHeaderSize(HEADER_BYTES_MAX).setMaxInitialLineLength(LINE_BYTES_MAX).setDecompressionSupported(false).setTracingPolicy(TracingPolicy.IGNORE),
                    new PoolOptions().setHttp1MaxSize(CONNECTIONS_PER_PEER_MAX).setMaxWaitQueueSize(WAITING_PER_PEER_MAX));
            this.server = vertx.createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false).setTracingPolicy(TracingPolicy.IGNORE).setIdleTimeout(IDLE_SECONDS)
                            .setMaxHeaderSize(HEADER_BYTES_MAX).setMaxInitialLineLength(LINE_BYTES_MAX).setCompressionSupported(false))
                    .connectionHandler(this::count)
                    .requestHandler(this::take)
                    .exceptionHandler(broken -> LOG.debug("a connection from a browser broke: {}", broken.getMessage()));
        }

        /** Its port on the loopback interface, or the number that names its socket. */
        public int port() {
            return socket.map(path -> Integer.parseInt(path.getFileName().toString())).orElseGet(server::actualPort);
        }

        /** The number of requests and tunnels that were refused because of their address. */
        public int refusals() {
            return refusals;
        }

        private void count(HttpConnection connection) {
            if (closed || connections.size() >= bounds.connections()) {
                LOG.debug("a connection beyond the bound of {} was closed", bounds.connections());
                connection.close();
                return;
            }
            connections.add(connection);
            connection.closeHandler(gone -> connections.remove(connection));
        }

        private void take(HttpServerRequest request) {
            request.pause();
            if (closed || !connections.contains(request.connection())) {
                answer(request, TOO_MANY);
                return;
            }
            (HttpMethod.CONNECT.equals(request.method()) ? tunnel(request) : forward(request)).onFailure(failed -> {
                LOG.debug("{} {} was not passed on: {}", request.method(), request.uri(), failed.getMessage());
                int status = failed instanceof Refused refused ? refused.status : UNREACHED;
                refusals += status == REFUSED ? 1 : 0;
                answer(request, status);
            });
        }

        private static void answer(HttpServerRequest request, int status) {
            if (request.response().headWritten() || request.response().ended() || request.response().closed()) {
                request.connection().close();
                return;
            }
            request.response().setStatusCode(status).putHeader(HttpHeaders.CONNECTION, "close").end().onComplete(sent -> request.connection().close());
        }

        private TargetUrl target(String scheme, String authority) {
            try {
                return TargetUrl.parse(scheme + "://" + authority + "/");
            } catch (UnsafeUrl unsafe) {
                throw new Refused(REFUSED, unsafe.getMessage());
            }
        }

        private Future<Void> tunnel(HttpServerRequest request) {
            TargetUrl target;
            try {
                target = target("https", request.uri());
            } catch (Refused refused) {
                return Future.failedFuture(refused);
            }
            return permitted(target)
                    .compose(addresses -> first(target, addresses, (host, address) ->
                            tunnels.connect(SocketAddress.inetSocketAddress(host.port(), address.getHostAddress()))))
                    .compose(outside -> {
                        outside.pause();
                        if (closed) {
                            outside.close();
                            return Future.failedFuture(new Refused(TOO_MANY, "the page has ended"));
                        }
                        upstream.add(outside);
                        return request.toNetSocket().map(inside -> join(inside, outside)).onFailure(failed -> outside.close());
                    });
        }

        private Void join(NetSocket inside, NetSocket outside) {
            relay(inside, outside);
            relay(outside, inside);
            inside.closeHandler(gone -> outside.close());
            outside.closeHandler(gone -> {
                upstream.remove(outside);
                inside.close();
            });
            inside.resume();
            outside.resume();
            return null;
        }

        private void relay(NetSocket from, NetSocket to) {
            pass(from, to);
            from.endHandler(end -> to.end());
            from.exceptionHandler(broken -> from.close());
        }

        private void pass(ReadStream<Buffer> from, WriteStream<Buffer> to) {
            from.handler(block -> {
                if (!spend(block.length())) {
                    return;
                }
                to.write(block);
                if (to.writeQueueFull()) {
                    from.pause();
                    to.drainHandler(ready -> from.resume());
                }
            });
        }

        /** Counts bytes. Closes all connections and answers false when the page has used up its bytes. */
        private boolean spend(int length) {
            bytes += length;
            if (bytes > bounds.bytes() && !closed) {
                LOG.info("a page was stopped after {} bytes", bounds.bytes());
                close();
            }
            return !closed;
        }

        private Future<Void> forward(HttpServerRequest request) {
            Matcher absolute = ABSOLUTE.matcher(request.uri());
            if (!absolute.matches()) {
                return Future.failedFuture(new Refused(REFUSED, "not an http address"));
            }
            TargetUrl target;
            try {
                target = target("http", absolute.group(1));
            } catch (Refused refused) {
                return Future.failedFuture(refused);
            }
            String rest = absolute.group(2);
            String path = rest.startsWith("/") ? rest : "/" + rest;
            return permitted(target)
                    .compose(addresses -> first(target, addresses, (host, address) -> http.request(new RequestOptions()
                            .setMethod(request.method()).setHost(host.host()).setPort(host.port()).setURI(path)
                            .setServer(SocketAddress.inetSocketAddress(host.port(), address.getHostAddress())))))
                    .compose(outside -> exchange(request, outside));
        }

        private Future<Void> exchange(HttpServerRequest inside, HttpClientRequest outside) {
            if (closed || inside.response().closed()) {
                outside.reset();
                return Future.failedFuture(new Refused(TOO_MANY, "the page has ended"));
            }
            requests.add(outside);
            inside.connection().closeHandler(gone -> {
                connections.remove(inside.connection());
                outside.reset();
            });
            copy(inside.headers(), outside.headers());
            if (inside.getHeader(HttpHeaders.CONTENT_LENGTH) == null && inside.getHeader(HttpHeaders.TRANSFER_ENCODING) != null) {
                outside.setChunked(true);
            }
            outside.exceptionHandler(broken -> LOG.debug("a request broke: {}", broken.getMessage()));
            pass(inside, outside);
            inside.endHandler(end -> outside.end());
            inside.exceptionHandler(broken -> outside.reset());
            Future<Void> answered = outside.response().compose(response -> back(response, inside)).onComplete(done -> requests.remove(outside));
            inside.resume();
            return answered;
        }

        private Future<Void> back(HttpClientResponse response, HttpServerRequest inside) {
            inside.response().setStatusCode(response.statusCode());
            copy(response.headers(), inside.response().headers());
            boolean bodiless = HttpMethod.HEAD.equals(inside.method()) || response.statusCode() == 204 || response.statusCode() == 304;
            if (!bodiless && response.getHeader(HttpHeaders.CONTENT_LENGTH) == null) {
                inside.response().setChunked(true);
            }
            pass(response, inside.response());
            return response.end().compose(end -> inside.response().end());
        }

        private static void copy(MultiMap from, MultiMap to) {
            Set<String> left = new HashSet<>(HOP_BY_HOP);
            from.getAll(HttpHeaders.CONNECTION).forEach(named -> {
                for (String name : named.split(",")) {
                    left.add(name.strip().toLowerCase(Locale.ROOT));
                }
            });
            from.forEach((name, value) -> {
                if (!left.contains(name.toLowerCase(Locale.ROOT))) {
                    to.add(name, value);
                }
            });
        }

        /** Closes all connections of the page, and accepts no more. */
        public Future<Void> close() {
            closed = true;
            List.copyOf(requests).forEach(HttpClientRequest::reset);
            List.copyOf(upstream).forEach(NetSocket::close);
            List.copyOf(connections).forEach(HttpConnection::close);
            return Future.join(http.close(), server.close()).<Void>mapEmpty().eventually(() -> socket.isEmpty() ? Future.succeededFuture()
                    : vertx.fileSystem().delete(socket.get().toString()).onFailure(left -> LOG.debug("a socket was left: {}", left.getMessage())).otherwiseEmpty());
        }
    }
}
