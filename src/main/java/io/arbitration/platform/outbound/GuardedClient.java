package io.arbitration.platform.outbound;

import io.arbitration.platform.outbound.OutboundFailure.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/**
 * The HTTP client for URLs that users gave. It resolves the host itself, keeps the addresses that {@link AddressRules} allow, and connects
 * to exactly the address that it checked; so the name cannot resolve to another address between check and connection. Host header,
 * SNI and the check of the certificate use the name. The pool keeps connections by scheme, name, port and address, so each of them
 * leads to a checked address. Redirects are not followed, proxies of the environment are not used, time and size are bounded. Uses
 * HTTP/2 where the server offers it by ALPN.
 */
public final class GuardedClient {

    private static final int CONNECT_WAIT_MILLIS = 5000;
    private static final int TLS_WAIT_SECONDS = 5;
    private static final int KEPT_ALIVE_SECONDS = 30;
    /**
     * As many as a caller may have under way in all. Many URLs may share a host, and those that do not answer must not use up the
     * connections of the others. The caller bounds the requests to one URL.
     */
    private static final int CONNECTIONS_PER_PEER_MAX = 4096;
    /** Each connection carries as many streams as the server allows. */
    private static final int HTTP2_CONNECTIONS_PER_PEER_MAX = 16;
    private static final int WAITING_PER_PEER_MAX = 1024;
    /** Addresses of one name that are tried before the call fails. */
    private static final int ADDRESSES_TRIED_MAX = 3;

    private final Vertx vertx;
    private final AddressRules rules;
    private final Names names;
    private final HttpClient plain;
    private final HttpClient secure;
    private final Optional<DnsNames> ownNames;

    /** @param nameServers that resolve the names of hosts; empty: those of the machine */
    public GuardedClient(Vertx vertx, AddressRules rules, List<InetSocketAddress> nameServers) {
        this(vertx, rules, new DnsNames(vertx, nameServers), Optional.empty());
    }

    /** @param trust the authorities to trust; empty: those of the JDK */
    GuardedClient(Vertx vertx, AddressRules rules, Names names, Optional<TrustOptions> trust) {
        this.vertx = vertx;
        this.rules = rules;
        this.names = names;
        this.ownNames = names instanceof DnsNames dns ? Optional.of(dns) : Optional.empty();
        PoolOptions pool = new PoolOptions()
                .setHttp1MaxSize(CONNECTIONS_PER_PEER_MAX)
                .setHttp2MaxSize(HTTP2_CONNECTIONS_PER_PEER_MAX)
                .setMaxWaitQueueSize(WAITING_PER_PEER_MAX);
        this.plain = vertx.createHttpClient(options(), pool);
        HttpClientOptions tls = options()
                .setSsl(true)
                .setVerifyHost(true)
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setUseAlpn(true)
                .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
                .setSslHandshakeTimeout(TLS_WAIT_SECONDS)
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
        trust.ifPresent(tls::setTrustOptions);
        this.secure = vertx.createHttpClient(tls, pool);
    }

    private static HttpClientOptions options() {
        return new HttpClientOptions()
                .setConnectTimeout(CONNECT_WAIT_MILLIS)
                .setKeepAlive(true)
                .setKeepAliveTimeout(KEPT_ALIVE_SECONDS)
                .setHttp2KeepAliveTimeout(KEPT_ALIVE_SECONDS)
                .setTcpNoDelay(true)
                .setMaxHeaderSize(16_384)
                .setMaxInitialLineLength(4096)
                .setDecompressionSupported(false);
    }

    /**
     * The addresses of the target that may be called, in the order to try them.
     *
     * @return fails with {@link OutboundFailure} when the name has no address, or none that may be called
     */
    public Future<List<InetAddress>> check(TargetUrl target) {
        if (target.address().isPresent()) {
            return permitted(target, List.of(target.address().get()));
        }
        return names.resolve(target.host())
                .recover(unknown -> Future.failedFuture(new OutboundFailure(Kind.NAME_NOT_RESOLVED,
                        "the host name %s cannot be resolved".formatted(target.host()))))
                .compose(addresses -> permitted(target, addresses));
    }

