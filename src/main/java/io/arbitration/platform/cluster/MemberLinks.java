package io.arbitration.platform.cluster;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.server.tcp.UnifiedChannelInitializer;
import com.hazelcast.nio.MemberSocketInterceptor;
import java.io.IOException;
import java.net.Socket;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.WeakHashMap;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds mutual TLS to the connections between members of Hazelcast, which its free edition does not have. Uses internal classes of
 * Hazelcast. Another version of Hazelcast may change them; the tests of this package fail then.
 */
final class MemberLinks extends DefaultNodeContext implements MemberSocketInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(MemberLinks.class);

    private final ClusterIdentity identity;
    /** Connections between handshake and setup. Weak keys, so that a connection that ends in between is removed with its socket. */
    private final Map<Socket, MemberLink> links = Collections.synchronizedMap(new WeakHashMap<>());

    MemberLinks(ClusterIdentity identity) {
        this.identity = identity;
    }

    @Override
    public NodeExtension createNodeExtension(Node node) {
        return new DefaultNodeExtension(node) {
            @Override
            public MemberSocketInterceptor getSocketInterceptor(EndpointQualifier qualifier) {
                return MemberLinks.this;
            }

            @Override
            public Function<EndpointQualifier, ChannelInitializer> createChannelInitializerFn(ServerContext context) {
                ChannelInitializer initializer = secured(new UnifiedChannelInitializer(context));
                return qualifier -> initializer;
            }
        };
    }

    /** Adds decryption as the first step after the socket, and encryption as the last step before it. */
    private ChannelInitializer secured(ChannelInitializer rest) {
        return channel -> {
            MemberLink link = links.remove(channel.socket());
            if (link == null) {
                throw new IOException("a connection without TLS");
            }
            channel.inboundPipeline().addLast(link.decrypting());
            rest.initChannel(channel);
            channel.outboundPipeline().addLast(link.encrypting());
        };
    }

    @Override
    public void init(Properties properties) {
        // There is nothing to set.
    }

    @Override
    public void onAccept(Socket socket) throws IOException {
        secure(socket, false);
    }

    @Override
    public void onConnect(Socket socket) throws IOException {
        secure(socket, true);
    }

    /** Does the handshake. Hazelcast closes the connection when this throws. */
    private void secure(Socket socket, boolean client) throws IOException {
        MemberLink link = new MemberLink(identity.engine(client));
        try {
            link.handshake(socket);
        } catch (SSLException refused) {
            LOG.warn("cluster: connecting to {} failed; it may have another cluster.secret: {}", socket.getRemoteSocketAddress(), refused.getMessage());
            throw refused;
        }
        links.put(socket, link);
    }
}
