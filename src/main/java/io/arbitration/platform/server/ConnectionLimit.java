package io.arbitration.platform.server;

import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.outbound.Cidr;
import io.arbitration.platform.request.ClientNetwork;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds the connections to the public server, and closes those whose first request does not begin in time. It does so where TCP
 * connections are accepted, because Vert.x reports a connection without TLS only when the head of its first request is complete (it may
 * be a request for HTTP/2). Without this a client could hold any number of connections open by sending a head byte by byte.
 */
public final class ConnectionLimit implements io.vertx.core.transport.Transport, Transport {

    private static final int PACE_WINDOW_SECONDS = 60;
    /**
     * The maximum that is read from a connection before other connections are served. By default it would be sixteen times as
     * much: thousands of small requests, for which every other connection of the event loop would wait.
     */
    private static final int READ_BYTES_MAX = 65_536;
    private static final int READ_BYTES_FIRST = 2048;
    private static final int READ_BYTES_MIN = 64;

    private final Transport transport = io.vertx.core.transport.Transport.NIO.implementation();
    private final RateLimiter newConnections;
    private final RateLimiter refusals;
    private final List<Cidr> trustedProxies;
    private final int paceBytesMin;
    private final int paceWindowSeconds;
    private final Duration headWait;
    private final OpenCounts connections;
    private final OpenCounts streams;
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();
    private final Map<Peer, ScheduledFuture<?>> withoutHead = new ConcurrentHashMap<>();

    private record Peer(String address, int port, int localPort) {}

    /**
     * Counts the connections to all guarded ports together. A connection beyond the bound is closed at once.
     *
     * @param newConnections of each address: with TLS a client makes the server work before it has worked itself
     * @param refusals of each address: after its connection was closed because it used them up, it gets a new one only when half
     *     of them are available again. Otherwise it could send as many requests as before, over many connections.
     */
    public ConnectionLimit(ServerSettings settings, RateLimiter newConnections, RateLimiter refusals) {
        this(settings, newConnections, refusals, PACE_WINDOW_SECONDS);
    }

    /** @param paceWindowSeconds the period over which the pace of a client is measured */
    ConnectionLimit(ServerSettings settings, RateLimiter newConnections, RateLimiter refusals, int paceWindowSeconds) {
        ServerTls.refuseRenegotiation();
        this.newConnections = newConnections;
        this.refusals = refusals;
        this.paceWindowSeconds = paceWindowSeconds;
        this.connections = new OpenCounts(settings.connectionsMax(), settings.connectionsPerAddress());
        this.streams = new OpenCounts(settings.streamsMax(), settings.streamsPerAddress());
        this.trustedProxies = settings.trustedProxies();
        this.paceBytesMin = settings.paceBytesMin();
        this.headWait = settings.head();
    }

    /** The number of open connections. */
    public AtomicInteger open() {
        return connections.open();
    }

    /** The open HTTP/2 requests of this node. */
    OpenCounts streams() {
        return streams;
    }

    /** From now on counts the connections to this port as well. */
    void guard(int port) {
        ports.add(port);
    }

    /** Ends the wait for the first request of a connection. From now on {@link Connections} closes it when it is idle. */
    void served(HttpConnection connection) {
        stopWaiting(new Peer(connection.remoteAddress().hostAddress(), connection.remoteAddress().port(), connection.localAddress().port()));
    }

    private void stopWaiting(Peer peer) {
        ScheduledFuture<?> waiting = withoutHead.remove(peer);
        if (waiting != null) {
            waiting.cancel(false);
        }
    }

    /** The network of the client, for the bound per address; empty for a trusted proxy, whose connections are those of many clients. */
    Optional<String> counted(InetAddress address) {
        return trustedProxies.stream().anyMatch(proxies -> proxies.contains(address)) ? Optional.empty() : Optional.of(ClientNetwork.of(address.getHostAddress()));
    }

    /** Takes a place for one more connection of a network, if there is one. */
    boolean admit(Optional<String> network) {
        if (network.isPresent() && (refusals.isUsedUp(network.get()) || !newConnections.tryAdmit(network.get()))) {
            return false;
        }
        return connections.admit(network);
    }

    void leave(Optional<String> network) {
        connections.leave(network);
    }

    @ChannelHandler.Sharable
    private final class Guard extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            Channel connection = (Channel) accepted;
            if (connection.localAddress() instanceof InetSocketAddress local && ports.contains(local.getPort())
                    && connection.remoteAddress() instanceof InetSocketAddress remote) {
                Optional<String> network = counted(remote.getAddress());
                if (!admit(network)) {
                    connection.unsafe().closeForcibly();
                    ReferenceCountUtil.release(accepted);
                    return;
                }
                connection.config().setRecvByteBufAllocator(
                        new AdaptiveRecvByteBufAllocator(READ_BYTES_MIN, READ_BYTES_FIRST, READ_BYTES_MAX).maxMessagesPerRead(1));
                connection.pipeline().addFirst(new AnswerPace(paceBytesMin, paceWindowSeconds));
                Peer peer = new Peer(remote.getAddress().getHostAddress(), remote.getPort(), local.getPort());
                withoutHead.put(peer, context.executor().schedule(() -> connection.close(), headWait.toMillis(), TimeUnit.MILLISECONDS));
                connection.closeFuture().addListener(closed -> {
                    leave(network);
                    stopWaiting(peer);
                });
            }
            context.fireChannelRead(accepted);
        }
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        transport.configure(options, domainSocket, bootstrap);
        bootstrap.handler(new Guard());
    }

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public boolean available() {
        return transport.isAvailable();
    }

    @Override
    public Throwable unavailabilityCause() {
        return transport.unavailabilityCause();
    }

    @Override
    public Transport implementation() {
        return this;
    }

    @Override
    public boolean supportsDomainSockets() {
        return transport.supportsDomainSockets();
    }

    @Override
    public java.net.SocketAddress convert(io.vertx.core.net.SocketAddress address) {
        return transport.convert(address);
    }

    @Override
    public io.vertx.core.net.SocketAddress convert(java.net.SocketAddress address) {
        return transport.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return transport.ioHandlerFactory();
    }

    @Override
    public DatagramChannel datagramChannel() {
        return transport.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation")
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return transport.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return transport.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return transport.serverChannelFactory(domainSocket);
    }
}
