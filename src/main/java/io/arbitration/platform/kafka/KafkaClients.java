package io.arbitration.platform.kafka;

import io.arbitration.platform.config.ConfigurationError;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Creates clients of the configured brokers; each call of one ends within {@value #CALL_MILLIS_MAX} ms. Blocks while it resolves
 * their names.
 */
final class KafkaClients {

    static final int CALL_MILLIS_MAX = 5_000;
    private static final int REQUEST_MILLIS_MAX = 3_000;
    private static final int RECONNECT_MILLIS_MAX = 500;
    /** After this time brokers abort a transaction that a crashed node left open and no other node replaced. */
    private static final int TRANSACTION_MILLIS_MAX = 20_000;
    private static final String TRANSACTIONAL_ID = "arbitration-platform";

    private final KafkaSettings settings;

    /** @throws ConfigurationError for a property that Kafka does not know and would ignore silently */
    KafkaClients(KafkaSettings settings) {
        this.settings = settings;
        settings.properties().keySet().stream().filter(name -> !ProducerConfig.configNames().contains(name)).findAny().ifPresent(name -> {
            throw new ConfigurationError("kafka.properties: Kafka knows no %s".formatted(name));
        });
    }

    Admin admin() {
        Map<String, Object> config = common();
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, CALL_MILLIS_MAX);
        return made(() -> Admin.create(config));
    }

    /**
     * A transactional producer. All nodes use the same transactional ID, so that brokers refuse everything that still arrives
     * from a producer that was opened before this one.
     */
    Producer<String, String> producer() {
        Map<String, Object> config = common();
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, settings.topicPrefix() + TRANSACTIONAL_ID);
        config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_MILLIS_MAX);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, CALL_MILLIS_MAX);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, CALL_MILLIS_MAX);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        return made(() -> new KafkaProducer<>(config, new StringSerializer(), new StringSerializer()));
    }

    private Map<String, Object> common() {
        Map<String, Object> config = new HashMap<>(settings.properties());
        config.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers().orElseThrow());
        config.put(AdminClientConfig.CLIENT_ID_CONFIG, TRANSACTIONAL_ID);
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS_MAX);
        config.put(AdminClientConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, REQUEST_MILLIS_MAX);
        config.put(AdminClientConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, REQUEST_MILLIS_MAX / 2);
        config.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MILLIS_MAX);
        config.put(AdminClientConfig.RECONNECT_BACKOFF_MS_CONFIG, RECONNECT_MILLIS_MAX / 10);
        return config;
    }

    @FunctionalInterface
    private interface Making<T> {
        T make();
    }

    /**
     * Creating a client fails because of the settings, or because no broker name can be resolved at the moment. Messages of Kafka
     * may quote secrets, so they are not passed on.
     */
    private <T> T made(Making<T> making) {
        try {
            return making.make();
        } catch (KafkaException failed) {
            Throwable root = failed;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            if (settings.bootstrapServers().stream().flatMap(servers -> Stream.of(servers.split(","))).noneMatch(KafkaClients::isFound)) {
                throw new KafkaException("none of the names in kafka.bootstrapServers is found");
            }
            throw new ConfigurationError("kafka.properties: no connection can be made with them, a client of Kafka ends with %s".formatted(
                    root.getClass().getSimpleName()));
        }
    }

    /** Whether the host of {@code host:port} has an address now. */
    private static boolean isFound(String server) {
        String host = server.strip().replaceFirst(":[0-9]+$", "").replaceAll("[\\[\\]]", "");
        try {
            return InetAddress.getAllByName(host).length > 0;
        } catch (UnknownHostException notFound) {
            return false;
        }
    }
}
