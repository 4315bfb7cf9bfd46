package io.arbitration.platform.kafka;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.arbitration.Keytool;
import io.arbitration.platform.FreePort;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.policy.CreateTopicPolicy;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.LoggerFactory;

/**
 * A broker of Kafka in KRaft mode that can be stopped and started again. It speaks TLS with passwords to the platform, and in
 * the clear to tests.
 */
public final class KafkaBroker implements AutoCloseable {

    static final String USER = "platform";
    static final String PASSWORD = "a-password-of-the-brokers";
    /** A topic that the broker does not let anybody make. */
    static final String FORBIDDEN = "forbidden";
    private static final String KEYSTORE_PASSWORD = "keystore-password";
    private static final long WAIT_SECONDS = 60;

    private final Path folder;
    private final String openHost;
    private final int securePort;
    private final int openPort;
    private final int controllerPort;
    private KafkaRaftServer server;

    private KafkaBroker(Path folder, String openHost) throws IOException {
        this.folder = folder;
        this.openHost = openHost;
        this.securePort = FreePort.any();
        this.openPort = FreePort.any();
        this.controllerPort = FreePort.any();
    }

    public static KafkaBroker start(Path folder) throws Exception {
        return start(folder, "127.0.0.1");
    }

    /** The same with the listener in the clear at another address of this machine. */
    public static KafkaBroker start(Path folder, String openHost) throws Exception {
        // What brokers say of themselves would bury what the platform says.
        for (String name : List.of("kafka", "state.change.logger")) {
            ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.OFF);
        }
        KafkaBroker broker = new KafkaBroker(folder, openHost);
        Keytool.run("-genkeypair", "-alias", "broker", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "SAN=dns:localhost,ip:127.0.0.1",
                "-storetype", "PKCS12", "-storepass", KEYSTORE_PASSWORD, "-keystore", broker.keystore());
        Keytool.export(Path.of(broker.keystore()), KEYSTORE_PASSWORD, "broker", folder.resolve("broker.pem"));
        new Formatter().setPrintStream(new PrintStream(OutputStream.nullOutputStream())).setClusterId(Uuid.randomUuid().toString()).setNodeId(1).addDirectory(broker.log())
                .setReleaseVersion(MetadataVersion.latestProduction()).setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(broker.log()).setIgnoreFormatted(true).run();
        broker.start();
        return broker;
    }

    private String keystore() {
        return folder.resolve("broker.p12").toString();
    }

    private String log() {
        return folder.resolve("log").toString();
    }

    void start() {
        start(PASSWORD);
    }

    /** Starts with another password for the platform, which stays at its own. */
    void start(String password) {
        Properties config = new Properties();
        config.putAll(Map.of("process.roles", "broker,controller", "node.id", "1", "log.dirs", log(),
                "controller.quorum.voters", "1@127.0.0.1:" + controllerPort, "controller.listener.names", "CONTROLLER",
                "listeners", "SECURE://127.0.0.1:%d,OPEN://%s:%d,CONTROLLER://127.0.0.1:%d".formatted(securePort, openHost, openPort, controllerPort),
                "advertised.listeners", "SECURE://localhost:%d,OPEN://%s:%d".formatted(securePort, openHost, openPort),
                "listener.security.protocol.map", "SECURE:SASL_SSL,OPEN:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "inter.broker.listener.name", "OPEN"));
        config.putAll(Map.of("offsets.topic.replication.factor", "1", "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1", "transaction.state.log.num.partitions", "1", "offsets.topic.num.partitions", "1",
                "num.partitions", "3", "auto.create.topics.enable", "false", "log.cleaner.enable", "false", "num.io.threads", "2",
                "num.network.threads", "1"));
        config.put("create.topic.policy.class.name", Policy.class.getName());
        config.putAll(Map.of("listener.name.secure.sasl.enabled.mechanisms", "PLAIN", "listener.name.secure.plain.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required user_%s=\"%s\";".formatted(USER, password),
                "listener.name.secure.ssl.keystore.type", "PKCS12", "listener.name.secure.ssl.keystore.location", keystore(),
                "listener.name.secure.ssl.keystore.password", KEYSTORE_PASSWORD, "listener.name.secure.ssl.key.password", KEYSTORE_PASSWORD));
        server = new KafkaRaftServer(KafkaConfig.fromProps(config), Time.SYSTEM);
        server.startup();
    }

    /** What the broker asks before it makes a topic. */
    public static final class Policy implements CreateTopicPolicy {

        @Override
        public void validate(RequestMetadata request) {
            if (request.topic().equals(FORBIDDEN)) {
                throw new PolicyViolationException("not this one");
            }
        }

        @Override
        public void configure(Map<String, ?> settings) {}

        @Override
        public void close() {}
    }

    void stop() {
        server.shutdown();
        server.awaitShutdown();
    }

    /** Where it speaks in the clear. */
    public String openAddress() {
        return openHost + ":" + openPort;
    }

    String secureAddress() {
        return "localhost:" + securePort;
    }

    /** How the platform is let in, by the names of Kafka. */
    Map<String, String> properties(String password) throws IOException {
        return Map.of("security.protocol", "SASL_SSL", "sasl.mechanism", "PLAIN",
                "sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
                        .formatted(USER, password),
                "ssl.truststore.type", "PEM", "ssl.truststore.certificates", Files.readString(folder.resolve("broker.pem")));
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", openAddress()));
    }

    /** Everything in a topic that is committed, partition by partition, as soon as it fulfils the condition. */
    public List<ConsumerRecord<String, String>> read(String topic, Predicate<List<ConsumerRecord<String, String>>> enough) {
        return read(openAddress(), topic, enough);
    }

    /** The same at any brokers. */
    static List<ConsumerRecord<String, String>> read(String addresses, String topic, Predicate<List<ConsumerRecord<String, String>>> enough) {
        Map<String, Object> config = new HashMap<>(Map.of("bootstrap.servers", addresses, "isolation.level", "read_committed",
                "auto.offset.reset", "earliest", "enable.auto.commit", "false", "allow.auto.create.topics", "false"));
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
            List<TopicPartition> partitions = List.of();
            while (partitions.isEmpty() && System.nanoTime() < end) {
                partitions = consumer.listTopics().getOrDefault(topic, List.of()).stream()
                        .map(partition -> new TopicPartition(topic, partition.partition())).toList();
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            List<ConsumerRecord<String, String>> records = new ArrayList<>();
            while (!enough.test(records)) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("waited in vain for %s, there are %d records".formatted(topic, records.size()));
                }
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            return records;
        }
    }

    @Override
    public void close() {
        stop();
    }
}
