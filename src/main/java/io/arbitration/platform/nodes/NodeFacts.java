package io.arbitration.platform.nodes;

import io.arbitration.platform.kafka.KafkaSettings;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The facts that a node publishes to the other nodes on the same database, which compare them with their own.
 *
 * @param name name of the node in messages for people: machine and process
 * @param definitions fingerprint of the definitions
 * @param clusterSecret fingerprint of the secret; empty: no cluster
 * @param kafka brokers and settings for publishing events; empty: no publication
 */
public record NodeFacts(String name, String definitions, Optional<String> clusterSecret, Optional<String> kafka) {

    /** The settings of Kafka that all nodes must have in common, because they share one cursor. */
    public static Optional<String> kafka(KafkaSettings settings) {
        return settings.bootstrapServers().map(servers -> "bootstrapServers %s, events %s, topicPrefix \"%s\"".formatted(
                String.join(",", new TreeSet<>(java.util.List.of(servers.split("\\s*,\\s*")))), new TreeSet<>(settings.events()), settings.topicPrefix()));
    }
}