    private Future<List<InetAddress>> permitted(TargetUrl target, List<InetAddress> addresses) {
        List<InetAddress> permitted = addresses.stream()
                .filter(address -> rules.refusal(address, target.port()).isEmpty())
                .filter(address -> target.secure() || rules.isExempt(address))
                .limit(ADDRESSES_TRIED_MAX)
                .toList();
        if (!permitted.isEmpty()) {
            return Future.succeededFuture(permitted);
        }
        Optional<String> refused = addresses.stream().map(address -> rules.refusal(address, target.port())).flatMap(Optional::stream).findFirst();
        boolean own = addresses.stream().anyMatch(address -> rules.isManagementPort(address, target.port()));
        return Future.failedFuture(new OutboundFailure(own ? Kind.OWN_PORT : Kind.REFUSED_ADDRESS, refused
                .map(what -> "the host leads to %s, which is not called".formatted(what))
                .orElse("must be https: plain http is not called")));
    }

    /**
     * Sends a request. An answer with any status is a success.
     *
     * @return fails only with {@link OutboundFailure}
     */
    public Future<OutboundAnswer> send(OutboundRequest request) {
        return send(request, Future.future(never -> {}));
    }

    /**
     * The same for an exchange that may have to end before its time.
     *
     * @param end ends it when it completes, with the reason; completed on the context of the caller
     */
    public Future<OutboundAnswer> send(OutboundRequest request, Future<String> end) {
        Exchange exchange = new Exchange(request);
        end.onSuccess(reason -> exchange.fail(new OutboundFailure(Kind.TIMEOUT, reason)));
        check(request.target()).onComplete(addresses -> exchange.connect(addresses, 0), exchange::fail);
        return exchange.promise.future();
    }

    public Future<Void> close() {
        ownNames.ifPresent(DnsNames::close);
        return Future.join(plain.close(), secure.close()).mapEmpty();
    }

    /** One request until its answer, its failure or the end of its time, whichever is first. */
    private final class Exchange {

        private final OutboundRequest request;
        private final Promise<OutboundAnswer> promise = Promise.promise();
        private final long timer;
        private final Buffer body = Buffer.buffer();
        private HttpClientRequest sent;
        private boolean ended;

        Exchange(OutboundRequest request) {
            this.request = request;
            this.timer = vertx.setTimer(request.within().toMillis(), late -> fail(new OutboundFailure(Kind.TIMEOUT,
                    "the exchange did not end within %d ms".formatted(request.within().toMillis()))));
        }

        void connect(List<InetAddress> addresses, int at) {
            if (ended) {
                return;
            }
            TargetUrl target = request.target();
            RequestOptions options = new RequestOptions()
                    .setMethod(request.method())
                    .setServer(SocketAddress.inetSocketAddress(target.port(), addresses.get(at).getHostAddress()))
                    .setHost(target.host())
                    .setPort(target.port())
                    .setSsl(target.secure())
                    .setURI(target.pathAndQuery())
                    .setFollowRedirects(false);
            (target.secure() ? secure : plain).request(options).onComplete(this::write, failed -> {
                boolean unreached = failed instanceof ConnectException || failed.getCause() instanceof ConnectException;
                if (unreached && at + 1 < addresses.size()) {
                    connect(addresses, at + 1);
                } else {
                    fail(failed);
                }
            });
        }

        private void write(HttpClientRequest open) {
            sent = open;
            if (ended) {
                open.reset();
                return;
            }
            request.headers().forEach(open::putHeader);
            open.response().onComplete(this::read, this::fail);
            open.exceptionHandler(this::fail);
            open.end(request.body());
        }

        private void read(HttpClientResponse response) {
            response.exceptionHandler(this::fail);
            response.handler(chunk -> {
                int left = request.responseBytesMax() - body.length();
                body.appendBuffer(chunk.length() <= left ? chunk : chunk.slice(0, left));
                if (chunk.length() > left && end()) {
                    sent.reset();
                    promise.complete(new OutboundAnswer(response.statusCode(), response.headers(), body, true));
                }
            });
            response.endHandler(whole -> {
                if (end()) {
                    promise.complete(new OutboundAnswer(response.statusCode(), response.headers(), body, false));
                }
            });
        }

        private void fail(Throwable failed) {
            if (end()) {
                if (sent != null) {
                    sent.reset();
                }
                promise.fail(failed instanceof OutboundFailure known ? known : failure(failed));
            }
        }

        private boolean end() {
            if (ended) {
                return false;
            }
            ended = true;
            vertx.cancelTimer(timer);
            return true;
        }
    }

    private static OutboundFailure failure(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return new OutboundFailure(Kind.TLS, "TLS failed: " + cause.getMessage());
            }
        }
        String message = String.valueOf(failed.getMessage());
        if (failed instanceof ConnectException) {
            return new OutboundFailure(Kind.CONNECT, message.contains("refused") ? "the connection was refused" : "the connection failed");
        }
        return new OutboundFailure(Kind.BROKEN, message.isBlank() ? failed.getClass().getSimpleName() : message);
    }
}
