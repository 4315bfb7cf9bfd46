package io.arbitration.platform.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.events.Addresses;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes of one cluster that serve different areas, and a verticle of somebody else's that joins them. */
class ClusterIT {

    private static final Duration REPEAT = Duration.ofSeconds(10);
    private static final String SECRET = "a secret of thirty-two characters or more";

    @TempDir
    private static Path folder;

    private static int port;
    private static RunningPlatform cases;
    private static RunningPlatform mail;

    @BeforeAll
    static void open() throws IOException {
        port = FreePort.any();
        int other = FreePort.any();
        cases = node("cases", port, "auth,demo,cases,api,alerts", Map.of("ACP_EVENT_BUS_EVENTS", "true"));
        mail = node("mail", other, "auth,emails,push,profiles", Map.of());
        Await.until(() -> health(cases).equals("UP") && health(mail).equals("UP"));
    }

    private static RunningPlatform node(String name, int at, String areas, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("ACP_CLUSTER_ENABLED", "true", "ACP_CLUSTER_HOST", "127.0.0.1", "ACP_CLUSTER_PORT", String.valueOf(at),
                "ACP_CLUSTER_BUS_PORT", "0", "ACP_CLUSTER_MEMBERS", "127.0.0.1:" + port, "ACP_CLUSTER_SECRET", SECRET, "ACP_AREAS_ENABLED", areas));
        settings.putAll(more);
        return RunningPlatform.shared().sibling(folder.resolve(name), settings);
    }

    @AfterAll
    static void close() {
        mail.close();
        cases.close();
    }

    private static String health(RunningPlatform node) {
        return node.health().getJsonObject("parts").getString("cluster");
    }

    @Test
    void anAreaThatThisNodeDoesNotServeIsAskedOnTheOneThatDoes() {
        OpenCase open = OpenCase.on(cases);
        assertThat(cases.ask(Addresses.PROFILES_USERS, new JsonObject().put("userIDs", new JsonArray().add(open.claimant().id())))
                .getJsonArray("profiles").getJsonObject(0).getString("first_name")).isEqualTo("Clara");
        String key = "cluster:" + UUID.randomUUID();
        assertThat(cases.vertx().eventBus().request(Addresses.EMAILS_SEND, new JsonObject().put("idempotencyKey", key)
                        .put("to", new JsonArray().add("somebody@example.org")).put("subject", "S").put("html", "<p>H</p>"))
                .toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join().body()).isEqualTo("Email accepted.");
        assertThat(cases.rows("select subject from emails.emails where idempotency_key = ?", key)).containsExactly(List.of("S"));
    }

    /** The guide's program, compiled as it stands there and run as a process. */
    @Test
    void theProgramOfTheGuideJoinsHearsOfAnEntryAndTellsOfItByEmail() throws Exception {
        OpenCase open = OpenCase.on(cases);
        String secretary = "secretary-" + UUID.randomUUID() + "@example.org";
        Path classes = Files.createDirectories(folder.resolve("guide"));
        Path program = code(Path.of("docs/guides/cluster.md"), classes.resolve("Secretary.java"));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp", System.getProperty("java.class.path"),
                "-d", classes.toString(), program.toString())).isZero();
        Path output = folder.resolve("secretary.log");
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-cp", classes + ":" + System.getProperty("java.class.path"),
                "Secretary", "127.0.0.1", "127.0.0.1:" + port,
                String.valueOf(FreePort.any()), secretary).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("ACP_CLUSTER_SECRET", SECRET);
        Process process = builder.start();
        try {
            Await.until(() -> {
                assertThat(process.isAlive()).as(() -> text(output)).isTrue();
                return text(output).contains("listening");
            });
            // The bus promises no single message: one that a busy machine loses is followed by the next entry's.
            AtomicLong filed = new AtomicLong(System.nanoTime());
            open.docketed(new JsonObject());
            Await.until(() -> {
                if (System.nanoTime() - filed.get() > REPEAT.toNanos()) {
                    filed.set(System.nanoTime());
                    open.docketed(new JsonObject());
                }
                return !cases.rows("select 1 from emails.emails where ? = any(to_mailboxes)", secretary).isEmpty();
            });
            assertThat(cases.rows("select html from emails.emails where ? = any(to_mailboxes)", secretary).getFirst().getFirst())
                    .contains("Somebody filed a letterToTribunal.");
        } finally {
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Path code(Path guide, Path source) throws IOException {
        Matcher code = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(guide));
        assertThat(code.find()).isTrue();
        return Files.writeString(source, code.group(1));
    }
}
