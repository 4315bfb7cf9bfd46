package io.arbitration.platform.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Await;
import io.arbitration.FaultyLine;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.OtherRuntimes;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.pdfs.Programs;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.events.LoggedEvent;
import io.arbitration.platform.telemetry.Traces;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The event log as Kafka has it, on a broker that speaks TLS and asks for a password; {@code -Dkafka.kills=20} kills the platform more often. */
class KafkaIT {

    private static final int KILLS = Integer.getInteger("kafka.kills", 1);

    @TempDir
    private static Path folder;

    private static KafkaBroker broker;
    private static RunningPlatform platform;

    @BeforeAll
    static void open() throws Exception {
        broker = KafkaBroker.start(Files.createDirectories(folder.resolve("kafka")));
        platform = RunningPlatform.start(folder.resolve("platform"), settings("", "docket_filing,case_closed,deadline_extended,hearing_scheduled,hearing_changed,hearing_cancelled"));
    }

    @AfterAll
    static void close() {
        platform.close();
        broker.close();
    }

    private static Map<String, String> settings(String prefix, String events) throws IOException {
        return Map.of("ACP_KAFKA_BOOTSTRAP_SERVERS", broker.secureAddress(), "ACP_KAFKA_EVENTS", events, "ACP_KAFKA_TOPIC_PREFIX", prefix,
                "ACP_KAFKA_PROPERTIES", new JsonObject(new HashMap<>(broker.properties(KafkaBroker.PASSWORD))).encode());
    }

