package io.arbitration.platform.outbound;

import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Resolves names by the hosts file and by name servers, without blocking a thread: a name server that does not answer delays only
 * the names that it is asked for. Answers are cached for their time to live, {@value #KEPT_SECONDS_MAX} s at most.
 */
final class DnsNames implements Names {

    private static final int QUERY_WAIT_MILLIS = 2000;
    private static final int QUERIES_MAX = 8;
    private static final int KEPT_SECONDS_MAX = 30;
    private static final int FAILURE_KEPT_SECONDS = 2;

    private final Vertx vertx;
    private final DnsNameResolver resolver;

    /** @param servers name servers, asked in this order when one does not answer; empty: those of the machine */
    DnsNames(Vertx vertx, List<InetSocketAddress> servers) {
        this.vertx = vertx;
        DnsNameResolverBuilder builder = new DnsNameResolverBuilder(((VertxInternal) vertx).nettyEventLoopGroup().next());
        if (!servers.isEmpty()) {
            builder.nameServerProvider(new SequentialDnsServerAddressStreamProvider(servers));
        }
        this.resolver = builder
                .datagramChannelType(NioDatagramChannel.class)
                .resolvedAddressTypes(ResolvedAddressTypes.IPV4_PREFERRED)
                .queryTimeoutMillis(QUERY_WAIT_MILLIS)
                .maxQueriesPerResolve(QUERIES_MAX)
                .ttl(0, KEPT_SECONDS_MAX)
                .negativeTtl(FAILURE_KEPT_SECONDS)
                // A search domain would turn a name that a user gave into a name of the operator's network.
                .searchDomains(List.of())
                .build();
    }

    @Override
    public Future<List<InetAddress>> resolve(String host) {
        Context context = vertx.getOrCreateContext();
        Promise<List<InetAddress>> promise = Promise.promise();
        resolver.resolveAll(host).addListener(answer -> context.runOnContext(ignored -> {
            if (answer.isSuccess()) {
                @SuppressWarnings("unchecked")
                List<InetAddress> addresses = (List<InetAddress>) answer.getNow();
                promise.complete(addresses);
            } else {
                promise.fail(answer.cause());
            }
        }));
        return promise.future();
    }

    void close() {
        resolver.close();
    }
}
