package io.arbitration.platform.kafka;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Publication of events to Kafka.
 *
 * @param bootstrapServers {@code host:port}, comma separated; empty: no Kafka
 * @param events kinds of events that are published, each to the topic with its name
 * @param properties Kafka's own client properties; may contain secrets
 */
public record KafkaSettings(Optional<String> bootstrapServers, Set<String> events, String topicPrefix, Map<String, String> properties) {

    private static final String BROKER = "(?:\\[[0-9a-fA-F:.]+]|[^\\s,:/\\[\\]]+):[0-9]{1,5}";
    private static final String BROKERS = BROKER + "(?:\\s*,\\s*" + BROKER + ")*";
    private static final Set<String> EVENT_KINDS = Set.of("docket_filing", "case_created", "phase_changed", "case_closed", "filing_submitted", "filing_rejected",
            "filing_withdrawn", "participant_added", "participant_removed", "hearing_scheduled", "hearing_changed", "hearing_cancelled", "entry_sealed", "entry_unsealed",
            "deadline_extended");
    private static final String PROPERTIES = "security\\.protocol|client\\.dns\\.lookup|(?:sasl|ssl)\\.[a-z.]+";

    public static KafkaSettings read(Configuration c) {
        Optional<String> servers = c.optional("kafka.bootstrapServers", "host:port, comma separated", Configuration.matching(BROKERS));
        Set<String> events = Set.copyOf(new TreeSet<>(c.list("kafka.events", "of " + String.join(", ", new TreeSet<>(EVENT_KINDS)),
                kind -> Optional.of(kind).filter(EVENT_KINDS::contains))));
        String prefix = c.optional("kafka.topicPrefix", "up to 100 letters, digits, dots, dashes or underscores",
                Configuration.matching("[A-Za-z0-9._-]{0,100}")).orElse("");
        Map<String, String> properties = c.texts("kafka.properties");
        properties.keySet().stream().filter(name -> !name.matches(PROPERTIES)).findAny().ifPresent(name -> {
            throw new ConfigurationError("kafka.properties: %s is not taken, only security.protocol, client.dns.lookup and what begins with sasl. or ssl."
                    .formatted(name));
        });
        return new KafkaSettings(servers, events, prefix, properties);
    }

    /** Without the values of properties. */
    @Override
    public String toString() {
        return "KafkaSettings[%s, %s, %s]".formatted(bootstrapServers, events, properties.keySet());
    }
}
