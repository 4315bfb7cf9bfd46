package io.arbitration.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.kafka.KafkaSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The reference of the events has the kinds of the AsyncAPI documents, where they have them; EventsDocumentIT holds the documents against what is sent. */
class EventsReferenceTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z_]+)` \\|[^|]+\\|[^|]+\\| (?:`([a-z.]+)`|—) \\|$");

    /** Kinds by the server that their channels belong to, each with its address there. */
    private static Map<String, String> kinds(String name, String server) throws IOException {
        Map<String, String> kinds = new TreeMap<>();
        try (InputStream in = EventsReferenceTest.class.getResourceAsStream("/asyncapi/%s.yaml".formatted(name))) {
            JsonNode document = new YAMLMapper().readTree(in);
            for (JsonNode channel : document.get("channels")) {
                if (channel.path("servers").toString().contains("#/servers/" + server + "\"")) {
                    for (JsonNode message : channel.get("messages")) {
                        JsonNode described = message.has("$ref") ? document.at(message.get("$ref").asText().substring(1)) : message;
                        kinds.put(described.path("name").asText(), channel.path("address").asText());
                    }
                }
            }
        }
        return kinds;
    }

    /** A node does not start with a kind that the setting does not know. */
    @Test
    void theSettingTakesEveryKindThatHasATopicAndNoOther() throws IOException {
        Set<String> topics = kinds("events", "brokers").keySet();
        assertThat(kafka(String.join(",", topics)).events()).isEqualTo(topics);
        assertThatThrownBy(() -> kafka("filed")).hasMessage("kafka.events: filed is out of bounds: of " + String.join(", ", topics));
    }

    private static KafkaSettings kafka(String events) {
        return KafkaSettings.read(Configuration.load(Path.of("").toAbsolutePath(), Map.of("ACP_KAFKA_EVENTS", events)));
    }

    @Test
    void theTableHasEveryKindWithItsAddressOnTheEventBusAndATopicOfItsName() throws IOException {
        Map<String, String> shown = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("docs/reference/events.md")));
        while (row.find()) {
            shown.put(row.group(1), row.group(2) == null ? "" : row.group(2));
        }
        // What tries a URL is told of no case: the page says so below the table.
        Set<String> told = new TreeSet<>(kinds("events", "callback").keySet());
        assertThat(told.remove("test")).isTrue();
        assertThat(shown.keySet()).isEqualTo(told).hasSizeGreaterThan(5);
        Map<String, String> topics = kinds("events", "brokers");
        assertThat(topics.values()).containsExactlyInAnyOrderElementsOf(told.stream().map("{topicPrefix}"::concat).toList());
        Map<String, String> onBus = new TreeMap<>(kinds("event-bus", "eventBus"));
        onBus.keySet().retainAll(told);
        shown.values().removeIf(String::isEmpty);
        assertThat(shown).isEqualTo(onBus);
        assertThat(new TreeSet<>(onBus.values())).hasSize(onBus.size());
    }
}
