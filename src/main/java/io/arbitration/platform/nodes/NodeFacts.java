package io.arbitration.platform.nodes;

import io.arbitration.platform.kafka.KafkaSettings;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What other nodes on the same database have to agree with, or are told.
 *
 * @param name what people call the node: machine and process
 * @param definitions fingerprint of the definitions
 * @param clusterSecret what tells one secret from another without telling it; empty: no cluster
 * @param kafka where and what is published; empty: nothing
 */
public record NodeFacts(String name, String definitions, Optional<String> clusterSecret, Optional<String> kafka) {

    /** What nodes that share the cursor of Kafka have to have in common. */
    public static Optional<String> kafka(KafkaSettings settings) {
        return settings.bootstrapServers().map(servers -> "bootstrapServers %s, events %s, topicPrefix \"%s\"".formatted(
                String.join(",", new TreeSet<>(java.util.List.of(servers.split("\\s*,\\s*")))), new TreeSet<>(settings.events()), settings.topicPrefix()));
    }
}
