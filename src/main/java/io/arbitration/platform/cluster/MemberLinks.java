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
 * Gives the links between members of Hazelcast what its free edition leaves out: TLS, with the secret of the cluster asked of
 * both sides. Uses the places that Hazelcast has for it, which are internal: another version of Hazelcast may move them, and
 * the tests of this package then fail.
 */
final class MemberLinks extends DefaultNodeContext implements MemberSocketInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(MemberLinks.class);

    private final ClusterIdentity identity;
    /** From the handshake until the connection is set up; one that ends between them is forgotten with its socket. */
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

    /** Encryption stands between the socket and everything else. */
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

    /** Throws, and with that the connection is closed. */
    private void secure(Socket socket, boolean client) throws IOException {
        MemberLink link = new MemberLink(identity.engine(client));
        try {
            link.handshake(socket);
        } catch (SSLException refused) {
            LOG.warn("cluster: no link with {}, which may have another cluster.secret: {}", socket.getRemoteSocketAddress(), refused.getMessage());
            throw refused;
        }
        links.put(socket, link);
    }
}
