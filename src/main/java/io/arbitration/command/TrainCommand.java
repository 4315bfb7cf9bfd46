package io.arbitration.command;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Starts a platform and plays the demo case repeatedly, so that the JVM records which classes and methods are used: with
 * {@code -XX:AOTCacheOutput} it writes the start-up cache (JEP 514). Uses a temporary data folder and free ports, and ignores the
 * settings of the environment.
 */
@Command(name = "train", hidden = true, description = "Play the demo case repeatedly, to make the start-up cache.")
final class TrainCommand implements Callable<Integer> {

    @Option(names = "--seconds", defaultValue = "8", description = "How long to play.")
    private int seconds;

    @Override
    public Integer call() throws IOException {
        Path dataFolder = Files.createTempDirectory("acp-train-");
        try {
            play(environment(dataFolder));
            return 0;
        } finally {
            delete(dataFolder);
        }
    }

    private void play(Map<String, String> environment) {
        try (Node node = Node.start(environment); DemoClient client = new DemoClient(node::url, line -> {})) {
            long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
            int played = 0;
            do {
                readFiles(client, new DemoCase(client, false).play());
                played++;
            } while (System.nanoTime() < end);
            System.out.printf("the demo case was played %d times%n", played);
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
