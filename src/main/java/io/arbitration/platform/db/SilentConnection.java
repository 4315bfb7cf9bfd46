package io.arbitration.platform.db;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateEvent;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Closes the socket of a connection that has brought nothing for too long. The driver by itself takes leave of the server and waits until the
 * server ends the connection, which a machine without power never does: the statement would wait until TCP gives up, a quarter of an hour
 * later, and keep its place in the pool.
 */
final class SilentConnection extends ChannelInboundHandlerAdapter {

    /** The name of the handler with which Vert.x tells that nothing was read for so long. */
    private static final String IDLE = "idle";

    private SilentConnection() {}

    /** The same for a driver that is to be watched: its sockets are, before it has sent the first byte over them. */
    static Vertx watching(Vertx vertx) {
        return new WatchingVertx((VertxInternal) vertx);
    }

    private static NetSocket watch(NetSocket socket) {
        ChannelPipeline pipeline = ((NetSocketInternal) socket).channelHandlerContext().pipeline();
        // Before the driver's handlers, which are not there yet, so that closing does not pass them. A socket that has ended has none of them.
        if (pipeline.get(IDLE) != null) {
            pipeline.addAfter(IDLE, null, new SilentConnection());
        }
        return socket;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent) {
            context.close();
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    /** Hands the driver network clients whose sockets are watched. */
    private static final class WatchingVertx extends VertxWrapper {

        WatchingVertx(VertxInternal vertx) {
            super(vertx);
        }

        @Override
        public NetClient createNetClient(NetClientOptions options) {
            return new WatchingClient(super.createNetClient(options));
        }
    }

    private record WatchingClient(NetClient client) implements NetClient {

        @Override
        public Future<NetSocket> connect(int port, String host) {
            return client.connect(port, host).map(SilentConnection::watch);
        }

        @Override
        public Future<NetSocket> connect(int port, String host, String serverName) {
            return client.connect(port, host, serverName).map(SilentConnection::watch);
        }

        @Override
        public Future<NetSocket> connect(SocketAddress address) {
            return client.connect(address).map(SilentConnection::watch);
        }

        @Override
        public Future<NetSocket> connect(SocketAddress address, String serverName) {
            return client.connect(address, serverName).map(SilentConnection::watch);
        }

        @Override
        public Future<NetSocket> connect(ConnectOptions options) {
            return client.connect(options).map(SilentConnection::watch);
        }

        @Override
        public Future<Void> shutdown(long timeout, TimeUnit unit) {
            return client.shutdown(timeout, unit);
        }

        @Override
        public Future<Boolean> updateSSLOptions(ClientSSLOptions options, boolean force) {
            return client.updateSSLOptions(options, force);
        }

        @Override
        public boolean isMetricsEnabled() {
            return client.isMetricsEnabled();
        }
    }
}
