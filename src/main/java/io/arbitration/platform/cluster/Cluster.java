package io.arbitration.platform.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.SocketInterceptorConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import io.arbitration.platform.PartState;
import io.arbitration.platform.StartFailure;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Creates a Vert.x whose event bus is shared with other nodes. Hazelcast maintains the list of members and of the addresses for
 * which they have listeners; messages use the event bus's own connections. Both kinds of connections use TLS 1.3 and accept only
 * members with the cluster's secret ({@link ClusterIdentity}). No work of the platform depends on membership: nodes claim it in
 * PostgreSQL.
 */
public final class Cluster {

    private static final Duration START_MOST = Duration.ofSeconds(60);
    private static final String NODE_ID = "__vertx.nodeId";
    /** Packages of the Java objects that members may send to each other: Hazelcast's, the JDK's exceptions, and the cluster manager's. */
    private static final String[] SENT = {"com.hazelcast.", "java.lang.", "java.util.", "java.io.", "io.vertx.spi.cluster.hazelcast.",
            // The stack trace of an exception is an array. Without it the answer "not joined yet" cannot be read, and the start hangs.
            "[Lcom.hazelcast.", "[Ljava.lang.", "[Ljava.util."};
    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            Map.entry("hazelcast.phone.home.enabled", "false"),
            Map.entry("hazelcast.shutdownhook.enabled", "false"),
            Map.entry("hazelcast.socket.bind.any", "false"),
            Map.entry("hazelcast.wait.seconds.before.join", "1"),
            Map.entry("hazelcast.max.join.seconds", "15"),
            // A member that sends nothing for this long is removed. When its connection breaks, it is removed at once.
            Map.entry("hazelcast.heartbeat.interval.seconds", "1"),
            Map.entry("hazelcast.max.no.heartbeat.seconds", "10"),
            // How often the parts of a split cluster try to join each other again.
            Map.entry("hazelcast.merge.first.run.delay.seconds", "5"),
            Map.entry("hazelcast.merge.next.run.delay.seconds", "5"),
            Map.entry("hazelcast.graceful.shutdown.max.wait", "5"),
            // Hazelcast's defaults for threads and partitions suit millions of entries; here it holds a few hundred.
            Map.entry("hazelcast.partition.count", "31"),
            Map.entry("hazelcast.operation.thread.count", "2"),
            Map.entry("hazelcast.operation.generic.thread.count", "2"),
            Map.entry("hazelcast.io.thread.count", "1"),
            Map.entry("hazelcast.event.thread.count", "1"),
            Map.entry("hazelcast.clientengine.thread.count", "1"),
            Map.entry("hazelcast.clientengine.query.thread.count", "1"),
            Map.entry("hazelcast.clientengine.blocking.thread.count", "1"),
            // It would need access to internal modules of the JDK, and is not used here.
            Map.entry("hazelcast.io.optimizeselector", "false"),
            Map.entry("hazelcast.metrics.enabled", "false"));

    private final HazelcastInstance hazelcast;
    private final Vertx vertx;
    private final ClusterSettings settings;
    private final String secretCheck;

    private Cluster(HazelcastInstance hazelcast, Vertx vertx, ClusterSettings settings, String secretCheck) {
        this.hazelcast = hazelcast;
        this.vertx = vertx;
        this.settings = settings;
        this.secretCheck = secretCheck;
    }

    /**
     * Joins the members that answer. If none answers, this node is the first member. Blocks.
     *
     * @param options for the Vert.x; the options of its event bus are set here
     * @throws StartFailure when an address or port cannot be used
     */
    public static Cluster join(ClusterSettings settings, VertxBuilder builder, VertxOptions options) {
        ClusterIdentity identity = ClusterIdentity.of(settings.secret());
        HazelcastInstance hazelcast = hazelcast(settings, identity);
        try {
            // With a public address Hazelcast would bind to that address, which may not belong to this machine.
            String host = settings.publicHost().isPresent() ? "0.0.0.0"
                    : hazelcast.getCluster().getLocalMember().getSocketAddress().getAddress().getHostAddress();
            Vertx vertx = builder.with(options.setEventBusOptions(bus(settings, identity, host)))
                    .withClusterManager(new HazelcastClusterManager(hazelcast))
                    .buildClustered().toCompletionStage().toCompletableFuture().orTimeout(START_MOST.toSeconds(), TimeUnit.SECONDS).join();
            // Bodies are JSON, text, bytes and numbers. Serialized Java objects are refused: reading them could run code.
            vertx.eventBus().serializableChecker(className -> false).clusterSerializableChecker(className -> false);
            return new Cluster(hazelcast, vertx, settings, identity.check());
        } catch (RuntimeException failed) {
            hazelcast.shutdown();
            Throwable cause = failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
            throw new StartFailure(StartFailure.FAILED, "cluster.busPort: the event bus cannot listen on port %d: %s"
                    .formatted(settings.busPort(), cause.getMessage()), failed);
        }
    }

    private static HazelcastInstance hazelcast(ClusterSettings settings, ClusterIdentity identity) {
        // Hazelcast reads this property before it has a configuration.
        System.setProperty("hazelcast.logging.type", "slf4j");
        MemberLinks links = new MemberLinks(identity);
        try {
            return HazelcastInstanceFactory.newHazelcastInstance(config(settings, identity, links), "acp-" + UUID.randomUUID(), links);
        } catch (RuntimeException failed) {
            throw new StartFailure(StartFailure.FAILED, "cluster.port: this node cannot join the cluster at %s, port %d: %s"
                    .formatted(settings.host().orElse("the address of this machine"), settings.port(), failed.getMessage()), failed);
        }
    }

    private static Config config(ClusterSettings settings, ClusterIdentity identity, MemberLinks links) {
        Config config = new Config().setClusterName(identity.clusterName());
        PROPERTIES.forEach(config::setProperty);
        config.getMemberAttributeConfig().setAttribute(NODE_ID, UUID.randomUUID().toString());
        config.addMultiMapConfig(new MultiMapConfig("__vertx.subs").setBackupCount(2).setValueCollectionType(MultiMapConfig.ValueCollectionType.SET));
        config.addMapConfig(new MapConfig("__vertx.*").setBackupCount(2));
        config.getJetConfig().setEnabled(false);
        JavaSerializationFilterConfig filter = new JavaSerializationFilterConfig().setDefaultsDisabled(true);
        filter.getWhitelist().addPrefixes(SENT);
        config.getSerializationConfig().setJavaSerializationFilterConfig(filter);
        NetworkConfig network = config.getNetworkConfig().setPort(settings.port()).setPortAutoIncrement(false);
        network.setSocketInterceptorConfig(new SocketInterceptorConfig().setEnabled(true).setImplementation(links));
        settings.host().ifPresent(host -> network.getInterfaces().setEnabled(true).addInterface(host));
        settings.publicHost().ifPresent(host -> network.setPublicAddress(host + ":" + settings.port()));
        join(settings, network.getJoin());
        return config;
    }

    private static void join(ClusterSettings settings, JoinConfig join) {
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        if (settings.kubernetesService().isPresent()) {
            join.getKubernetesConfig().setEnabled(true).setProperty("service-dns", settings.kubernetesService().get())
                    .setProperty("service-port", String.valueOf(settings.port()));
        } else {
            join.getTcpIpConfig().setEnabled(true).setConnectionTimeoutSeconds(2).setMembers(settings.members().stream()
                    .map(member -> member.matches(".*:[0-9]{1,5}") ? member : member + ":" + settings.port()).toList());
        }
    }

    private static EventBusOptions bus(ClusterSettings settings, ClusterIdentity identity, String host) {
        EventBusOptions bus = new EventBusOptions().setHost(settings.host().orElse(host)).setPort(settings.busPort())
                .setClusterPingInterval(5000).setClusterPingReplyInterval(5000)
                .setSsl(true).setClientAuth(ClientAuth.REQUIRED).setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
                .setKeyCertOptions(identity.store()).setTrustOptions(identity.store());
        bus.setConnectTimeout(2000).setSslHandshakeTimeout(3);
        settings.publicHost().ifPresent(bus::setClusterPublicHost);
        return bus;
    }

    public Vertx vertx() {
        return vertx;
    }

    /** A value that is the same on all nodes with the same secret. The secret cannot be computed from it. */
    public String secretCheck() {
        return secretCheck;
    }

    /** The addresses of all members, including this node. */
    public Set<String> members() {
        return hazelcast.getCluster().getMembers().stream().map(member -> member.getSocketAddress())
                .map(Cluster::text).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /** {@code UP}, {@code ALONE} if other members are configured and none is connected, or {@code DOWN}. */
    public PartState state() {
        if (!hazelcast.getLifecycleService().isRunning()) {
            return new PartState("DOWN", Optional.of("membership has ended, as it does when joining again fails; start this node again"));
        }
        List<String> expected = settings.kubernetesService().map(List::of).orElse(settings.members());
        return members().size() > 1 || expected.isEmpty() ? PartState.of("UP")
                : new PartState("ALONE", Optional.of("no other member is seen, expected at " + String.join(", ", expected)));
    }

    /** Leaves the cluster. To be called when its Vert.x is closed. Blocks for some seconds at most. */
    public void leave() {
        hazelcast.shutdown();
    }
}