    private static KafkaSettings kafka(String prefix, Map<String, String> properties) {
        return new KafkaSettings(Optional.of(broker.secureAddress()), Set.of("docket_filing"), prefix, properties);
    }

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static String management(String path) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(HttpRequest.newBuilder(URI.create("http://localhost:%d%s".formatted(platform.platform().managementPort(), path))).build(),
                    HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    /** What health says of the node as soon as Kafka is in this state. */
    private static JsonObject healthWithKafka(String word) throws Exception {
        return Await.value("Kafka is " + word, () -> {
            JsonObject health = new JsonObject(management("/health/ready"));
            return health.getJsonObject("parts").getString("kafka").equals(word) ? health : null;
        });
    }

    /** Appends events in as many transactions; each says its place in its case. */
    static void append(Connection sql, Collection<UUID> cases, int from, int to) throws SQLException {
        try (PreparedStatement insert = sql.prepareStatement("""
                with appended as (
                  insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                  values (gen_random_uuid(), 'docket_filing', ?, now(), json_build_object('place', ?::int)::text) returning sequence)
                select pg_notify('platform_events', '') from appended
                """)) {
            for (int place = from; place < to; place++) {
                for (UUID one : cases) {
                    insert.setObject(1, one);
                    insert.setInt(2, place);
                    insert.execute();
                }
            }
        }
    }

    static List<UUID> cases(int count) {
        return Stream.generate(UUID::randomUUID).limit(count).toList();
    }

    static Map<String, List<Integer>> places(List<ConsumerRecord<String, String>> records, Collection<UUID> cases) {
        Set<String> keys = cases.stream().map(UUID::toString).collect(Collectors.toSet());
        return records.stream().filter(record -> keys.contains(record.key())).collect(Collectors.groupingBy(ConsumerRecord::key,
                Collectors.mapping(record -> new JsonObject(record.value()).getInteger("place"), Collectors.toList())));
    }

    static Predicate<List<ConsumerRecord<String, String>>> allPlaces(Collection<UUID> cases, int count) {
        return records -> {
            Map<String, List<Integer>> places = places(records, cases);
            return places.size() == cases.size() && places.values().stream().allMatch(of -> new HashSet<>(of).size() == count);
        };
    }

    @Test
    void aDocketEntryIsPublishedAsEveryChannelTellsIt() {
        OpenCase open = OpenCase.on(platform);
        String entryId = open.docketed(new JsonObject());
        open.close();
        ConsumerRecord<String, String> entry = broker.read("docket_filing", records -> records.stream().anyMatch(record -> record.key().equals(open.caseId())))
                .stream().filter(record -> record.key().equals(open.caseId())).findFirst().orElseThrow();
        assertThat(entry.value()).isEqualTo(platform.rows(
                "select envelope from platform.events where event = 'docket_filing' and case_id = ?", UUID.fromString(open.caseId())).getFirst().getFirst());
        JsonObject envelope = new JsonObject(entry.value());
        assertThat(envelope.getString("event")).isEqualTo("docket_filing");
        assertThat(envelope.getJsonObject("data").getString("entryID")).isEqualTo(entryId);
        Map<String, String> headers = new HashMap<>();
        entry.headers().forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        assertThat(headers).isEqualTo(Map.of("id", envelope.getString("id"), "content-type", "application/json"));
        OpenCase sandbox = open.sandbox();
        sandbox.docketed(new JsonObject());
        ConsumerRecord<String, String> marked = broker.read("docket_filing", records -> records.stream().anyMatch(record -> record.key().equals(sandbox.caseId())))
                .stream().filter(record -> record.key().equals(sandbox.caseId())).findFirst().orElseThrow();
        assertThat(marked.headers().lastHeader("sandbox").value()).isEqualTo("true".getBytes(StandardCharsets.UTF_8));
        // The other kind that was asked for has a topic of its own; of those that were not asked for none has one.
        assertThat(broker.read("case_closed", records -> !records.isEmpty())).extracting(ConsumerRecord::key).contains(open.caseId());
        try (Admin admin = broker.admin()) {
            assertThat(admin.listTopics().names().toCompletionStage().toCompletableFuture().join()).doesNotContain("case_created", "phase_changed");
        }
    }

    /** The committed records as a client of librdkafka reads them, one a line. */
    private static final String CONSUMER = """
            import confluent_kafka, json, sys, time
            consumer = confluent_kafka.Consumer({'bootstrap.servers': sys.argv[1], 'group.id': 'reader', 'isolation.level': 'read_committed',
                                                 'auto.offset.reset': 'earliest', 'enable.auto.commit': False})
            consumer.subscribe([sys.argv[2]])
            end = time.monotonic() + 60
            while time.monotonic() < end:
                message = consumer.poll(1)
                if message and not message.error() and message.key() and message.key().decode() == sys.argv[3]:
                    headers = {name: value.decode() for name, value in message.headers()}
                    print(json.dumps({'value': json.loads(message.value()), 'headers': headers}))
                    sys.exit()
            sys.exit('no record of ' + sys.argv[3])
            """;

    @Test
    void aClientThatIsNotOfJavaReadsWhatIsCommitted() throws Exception {
        Optional<Path> python = OtherRuntimes.python("confluent-kafka==2.12.1");
        assumeTrue(python.isPresent(), "no python3 with confluent-kafka");
        OpenCase open = OpenCase.on(platform);
        String entryId = open.docketed(new JsonObject());
        JsonObject read = new JsonObject(Programs.run(python.get().toString(), "-c", CONSUMER, broker.openAddress(), "docket_filing", open.caseId()));
        assertThat(read.getJsonObject("value").getJsonObject("data").getString("entryID")).isEqualTo(entryId);
        assertThat(read.getJsonObject("headers").getString("id")).isEqualTo(read.getJsonObject("value").getString("id"));
    }

    @Test
    void aHearingAndMoreTimeArePublishedToTheirTopicsByTheirCase() {
        OpenCase open = OpenCase.on(platform);
        RunningPlatform.Answer hearing = open.on("/cases/hearings/create", open.manager(), new JsonObject().put("title", "Hearing").put("start", NextYear.at("07-01T09:00:00Z"))
                .put("durationMinutes", 60).put("timeZone", "Europe/Stockholm"));
        assertThat(hearing.status()).as(hearing.body()).isEqualTo(200);
        JsonObject named = new JsonObject().put("caseID", open.caseId()).put("hearingID", hearing.object().getString("hearingID"));
        assertThat(ofCase("hearing_scheduled", open)).isEqualTo(named);
        assertThat(open.on("/cases/hearings/update", open.manager(), named.copy().put("start", NextYear.at("07-02T09:00:00Z"))).status()).isEqualTo(200);
        assertThat(ofCase("hearing_changed", open)).isEqualTo(named);
        assertThat(open.on("/cases/hearings/cancel", open.manager(), named.copy().put("reason", "Settled.")).status()).isEqualTo(200);
        assertThat(ofCase("hearing_cancelled", open)).isEqualTo(named);
        JsonObject moreTime = open.moreTime();
        String extensionId = platform.post("/cases/deadlines/extensions/request", moreTime, open.claimant().token()).object().getString("extensionID");
        assertThat(open.on("/cases/deadlines/extensions/decide", open.manager(), new JsonObject().put("extensionID", extensionId).put("granted", true)
                .put("reason", "Agreed.")).status()).isEqualTo(200);
        assertThat(ofCase("deadline_extended", open)).isEqualTo(new JsonObject().put("caseID", open.caseId()).put("deadlineID", moreTime.getString("deadlineID"))
                .put("date", moreTime.getString("until")));
    }

    /** What the record of this case says that the topic has. */
    private static JsonObject ofCase(String topic, OpenCase open) {
        return broker.read(topic, records -> records.stream().anyMatch(record -> record.key().equals(open.caseId()))).stream()
                .filter(record -> record.key().equals(open.caseId())).map(record -> new JsonObject(record.value())).findFirst().orElseThrow().getJsonObject("data");
    }

    @Test
    void theTraceThatAnEventCameOfIsAHeaderOfItsRecord() throws SQLException {
        UUID traced = UUID.randomUUID();
        String context = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        try (Connection sql = platform.sql(); PreparedStatement insert = sql.prepareStatement("""
                with appended as (
                  insert into platform.events (event_id, event, case_id, occurred_at, envelope, trace)
                  values (gen_random_uuid(), 'docket_filing', ?, now(), '{"place": 0}', ?) returning sequence)
                select pg_notify('platform_events', '') from appended
                """)) {
            insert.setObject(1, traced);
            insert.setString(2, context);
            insert.execute();
        }
        ConsumerRecord<String, String> record = broker.read("docket_filing", allPlaces(List.of(traced), 1))
                .stream().filter(one -> one.key().equals(traced.toString())).findFirst().orElseThrow();
        assertThat(new String(record.headers().lastHeader("traceparent").value(), StandardCharsets.UTF_8)).isEqualTo(context);
    }

    @Test
    void whileTheBrokersAreAwayTheDocketGoesOnAndAfterwardsAllArrivesInOrder() throws Exception {
        List<UUID> cases = cases(20);
        OpenCase open = OpenCase.on(platform);
        try (Connection sql = platform.sql()) {
            append(sql, cases, 0, 5);
            broker.read("docket_filing", allPlaces(cases, 5));
            JsonObject down;
            try {
                broker.stop();
                append(sql, cases, 5, 50);
                open.docketed(new JsonObject());
                down = healthWithKafka("DOWN");
                append(sql, cases, 50, 60);
            } finally {
                broker.start();
            }
            // The node serves everything else, so it stays ready, and says what is wrong.
            assertThat(down.getString("status")).isEqualTo("UP");
            assertThat(down.getJsonObject("troubles").getString("kafka")).contains(broker.secureAddress());
        }
        places(broker.read("docket_filing", allPlaces(cases, 60)), cases).values()
                .forEach(places -> assertThat(places).isEqualTo(IntStream.range(0, 60).boxed().toList()));
        assertThat(healthWithKafka("UP").containsKey("troubles")).isFalse();
        assertThat(broker.read("docket_filing", records -> records.stream().anyMatch(record -> record.key().equals(open.caseId())))).isNotEmpty();
        assertThat(management("/metrics")).containsPattern("kafka_published_total\\{topic=\"docket_filing\"} [1-9]")
                .contains("events_lag{consumer=\"kafka\"}", "events_lag_age_seconds{consumer=\"kafka\"}");
    }

    @Test
    void aPasswordThatTheBrokersNoLongerTakeIsNamedAndAfterwardsAllArrives() throws Exception {
        List<UUID> cases = cases(3);
        try (Connection sql = platform.sql()) {
            append(sql, cases, 0, 2);
            broker.read("docket_filing", allPlaces(cases, 2));
            try {
                broker.stop();
                broker.start("changed-and-not-told-the-platform");
                append(sql, cases, 2, 5);
                JsonObject down = healthWithKafka("DOWN");
                assertThat(down.getJsonObject("troubles").getString("kafka")).containsIgnoringCase("authentication").doesNotContain(KafkaBroker.PASSWORD);
                assertThat(down.getString("status")).isEqualTo("UP");
            } finally {
                broker.stop();
                broker.start();
            }
        }
        places(broker.read("docket_filing", allPlaces(cases, 5)), cases).values().forEach(places -> assertThat(places).isEqualTo(List.of(0, 1, 2, 3, 4)));
        healthWithKafka("UP");
    }

    @Test
    void brokersThatAreAwayAtTheStartSayNothingOrAnswerNonsenseAreNamedAndAfterwardsAllArrives() throws Exception {
        List<UUID> cases = cases(3);
        int brokerPort = Integer.parseInt(broker.secureAddress().replaceAll(".*:", ""));
        try (FaultyLine line = new FaultyLine(brokerPort, FaultyLine.State.AWAY)) {
            Map<String, String> settings = new HashMap<>(settings("line.", "docket_filing"));
            settings.put("ACP_KAFKA_BOOTSTRAP_SERVERS", "localhost:" + line.port());
            try (RunningPlatform behind = RunningPlatform.start(folder.resolve("behind-a-line"), settings); Connection sql = behind.sql()) {
                append(sql, cases, 0, 3);
                for (FaultyLine.State state : List.of(FaultyLine.State.AWAY, FaultyLine.State.NONSENSE, FaultyLine.State.SILENT)) {
                    line.become(state);
                    Await.until("the node has tried again", () -> state == FaultyLine.State.AWAY || line.met() > 1);
                    JsonObject down = Await.value("Kafka is named", () -> {
                        JsonObject health = behind.health();
                        return health.getJsonObject("parts").getString("kafka").equals("DOWN") ? health : null;
                    });
                    assertThat(down.getJsonObject("troubles").getString("kafka")).isNotBlank();
                    assertThat(down.getString("status")).isEqualTo("UP");
                }
                line.become(FaultyLine.State.WORKS);
                places(broker.read("line.docket_filing", allPlaces(cases, 3)), cases).values().forEach(places -> assertThat(places).isEqualTo(List.of(0, 1, 2)));
                Await.until("Kafka is well", () -> behind.health().getJsonObject("parts").getString("kafka").equals("UP"));
            }
        }
    }

    @Test
    void aTopicThatWouldLoseEventsIsNamedAndTakesNoneUntilItIsPutRight() throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "docket_filing");
        List<UUID> cases = cases(1);
        healthWithKafka("UP");
        Instant putRight;
        try (Admin admin = broker.admin(); Connection sql = platform.sql()) {
            try {
                set(admin, topic, "compact,delete");
                assertThat(healthWithKafka("MISCONFIGURED").getJsonObject("troubles").getString("kafka")).isEqualTo(
                        "topic docket_filing: cleanup.policy is compact,delete, which keeps the last event of a case alone; set it to delete");
                append(sql, cases, 0, 3);
            } finally {
                putRight = Instant.now();
                set(admin, topic, "delete");
            }
        }
        assertThat(broker.read("docket_filing", allPlaces(cases, 3)).stream().filter(record -> record.key().equals(cases.getFirst().toString())))
                .extracting(ConsumerRecord::timestamp).allMatch(at -> at >= putRight.toEpochMilli());
    }

    private static void set(Admin admin, ConfigResource topic, String cleanup) {
        admin.incrementalAlterConfigs(Map.of(topic, List.of(new AlterConfigOp(new ConfigEntry("cleanup.policy", cleanup), AlterConfigOp.OpType.SET))))
                .all().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void ofTwoNodesWithOtherSettingsTheOneThatCameLastPublishesAndTheOtherSaysWhy() throws Exception {
        healthWithKafka("UP");
        List<UUID> cases = cases(1);
        try (RunningPlatform other = platform.sibling(folder.resolve("other"), settings("", "docket_filing")); Connection sql = platform.sql()) {
            assertThat(healthWithKafka("MISCONFIGURED").getJsonObject("troubles").getString("kafka"))
                    .contains(", which was started later, has other settings of Kafka (", "events [docket_filing],", "here ", "events [case_closed, deadline_extended, docket_filing, hearing_cancelled, hearing_changed, hearing_scheduled]");
            append(sql, cases, 0, 3);
            broker.read("docket_filing", allPlaces(cases, 3));
            assertThat(other.health().getJsonObject("parts").getString("kafka")).isEqualTo("UP");
        }
        healthWithKafka("UP");
    }

    @Test
    void whatKeepsATopicFromTakingEventsIsNamed() {
        try (Admin admin = broker.admin()) {
            admin.createTopics(List.of(
                            new NewTopic("unclean", 1, (short) 1).configs(Map.of("unclean.leader.election.enable", "true")),
                            new NewTopic("narrow", 1, (short) 1).configs(Map.of("max.message.bytes", "1000"))))
                    .all().toCompletionStage().toCompletableFuture().join();
            assertThatThrownBy(() -> new KafkaTopics(admin, List.of("unclean")).check()).isInstanceOf(TopicMisconfigured.class)
                    .hasMessageStartingWith("topic unclean: unclean.leader.election.enable is true");
            assertThatThrownBy(() -> new KafkaTopics(admin, List.of("narrow")).check()).isInstanceOf(TopicMisconfigured.class)
                    .hasMessage("topic narrow: max.message.bytes is 1000; set it to 16384 or more");
            assertThatThrownBy(() -> new KafkaTopics(admin, List.of(KafkaBroker.FORBIDDEN)).check()).isInstanceOf(TopicMisconfigured.class)
                    .hasMessage("topic forbidden is missing and the brokers do not make it: not this one");
        }
    }

    /** A publisher of another node on the same database. */
    private static KafkaPublisher publisher(String prefix) throws IOException {
        KafkaSettings settings = kafka(prefix, broker.properties(KafkaBroker.PASSWORD));
        KafkaClients clients = new KafkaClients(settings);
        Vertx vertx = platform.vertx();
        WorkerExecutor workers = vertx.createSharedWorkerExecutor("kafka-test", 2);
        Admin admin = clients.admin();
        return new KafkaPublisher(clients, () -> new KafkaTopics(admin, List.of(prefix + "docket_filing")),
                new KafkaTopicRepository(platform.database()), settings, workers, new SimpleMeterRegistry(), Traces.OFF);
    }

    private static LoggedEvent event(UUID caseId, int place) {
        return new LoggedEvent(place, UUID.randomUUID(), "docket_filing", caseId, Optional.empty(), Instant.EPOCH,
                new JsonObject().put("place", place).encode(), Optional.empty(), false);
    }

    @Test
    void aNodeThatWasOvertakenPublishesNothingMore() throws Exception {
        UUID one = UUID.randomUUID();
        KafkaPublisher paused = publisher("overtaken.");
        KafkaPublisher next = publisher("overtaken.");
        done(paused.open());
        done(paused.publish(List.of(event(one, 0))));
        done(next.open());
        done(next.publish(List.of(event(one, 1))));
        assertThatThrownBy(() -> done(paused.publish(List.of(event(one, 7))))).hasMessageContaining("epoch");
        done(next.publish(List.of(event(one, 2))));
        done(paused.close());
        done(next.close());
        assertThat(places(broker.read("overtaken.docket_filing", allPlaces(List.of(one), 3)), List.of(one)).get(one.toString())).containsExactly(0, 1, 2);
    }

    @Test
    void aCaseStaysInItsPartitionWhenPartitionsAreAdded() throws Exception {
        List<UUID> cases = cases(30);
        KafkaPublisher before = publisher("grown.");
        done(before.open());
        done(before.publish(cases.stream().map(one -> event(one, 0)).toList()));
        done(before.close());
        try (Admin admin = broker.admin()) {
            admin.createPartitions(Map.of("grown.docket_filing", NewPartitions.increaseTo(8))).all().toCompletionStage().toCompletableFuture().join();
        }
        KafkaPublisher after = publisher("grown.");
        done(after.open());
        done(after.publish(cases.stream().map(one -> event(one, 1)).toList()));
        done(after.close());
        Map<String, List<Integer>> partitions = broker.read("grown.docket_filing", allPlaces(cases, 2)).stream()
                .collect(Collectors.groupingBy(ConsumerRecord::key, Collectors.mapping(ConsumerRecord::partition, Collectors.toList())));
        assertThat(partitions.values()).allMatch(of -> of.getFirst().equals(of.getLast()));
        assertThat(partitions.values().stream().flatMap(List::stream).distinct()).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void noSecretIsToldOfSettingsThatAreNotTaken() throws Exception {
        Map<String, String> broken = new HashMap<>(broker.properties("top-secret"));
        broken.put("sasl.jaas.config", "org.apache.kafka.NoModule required password=\"top-secret\" and=");
        assertThatThrownBy(() -> new KafkaClients(kafka("", broken)).admin()).isInstanceOf(ConfigurationError.class)
                .hasMessageStartingWith("kafka.properties: ").hasMessageNotContaining("top-secret").hasNoCause();
        assertThatThrownBy(() -> new KafkaClients(kafka("", Map.of("ssl.trustore.location", "top-secret")))).isInstanceOf(ConfigurationError.class)
                .hasMessage("kafka.properties: Kafka knows no ssl.trustore.location");
        assertThat(kafka("", broken).toString()).doesNotContain("top-secret");
        try (Admin admin = new KafkaClients(kafka("", broker.properties("top-secret"))).admin()) {
            assertThatThrownBy(() -> new KafkaTopics(admin, List.of("docket_filing")).check())
                    .isInstanceOf(org.apache.kafka.common.errors.AuthenticationException.class).hasMessageNotContaining("top-secret");
        }
    }

    @Test
    void afterKillsOfThePlatformEveryEventIsThereInOrderAndOnlyWhatWasInFlightTwice() throws Exception {
        Random random = new Random(20261121);
        List<UUID> cases = cases(5);
        Map<String, String> settings = new HashMap<>(settings("killed.", "docket_filing"));
        settings.put("ACP_AREAS_ENABLED", "auth,api");
        PlatformProcess process = PlatformProcess.start(folder.resolve("killed"), settings);
        int place = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            long killAt = System.nanoTime() + Duration.ofMillis(200 + random.nextInt(400)).toNanos();
            try (Connection sql = process.sql()) {
                while (System.nanoTime() < killAt) {
                    append(sql, cases, place, ++place);
                }
            }
            process.kill();
            process.awaitEnd();
            process = PlatformProcess.start(folder.resolve("killed"), settings);
        }
        int last = place + 1;
        List<ConsumerRecord<String, String>> records;
        try (PlatformProcess running = process; Connection sql = running.sql()) {
            append(sql, cases, place, last);
            records = broker.read("killed.docket_filing", allPlaces(cases, last));
        }
        int repeats = 0;
        for (List<Integer> places : places(records, cases).values()) {
            // Told again means told from an earlier place on, and in order from there: none is ever ahead of the one before it.
            for (int i = 1; i < places.size(); i++) {
                assertThat(places.get(i)).isLessThanOrEqualTo(places.get(i - 1) + 1);
            }
            assertThat(places.getFirst()).isZero();
            repeats += places.size() - last;
        }
        // A batch is what a kill can repeat.
        assertThat(repeats).isLessThanOrEqualTo(KILLS * 256);
        System.out.printf("%d kills, %d events, %d of them twice%n", KILLS, last * cases.size(), repeats);
    }
}
