package io.arbitration.chaos;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What clients asked of cases and were answered, with the times of both, and the judge of it: porcupine, in {@code dev/linearizability}. From
 * any thread.
 */
final class History {

    private static final Path JUDGE = Path.of("dev/linearizability");
    private static final long BUILD_SECONDS_MAX = 240;

    private final Queue<JsonObject> operations = new ConcurrentLinkedQueue<>();

    /** @param said what the judge printed */
    record Judgment(int code, String said) {}

    /** Records one operation: asks it, and keeps what came and when. */
    void ask(String caseId, int client, String name, String filingId, Supplier<JsonObject> operation) {
        JsonObject one = new JsonObject().put("case", caseId).put("client", client).put("name", name).put("filing", filingId).put("from", System.nanoTime());
        JsonObject outcome = operation.get();
        operations.add(one.mergeIn(outcome).put("to", System.nanoTime()));
    }

    List<JsonObject> operations() {
        return List.copyOf(operations);
    }

    /** The same operations, of which a list of one docket lacks its first entry although an earlier one had it; empty where no docket was listed twice. */
    static Optional<List<JsonObject>> wrong(List<JsonObject> operations) {
        Optional<JsonObject> last = operations.stream().filter(one -> one.getString("name").equals("list") && one.getJsonArray("docket").size() > 1)
                .max(java.util.Comparator.comparing(one -> one.getLong("from")));
        return last.map(one -> {
            JsonArray shorter = one.getJsonArray("docket").copy();
            shorter.remove(0);
            return operations.stream().map(other -> other == one ? one.copy().put("docket", shorter) : other).toList();
        });
    }

    /** Builds the judge below {@code target}; empty, with the reason printed, where it is not to be had. */
    static Optional<Path> judge() throws IOException, InterruptedException {
        Path built = Path.of("target/linearizability").toAbsolutePath();
        Path log = Path.of("target/linearizability.log");
        try {
            Process build = new ProcessBuilder("go", "build", "-o", built.toString(), ".").directory(JUDGE.toFile()).redirectErrorStream(true)
                    .redirectOutput(log.toFile()).start();
            if (build.waitFor(BUILD_SECONDS_MAX, TimeUnit.SECONDS) && build.exitValue() == 0) {
                return Optional.of(built);
            }
            build.destroyForcibly();
            System.out.printf("skipped: the judge of histories could not be built: %s%n", Files.readString(log));
        } catch (IOException none) {
            System.out.println("skipped: no Go on this machine to build the judge of histories with");
        }
        return Optional.empty();
    }

    static Judgment judged(Path judge, Path file, List<JsonObject> operations) throws IOException, InterruptedException {
        Files.write(file, operations.stream().map(JsonObject::encode).toList());
        Process process = new ProcessBuilder(judge.toString(), file.toString()).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return new Judgment(process.waitFor(), said);
    }
}
