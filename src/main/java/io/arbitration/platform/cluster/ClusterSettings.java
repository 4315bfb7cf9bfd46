package io.arbitration.platform.cluster;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the shared event bus. {@link #toString} omits the secret.
 *
 * @param host address on which this node listens; empty: the address of this machine in the network of the members
 * @param publicHost address at which the other members reach this node, if that is another one
 * @param port for membership
 * @param busPort for messages; 0: any free port
 * @param members {@code host} or {@code host:port} of other nodes; not all of them need to run
 * @param kubernetesService headless service whose addresses are those of the members
 */
public record ClusterSettings(
        Optional<String> host, Optional<String> publicHost, int port, int busPort, List<String> members, Optional<String> kubernetesService,
        String secret) {

    private static final String MEMBER = "(?:\\[[0-9a-fA-F:.]+]|[^\\s,:/\\[\\]]+)(?::[0-9]{1,5})?";
    private static final int SECRET_LEAST = 32;
    private static final int SECRET_MOST = 1000;

    /** Empty when {@code cluster.enabled} is false. */
    public static Optional<ClusterSettings> read(Configuration c) {
        boolean enabled = c.yesOrNo("cluster.enabled");
        List<String> members = c.list("cluster.members");
        members.stream().filter(member -> !member.matches(MEMBER)).findAny().ifPresent(member -> {
            throw ConfigurationError.outOfBounds("cluster.members", member, "host or host:port, comma separated");
        });
        Optional<String> service = c.optional("cluster.kubernetesService");
        if (service.isPresent() && !members.isEmpty()) {
            throw new ConfigurationError("cluster: members and kubernetesService exclude each other");
        }
        String secret = c.secret("cluster.secret");
        if (enabled && (secret.length() < SECRET_LEAST || secret.length() > SECRET_MOST)) {
            throw ConfigurationError.outOfBounds("cluster.secret", "(not shown, %d characters)".formatted(secret.length()),
                    "%d to %d characters, the same on every node, as openssl rand -base64 33 makes them".formatted(SECRET_LEAST, SECRET_MOST));
        }
        ClusterSettings cluster = new ClusterSettings(c.optional("cluster.host"), c.optional("cluster.publicHost"), c.whole("cluster.port", 1, 65535),
                c.whole("cluster.busPort", 0, 65535), members, service, secret);
        return enabled ? Optional.of(cluster) : Optional.empty();
    }

    @Override
    public String toString() {
        return "ClusterSettings[%s:%d, %s%s]".formatted(host.orElse("*"), port, members, kubernetesService.orElse(""));
    }
}
