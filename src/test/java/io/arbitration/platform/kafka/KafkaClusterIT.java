package io.arbitration.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Await;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three brokers in processes of their own, of which one and then another is killed, or has a full disk, while events are published. */
class KafkaClusterIT {

    private static final String TOPIC = "docket_filing";
    private static final int DISK_MEGABYTES = 200;

    @TempDir
    private Path folder;

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static TopicDescription topic(Admin admin) throws Exception {
        return admin.describeTopics(List.of(TOPIC)).topicNameValues().get(TOPIC).get();
    }

    private static String kafka(RunningPlatform platform) {
        return platform.health().getJsonObject("parts").getString("kafka");
    }

    /** Cases whose first ten events are in Kafka. */
    private static List<UUID> begun(Connection sql, KafkaProcesses brokers) throws Exception {
        List<UUID> cases = KafkaIT.cases(12);
        KafkaIT.append(sql, cases, 0, 10);
        KafkaBroker.read(brokers.addresses(), TOPIC, KafkaIT.allPlaces(cases, 10));
        return cases;
    }

    @Test
    void whenBrokersAreKilledNoEventIsLostAndEachCaseStaysInOrder() throws Exception {
        assumeTrue(OtherRuntimes.counterparts("three brokers of Kafka"), "left to ./acp counterparts");
        try (KafkaProcesses brokers = KafkaProcesses.start(Files.createDirectories(folder.resolve("kafka")), 3);
                RunningPlatform platform = RunningPlatform.start(folder.resolve("platform"), Map.of("ACP_KAFKA_BOOTSTRAP_SERVERS", brokers.addresses(),
                        "ACP_KAFKA_EVENTS", TOPIC));
                Connection sql = platform.sql()) {
            List<UUID> cases = begun(sql, brokers);
            int leader;
            try (Admin admin = brokers.admin()) {
                assertThat(topic(admin).partitions()).hasSize(3).allSatisfy(partition -> assertThat(partition.replicas()).hasSize(3));
                leader = topic(admin).partitions().getFirst().leader().id() - 1;
            }
            brokers.kill(leader);
            KafkaIT.append(sql, cases, 10, 40);
            KafkaBroker.read(brokers.addresses(), TOPIC, KafkaIT.allPlaces(cases, 40));

            // With one left a record would be there once only: none is taken, health says so, and the docket goes on.
            int next = (leader + 1) % brokers.count();
            brokers.kill(next);
            KafkaIT.append(sql, cases, 40, 50);
            Await.until("Kafka is seen to be away", Duration.ofMinutes(2), () -> !kafka(platform).equals("UP"));
            assertThat(platform.health().getJsonObject("troubles").getString("kafka")).isNotBlank();
            assertThat(platform.administrator().token()).isNotEmpty();

            brokers.startAgain(leader, next);
            KafkaIT.places(KafkaBroker.read(brokers.addresses(), TOPIC, KafkaIT.allPlaces(cases, 50)), cases)
                    .forEach((one, places) -> assertThat(places.stream().distinct().toList()).as(one).isEqualTo(upTo(50)));
            Await.until("Kafka is well", Duration.ofMinutes(2), () -> kafka(platform).equals("UP"));
        }
    }

    /** It ends by itself: its cluster is then the same as with a broker that was killed. */
    @Test
    void aBrokerWhoseDiskIsFullEndsAndGetsWhatItMissedWhenThereIsSpace() throws Exception {
        assumeTrue(OtherRuntimes.counterparts("three brokers of Kafka, of which two have a full disk"), "left to ./acp counterparts");
        Path logs = Files.createDirectories(folder.resolve("kafka"));
        try (SmallDisk first = SmallDisk.mount(Files.createDirectories(logs.resolve("log-0")), DISK_MEGABYTES);
                SmallDisk second = SmallDisk.mount(Files.createDirectories(logs.resolve("log-1")), DISK_MEGABYTES);
                KafkaProcesses brokers = KafkaProcesses.start(logs, 3);
                RunningPlatform platform = RunningPlatform.start(folder.resolve("platform"), Map.of("ACP_KAFKA_BOOTSTRAP_SERVERS", brokers.addresses(),
                        "ACP_KAFKA_EVENTS", TOPIC));
                Connection sql = platform.sql()) {
            List<UUID> cases = begun(sql, brokers);

            first.fill(0);
            KafkaIT.append(sql, cases, 10, 40);
            Await.until("the first broker ends", Await.BOUND.multipliedBy(2), () -> !brokers.isRunning(0));
            KafkaBroker.read(brokers.addresses(), TOPIC, KafkaIT.allPlaces(cases, 40));
            Await.until("Kafka is well", Duration.ofMinutes(2), () -> kafka(platform).equals("UP"));

            second.fill(0);
            KafkaIT.append(sql, cases, 40, 50);
            Await.until("the second broker ends", Await.BOUND.multipliedBy(2), () -> !brokers.isRunning(1));
            Await.until("Kafka is seen to be away", Duration.ofMinutes(2), () -> !kafka(platform).equals("UP"));
            assertThat(platform.health().getJsonObject("troubles").getString("kafka")).isNotBlank();
            assertThat(platform.administrator().token()).isNotEmpty();

            first.empty();
            second.empty();
            brokers.startAgain(0, 1);
            KafkaIT.places(KafkaBroker.read(brokers.addresses(), TOPIC, KafkaIT.allPlaces(cases, 50)), cases)
                    .forEach((one, places) -> assertThat(places.stream().distinct().toList()).as(one).isEqualTo(upTo(50)));
            Await.until("Kafka is well", Duration.ofMinutes(2), () -> kafka(platform).equals("UP"));
        }
    }
}
