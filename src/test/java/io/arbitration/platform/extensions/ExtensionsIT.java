package io.arbitration.platform.extensions;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with verticles of an operator: the example of the guide, two that have classes of one name, and some that are wrong in every way. */
class ExtensionsIT {

    private static final Path EXAMPLE = Path.of("dev/extension-example");
    private static final String SECRETARY = "secretary-" + UUID.randomUUID() + "@example.org";
    private static final String NEVER_SHOWN = "the-password-of-an-extension";

    @TempDir
    private static Path folder;
    private static Path extensions;
    private static RunningPlatform node;

    @BeforeAll
    static void start() throws Exception {
        extensions = Files.createDirectories(folder.resolve("extensions"));
        built("10-secretary", Files.readString(EXAMPLE.resolve("extension.yaml")).replace("registry@example.org", SECRETARY),
                Map.of("org/example/SecretaryVerticle", Files.readString(EXAMPLE.resolve("src/org/example/SecretaryVerticle.java"))));
        for (String name : List.of("one", "two")) {
            built("20-" + name, descriptor(name, "org.example.Answering"), Map.of(
                    "org/example/Word", "package org.example; class Word { static final String SAID = \"%s on \" + Thread.currentThread().isVirtual(); }".formatted(name),
                    "org/example/Answering", verticle("Answering", """
                            vertx.eventBus().consumer("extensions-it.%s", message -> message.reply(new io.vertx.core.json.JsonObject().put("said", Word.SAID)));
                            return io.vertx.core.Future.succeededFuture();
                            """.formatted(name))));
        }
        Files.createDirectory(extensions.resolve("30-empty"));
        Files.createDirectory(extensions.resolve(".hidden"));
        Files.writeString(extensions.resolve("30-lonely.jar"), "");
        Files.writeString(Files.createDirectory(extensions.resolve("31-jarless")).resolve("extension.yaml"), descriptor("jarless", "org.example.A"));
        built("32-classless", descriptor("classless", "org.example.Elsewhere"), Map.of("org/example/A", "package org.example; public class A {}"));
        built("33-textual", descriptor("textual", "org.example.A"), Map.of("org/example/A", "package org.example; public class A {}"));
        built("34-hidden", descriptor("private", "org.example.A"), Map.of("org/example/A", "package org.example; public class A { private A() {} }"));
        built("35-throwing", descriptor("throwing", "org.example.A"),
                Map.of("org/example/A", "package org.example; public class A { public A() { throw new IllegalStateException(\"no ledger\"); } }"));
        built("36-broken", descriptor("broken", "org.example.A"),
                Map.of("org/example/A", "package org.example; public class A { static int zero = 0; static int broken = 1 / zero; public A() {} }"));
        built("37-refusing", descriptor("refusing", "org.example.Refusing"),
                Map.of("org/example/Refusing", verticle("Refusing", "return io.vertx.core.Future.failedFuture(\"configuration.mailbox is missing\");")));
        built("38-stuck", descriptor("stuck", "org.example.Stuck"),
                Map.of("org/example/Stuck", verticle("Stuck", "return io.vertx.core.Promise.promise().future();")));
        built("39-waiting", descriptor("waiting", "org.example.A"),
                Map.of("org/example/A", "package org.example; public class A { static { try { new java.util.concurrent.CountDownLatch(1).await(); } catch (InterruptedException ended) {} } }"));
        built("40-twin", descriptor("one", "org.example.A"), Map.of("org/example/A", "package org.example; public class A {}"));
        built("41-many", descriptor("many", "org.example.A"), Map.of("org/example/A", "package org.example; public class A {}"));
        node = RunningPlatform.shared().sibling(folder.resolve("node"), Map.of("ACP_EVENT_BUS_EVENTS", "true", "ACP_EXTENSIONS_FOLDER", extensions.toString(),
                "ACP_EXTENSIONS_PATIENCE_SECONDS", "6", "ACP_EXTENSIONS_COUNT_MAX", "12"));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static String descriptor(String name, String main) {
        return "name: %s\nmain: %s\nconfiguration: {password: %s}\n".formatted(name, main, NEVER_SHOWN);
    }

    private static String verticle(String name, String start) {
        return "package org.example; public class %s extends io.vertx.core.VerticleBase { @Override public io.vertx.core.Future<?> start() {\n%s\n} }".formatted(name, start);
    }

    /** An extension as the guide builds one: its classes compiled, in a jar beside its descriptor. */
    private static void built(String name, String descriptor, Map<String, String> sources) throws IOException {
        Path work = Files.createDirectories(folder.resolve("work").resolve(name));
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", work.resolve("classes").toString()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = work.resolve(source.getKey() + ".java");
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, complaints, arguments.toArray(String[]::new))).as(complaints.toString(StandardCharsets.UTF_8)).isZero();
        Path into = Files.createDirectories(extensions.resolve(name));
        Files.writeString(into.resolve("extension.yaml"), descriptor);
        try (Stream<Path> classes = Files.walk(work.resolve("classes")); JarOutputStream jar = new JarOutputStream(Files.newOutputStream(into.resolve(name + ".jar")))) {
            for (Path one : classes.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(new JarEntry(work.resolve("classes").relativize(one).toString()));
                Files.copy(one, jar);
            }
        }
    }

    @Test
    void whatIsWrongWithAnExtensionIsNamedInHealthAndTheNodeServesAllTheSame() {
        JsonObject health = Await.value(() -> "the troubles of those that do not start, health is " + node.health(), Await.BOUND, () -> {
            JsonObject seen = node.health();
            String troubles = seen.getJsonObject("troubles", new JsonObject()).getString("extensions", "");
            return troubles.contains("stuck: has not") && troubles.contains("waiting: has not") && troubles.contains("refusing: ") && troubles.contains("broken: ") ? seen : null;
        });
        assertThat(health.getString("status")).isEqualTo("UP");
        assertThat(health.getJsonObject("parts").getString("extensions")).isEqualTo("DOWN");
        String troubles = health.getJsonObject("troubles").getString("extensions");
        assertThat(new TreeSet<>(Arrays.asList(troubles.split("; (?=[a-z0-9.-]+: )")))).containsExactlyInAnyOrder(
                "30-empty: there is no extension.yaml",
                "30-lonely.jar: is no folder; an extension is a folder with extension.yaml and jars",
                "jarless: has no jar",
                "classless: there is no class org.example.Elsewhere in its jars",
                "textual: org.example.A is no verticle of Vert.x",
                "private: org.example.A has no public constructor without parameters",
                "throwing: java.lang.IllegalStateException: no ledger",
                "broken: java.lang.ArithmeticException: / by zero",
                "refusing: configuration.mailbox is missing",
                "stuck: has not started within 6 s",
                "waiting: has not started within 6 s",
                "one: the folder 40-twin is not started: another extension has the name",
                "many: is one more than extensions.countMax 12");
        assertThat(health.encode()).doesNotContain(NEVER_SHOWN);
        assertThat(node.signIn("eve@example.org", "Eve", "Extended").token()).isNotEmpty();
    }

    @Test
    void extensionsDoNotSeeEachOthersClassesAndRunOnVirtualThreads() {
        for (String name : List.of("one", "two")) {
            JsonObject answer = Await.value(() -> "an answer of " + name, Await.BOUND, () -> {
                try {
                    return node.ask("extensions-it." + name, new JsonObject());
                } catch (java.util.concurrent.CompletionException notYet) {
                    return null;
                }
            });
            assertThat(answer.getString("said")).isEqualTo(name + " on true");
        }
    }

    @Test
    void theExampleOfTheGuideSendsAnEmailOfANewEntryUntilItIsStopped() throws IOException {
        Path alone = Files.createDirectories(folder.resolve("alone"));
        Files.createSymbolicLink(alone.resolve("secretary"), extensions.resolve("10-secretary").toAbsolutePath());
        Extensions own = Extensions.start(node.vertx(), new ExtensionSettings(Optional.of(alone), 1, Duration.ofSeconds(30)));
        Await.until("it has started", () -> own.state().word().equals("UP"));
        OpenCase.on(node).docketed(new JsonObject());
        List<List<String>> emails = Await.value("an email of an entry", () -> {
            List<List<String>> found = node.rows("select subject from emails.emails where ? = any(to_mailboxes)", SECRETARY);
            return found.isEmpty() ? null : found;
        });
        assertThat(emails.getFirst().getFirst()).startsWith("Entry ");
        int before = node.vertx().deploymentIDs().size();
        own.stop().toCompletionStage().toCompletableFuture().join();
        assertThat(node.vertx().deploymentIDs()).hasSize(before - 1);
    }

    @Test
    void theFolderMayBeMissingAndIsNamedThen() {
        ExtensionSettings missing = new ExtensionSettings(Optional.of(folder.resolve("nowhere")), 1, Duration.ofSeconds(1));
        assertThat(Extensions.start(node.vertx(), missing).state().trouble()).contains("extensions.folder %s cannot be read".formatted(folder.resolve("nowhere")));
        ExtensionSettings none = new ExtensionSettings(Optional.empty(), 1, Duration.ofSeconds(1));
        assertThat(Extensions.start(node.vertx(), none).state().word()).isEqualTo("OFF");
    }
}
