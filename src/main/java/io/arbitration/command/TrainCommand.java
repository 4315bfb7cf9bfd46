package io.arbitration.command;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Starts a platform and plays the demo case repeatedly, so that the JVM records which classes are used: with {@code -XX:AOTCacheOutput} it
 * writes the start-up cache (JEP 514). Uses a temporary data folder and free ports, and ignores the settings of the environment.
 *
 * <p>A node maps and relocates the whole cache, so each class in it costs time and memory at every start. Therefore other processes do what a
 * usual start does not: one migrates the empty database first, and one is the client.
 */
@Command(name = "train", hidden = true, description = "Play the demo case repeatedly, to make the start-up cache.")
final class TrainCommand implements Callable<Integer> {

    private static final Duration HELPER_WAIT = Duration.ofMinutes(5);

    @Option(names = "--seconds", defaultValue = "3", description = "How long to play.")
    private int seconds;

    @Option(names = "--prepare", paramLabel = "FOLDER", description = "Only starts and stops a platform on this data folder.")
    private Path prepared;

    @Option(names = "--play", paramLabel = "URL", description = "Only plays, as a client of this platform.")
    private String played;

    @Override
    public Integer call() throws IOException {
        if (prepared != null) {
            Node.start(environment(prepared)).close();
            return 0;
        }
        if (played != null) {
            play(played);
            return 0;
        }
        Path dataFolder = Files.createTempDirectory("acp-train-");
        try {
            helper("--prepare", dataFolder.toString());
            try (Node node = Node.start(environment(dataFolder))) {
                helper("--play", node.url(), "--seconds", String.valueOf(seconds));
            }
            return 0;
        } finally {
            delete(dataFolder);
        }
    }

    /** Runs a part of this command in a process of its own, whose classes are not recorded. */
    private static void helper(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-cp", System.getProperty("java.class.path"), "io.arbitration.Main", "train"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).inheritIO().start();
        try {
            if (!process.waitFor(HELPER_WAIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new CommandFailure("train %s did not end well".formatted(List.of(arguments)));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted");
        } finally {
            process.destroy();
        }
    }

    private void play(String url) {
        try (DemoClient client = new DemoClient(area -> url + "/" + area, line -> {})) {
            long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
            int times = 0;
            do {
                readFiles(client, new DemoCase(client, false).play());
                times++;
            } while (System.nanoTime() < end);
            System.out.printf("the demo case was played %d times%n", times);
        }
    }

    /**
     * Uses functions that the demo case omits and that are slow at their first use: an export, the PDF of a docket entry, a
     * filled form.
     */
    private static void readFiles(DemoClient client, DemoCase.Ending ending) {
        JsonObject inCase = new JsonObject().put("caseID", ending.caseId());
        String token = ending.manager().token();
        client.upload("api", "/evidence/uploads/create", Map.of("caseID", ending.caseId(), "categoryID", "correspondence", "description", "A letter"),
                "letter.txt", "The cranes came late.", ending.claimant().token());
        client.drain("cases", "/cases/export", inCase, token);
        String entryId = client.look("api", "/docket/entries/list", inCase, token).getJsonArray("entries").getJsonObject(0).getString("entryID");
        client.drain("api", "/docket/entries/render", inCase.copy().put("entryID", entryId), token);
        client.drain("pdfs", "/templates/fill", new JsonObject().put("documentID", "answer").put("placeholders", new JsonObject().put("caseTitle", "Cranes v. Quarry")), null);
    }

    private static Map<String, String> environment(Path dataFolder) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.keySet().removeIf(name -> name.startsWith("ACP_"));
        environment.putAll(Map.of("ACP_PROFILE", "demo", "ACP_HTTP_PORT", "0", "ACP_MANAGEMENT_PORT", "0",
                "ACP_DATA_FOLDER", dataFolder.toString()));
        return environment;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
