package io.arbitration.platform.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How exact the rates of a platform are, on two running nodes with one database. */
class RatesOfNodesIT {

    /** A minute. */
    private static final int PERMITS = 20;
    private static final RunningPlatform PLATFORM = RunningPlatform.shared();

    /**
     * What a caller asks of one node after the other is counted as if there were one node. What it asks
     * of both at once is at most the bucket of each; from the next exchange on, nothing more until what was too much is paid for.
     */
    @Test
    void twoRunningNodesLetPassWhatOneWouldAndAtOnceOneBucketEachAtMost(@TempDir Path folder) {
        Map<String, String> rates = Map.of("ACP_RATE_LIMIT_ENABLED", "true", "ACP_RATE_LIMIT_PER_ADDRESS", "1000", "ACP_AI_AWARDS_PER_MINUTE", String.valueOf(PERMITS));
        try (RunningPlatform here = PLATFORM.sibling(folder.resolve("here"), rates); RunningPlatform there = PLATFORM.sibling(folder.resolve("there"), rates)) {
            awaitSharing(here);
            awaitSharing(there);
            Person first = here.signIn(UUID.randomUUID() + "@example.org", "F", "I");
            Person second = here.signIn(UUID.randomUUID() + "@example.org", "S", "E");

            long start = System.nanoTime();
            assertThat(passed(here, first, 12)).isEqualTo(12);
            awaitExchanged(here, there);
            int inAll = 12 + passed(there, first, PERMITS);
            assertThat(inAll).as("one after the other").isBetween(PERMITS, PERMITS + refilled(start));

            start = System.nanoTime();
            CompletableFuture<Integer> atThere = CompletableFuture.supplyAsync(() -> passed(there, second, 2 * PERMITS));
            int atOnce = passed(here, second, 2 * PERMITS) + atThere.join();
            assertThat(atOnce).as("at once").isBetween(PERMITS, 2 * PERMITS + 2 * refilled(start));
            awaitExchanged(here, there);
            assertThat(passed(here, second, PERMITS) + passed(there, second, PERMITS)).as("what is owed is paid first")
                    .isLessThanOrEqualTo(Math.max(0, 2 * refilled(start) - (atOnce - PERMITS)));
        }
    }

    /** How many permits have come since then, in a minute as many as there are. */
    private static int refilled(long startNanos) {
        return (int) Math.ceil((System.nanoTime() - startNanos) / 60e9 * PERMITS);
    }

    /** How many of so many requests were not over the rate; there is no model, which is told after the rate was asked. */
    private static int passed(RunningPlatform node, Person caller, int asked) {
        JsonObject wanted = new JsonObject().put("exhibits", new JsonArray()).put("documents", new JsonArray()
                .add(new JsonObject().put("gsUrl", "file://evidence/nothing.txt").put("contentType", "text/plain")));
        int passed = 0;
        for (int i = 0; i < asked; i++) {
            Answer answer = node.post("/ai/generate-award", wanted, caller.token());
            assertThat(answer.header("Error-Code")).isIn("model.not-configured", "rate.limited");
            passed += answer.status() == 429 ? 0 : 1;
        }
        return passed;
    }

    /** A node counts together with others from its first exchange on, a second after its start: what it let pass before is told to nobody. */
    private static void awaitSharing(RunningPlatform node) {
        List<Person> marks = new ArrayList<>();
        Await.until("the node counts together with others", () -> {
            marks.add(node.signIn(UUID.randomUUID() + "@example.org", "M", "A"));
            passed(node, marks.getLast(), 1);
            return marks.stream().anyMatch(RatesOfNodesIT::isTold);
        });
    }

    /** Until each node has told all that it let pass, then read what the others told, and then counted it: a node does that once a second. */
    private static void awaitExchanged(RunningPlatform... nodes) {
        for (int round = 0; round < 3; round++) {
            List<Person> marks = Stream.of(nodes).map(node -> {
                Person mark = node.signIn(UUID.randomUUID() + "@example.org", "M", "A");
                passed(node, mark, 1);
                return mark;
            }).toList();
            Await.until("each node has written", () -> marks.stream().allMatch(RatesOfNodesIT::isTold));
        }
    }

    private static boolean isTold(Person caller) {
        return !PLATFORM.rows("select from platform.rate_counts where counts like '%%award%%%s%%'".formatted(caller.id())).isEmpty();
    }
}
