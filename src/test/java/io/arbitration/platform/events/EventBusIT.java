package io.arbitration.platform.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.arbitration.Await;
import io.arbitration.NextYear;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The event bus as verticles from outside the platform find it, on a node that publishes events there. */
class EventBusIT {

    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry(Addresses.DOCKET_ENTRY_ADDED, "docket_filing"),
            Map.entry(Addresses.CASE_CREATED, "case_created"),
            Map.entry(Addresses.PHASE_CHANGED, "phase_changed"),
            Map.entry(Addresses.CASE_CLOSED, "case_closed"),
            Map.entry(Addresses.PARTICIPANT_ADDED, "participant_added"),
            Map.entry(Addresses.PARTICIPANT_REMOVED, "participant_removed"),
            Map.entry(Addresses.HEARING_SCHEDULED, "hearing_scheduled"),
            Map.entry(Addresses.HEARING_CHANGED, "hearing_changed"),
            Map.entry(Addresses.HEARING_CANCELLED, "hearing_cancelled"));

    @TempDir
    private static Path folder;

    private static final Map<String, List<JsonObject>> heard = new ConcurrentHashMap<>();
    private static final Set<String> sandboxes = ConcurrentHashMap.newKeySet();
    private static RunningPlatform platform;
    private static OpenCase before;

    @BeforeAll
    static void open() {
        before = OpenCase.on(RunningPlatform.shared());
        before.docketed(new JsonObject());
        // Another test's node may have published events of this database before, and this one would go on where that one ended.
        RunningPlatform.shared().rows("delete from platform.event_consumers where consumer = 'event-bus' returning consumer");
        platform = RunningPlatform.shared().sibling(folder.resolve("node"), Map.of("ACP_EVENT_BUS_EVENTS", "true"));
        KINDS.keySet().forEach(address -> {
            heard.put(address, new CopyOnWriteArrayList<>());
            platform.vertx().eventBus().<JsonObject>consumer(address, message -> {
                heard.get(address).add(message.body());
                if ("true".equals(message.headers().get("sandbox"))) {
                    sandboxes.add(message.body().getJsonObject("data").getString("caseID"));
                }
            });
        });
    }

    @AfterAll
    static void close() {
        platform.close();
    }

    private static <T> T done(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static <T> List<T> awaitSome(Supplier<List<T>> some) {
        return Await.value(() -> "something, heard is " + heard, Await.BOUND, () -> {
            List<T> found = some.get();
            return found.isEmpty() ? null : found;
        });
    }

    private static List<JsonObject> heard(String address, String caseId) {
        return heard.get(address).stream().filter(envelope -> envelope.getJsonObject("data").getString("caseID").equals(caseId)).toList();
    }

    @Test
    void eachEventIsPublishedAtItsAddressAsEveryChannelTellsItFromNowOn() {
        OpenCase open = OpenCase.on(platform);
        open.docketed(new JsonObject());
        assertThat(open.on("/cases/cases/participants/remove", open.manager(), new JsonObject().put("userID", open.arbitrator().id())).status()).isEqualTo(200);
        JsonObject hearing = new JsonObject().put("title", "Hearing").put("start", NextYear.at("03-01T09:00:00Z")).put("durationMinutes", 60).put("timeZone", "Europe/Stockholm");
        JsonObject scheduled = new JsonObject().put("hearingID", open.on("/cases/hearings/create", open.manager(), hearing).object().getString("hearingID"));
        assertThat(open.on("/cases/hearings/update", open.manager(), scheduled.copy().put("title", "Second hearing")).status()).isEqualTo(200);
        assertThat(open.on("/cases/hearings/cancel", open.manager(), scheduled.copy().put("reason", "Settled.")).status()).isEqualTo(200);
        open.advanceTo("caseFiling");
        open.close();
        KINDS.forEach((address, kind) -> {
            List<JsonObject> logged = platform.rows("select envelope from platform.events where case_id = ? and event = ? order by sequence", UUID.fromString(open.caseId()), kind)
                    .stream().map(row -> new JsonObject(row.getFirst())).toList();
            assertThat(logged).as(kind).isNotEmpty();
            Await.until(() -> "%s as it was logged, heard is %s".formatted(kind, heard(address, open.caseId())), Await.BOUND, () -> heard(address, open.caseId()).equals(logged));
        });
        assertThat(sandboxes).doesNotContain(open.caseId());
        OpenCase sandbox = open.sandbox();
        Await.until("the creation of a sandbox is marked", () -> sandboxes.contains(sandbox.caseId()));
        // What lay before the node published anything is history; what is in the same case from now on is told.
        before.close();
        assertThat(awaitSome(() -> heard(Addresses.CASE_CLOSED, before.caseId()))).hasSize(1);
        assertThat(heard(Addresses.DOCKET_ENTRY_ADDED, before.caseId())).isEmpty();
    }

    @Test
    void publicProfilesAreAnsweredAndWhatIsNoRequestIsRefusedWithItsStatus() {
        OpenCase open = OpenCase.on(platform);
        assertThat(platform.post("/auth/users/update", new JsonObject().put("publicProfile", true), open.claimant().token()).status()).isEqualTo(200);
        JsonArray ids = new JsonArray().add(open.claimant().id()).add(UUID.randomUUID().toString()).add("nobody");
        assertThat(platform.ask(Addresses.PROFILES_USERS, new JsonObject().put("userIDs", ids))).isEqualTo(new JsonObject().put("profiles", new JsonArray()
                .add(new JsonObject().put("id", open.claimant().id()).put("first_name", "Clara").put("last_name", "Claimant"))));
        assertThat(platform.ask(Addresses.PROFILES_ORGANIZATIONS, new JsonObject().put("organizationIDs", ids)))
                .isEqualTo(new JsonObject().put("profiles", new JsonArray()));
        JsonArray many = new JsonArray(Collections.nCopies(1001, "x"));
        for (JsonObject request : List.of(new JsonObject(), new JsonObject().put("userIDs", "x"), new JsonObject().put("userIDs", new JsonArray().add(1)),
                new JsonObject().put("userIDs", many))) {
            assertThatThrownBy(() -> platform.ask(Addresses.PROFILES_USERS, request)).cause().isInstanceOfSatisfying(ReplyException.class, refused -> {
                assertThat(refused.failureCode()).isEqualTo(400);
                assertThat(refused).hasMessage("userIDs: must be an array of at most 1000 texts");
            });
        }
    }

    @Test
    void theVerticleOfTheGuideHearsOfAnEntryAndTellsOfItByEmail() throws Exception {
        OpenCase open = OpenCase.on(platform);
        assertThat(platform.post("/auth/users/update", new JsonObject().put("publicProfile", true), open.claimant().token()).status()).isEqualTo(200);
        String secretary = "secretary-" + UUID.randomUUID() + "@example.org";
        String deployment = done(platform.vertx().deployVerticle(verticleOfTheGuide(secretary)));
        try {
            open.docketed(new JsonObject());
            String eventId = awaitSome(() -> heard(Addresses.DOCKET_ENTRY_ADDED, open.caseId())).getFirst().getString("id");
            List<List<String>> emails = awaitSome(() -> platform.rows(
                    "select idempotency_key, html from emails.emails where ? = any(to_mailboxes)", secretary));
            assertThat(emails).hasSize(1);
            assertThat(emails.getFirst().getFirst()).isEqualTo("secretary:" + eventId);
            assertThat(emails.getFirst().getLast()).contains("Clara filed a letterToTribunal.");
            assertThat(awaitSome(() -> platform.rows("select user_id from push.messages where idempotency_key = ?", "filed:" + eventId)))
                    .containsExactly(List.of(open.claimant().id()));
        } finally {
            done(platform.vertx().undeploy(deployment));
        }
    }

    /** The guide's code, compiled as it stands there. */
    private static VerticleBase verticleOfTheGuide(String secretary) throws Exception {
        Matcher code = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(Path.of("docs/guides/event-bus.md")));
        assertThat(code.find()).isTrue();
        Path source = Files.writeString(Files.createDirectories(folder.resolve("guide")).resolve("SecretaryVerticle.java"), code.group(1));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp", System.getProperty("java.class.path"),
                "-d", source.getParent().toString(), source.toString())).isZero();
        URLClassLoader classes = new URLClassLoader(new URL[] {source.getParent().toUri().toURL()}, EventBusIT.class.getClassLoader());
        return (VerticleBase) classes.loadClass("SecretaryVerticle").getConstructor(String.class).newInstance(secretary);
    }

    @Test
    void theDocumentNamesEveryAddressAndTheGuideToo() throws Exception {
        List<String> addresses = new ArrayList<>();
        for (Field field : Arrays.stream(Addresses.class.getFields()).filter(field -> Modifier.isStatic(field.getModifiers())).toList()) {
            addresses.add((String) field.get(null));
        }
        JsonObject document;
        try (InputStream in = EventBusIT.class.getResourceAsStream("/asyncapi/event-bus.yaml")) {
            document = new JsonObject(new YAMLMapper().readTree(in).toString());
        }
        JsonObject bus = new JsonObject().put("$ref", "#/servers/eventBus");
        List<String> described = document.getJsonObject("channels").stream().map(channel -> (JsonObject) channel.getValue())
                .filter(channel -> channel.getJsonArray("servers", new JsonArray()).contains(bus) && channel.getString("address") != null)
                .map(channel -> channel.getString("address")).toList();
        assertThat(described).containsExactlyInAnyOrderElementsOf(addresses);
        String guide = Files.readString(Path.of("docs/guides/event-bus.md"));
        assertThat(addresses).allSatisfy(address -> assertThat(guide).contains("| `%s` |".formatted(address)));
    }
}
