package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.platform.AreaServices;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The event log tells of a case in the order in which it changed, whichever nodes changed it and in whatever batches. */
class EventOrderIT {

    @TempDir
    private static Path folder;
    private static RunningPlatform slow;
    private static RunningPlatform fast;

    @BeforeAll
    static void start() throws Exception {
        slow = RunningPlatform.start(folder.resolve("slow"), Map.of());
        fast = slow.sibling(folder.resolve("fast"));
    }

    @AfterAll
    static void stop() {
        fast.close();
        slow.close();
    }

    private static Connection locked(OpenCase open) throws SQLException {
        Connection sql = slow.sql();
        sql.setAutoCommit(false);
        try (PreparedStatement lock = sql.prepareStatement("select from mainapi.heads where case_id = ? for update")) {
            lock.setObject(1, UUID.fromString(open.caseId()));
            lock.executeQuery();
        }
        return sql;
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static int waiting() {
        return Integer.parseInt(slow.rows("select count(*) from pg_locks where not granted").getFirst().getFirst());
    }

    /** Decides as the node does on what waited in a lane: in one transaction. */
    private static CompletableFuture<List<DecisionLanes.Outcome>> batch(List<OpenCase> cases, List<String> filings) {
        AreaServices services = slow.services();
        CaseRules rules = DefinitionsLoader.rules(slow.settings().definitions().folder(), services.clock());
        FilingRepository repository = new FilingRepository(services.database(), services.events(), services.audit(),
                new DocketRepository(services.database()), new FilingRules(rules, services.clock()));
        return repository.decide(IntStream.range(0, cases.size()).mapToObj(i -> new DecisionLanes.Asked(new FilingCommand.Submit(
                UUID.fromString(cases.get(i).caseId()),
                new FilingCommand.By(UUID.fromString(cases.get(i).claimant().id()), "request", "127.0.0.1", Optional.empty()),
                Long.parseLong(filings.get(i)), OptionalLong.empty()), Optional.empty())).toList()).toCompletionStage().toCompletableFuture();
    }

    /**
     * One node decides on three cases in a batch and is held up at the second, after it has locked the first. Meanwhile the other
     * node dockets in the third; then the first goes on and dockets there too.
     */
    @Test
    void aBatchThatBeganBeforeAnEntryAndDocketsAfterItIsReadAfterIt() throws Exception {
        OpenCase people = OpenCase.on(slow);
        List<OpenCase> cases = Stream.generate(people::another).limit(3).sorted(Comparator.comparing(OpenCase::caseId)).toList();
        OpenCase third = cases.getLast();
        List<String> filings = cases.stream().map(open -> open.draft(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT)).toList();
        String ofTheOther = third.draft(third.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
        try (Connection heldUp = locked(cases.get(1))) {
            CompletableFuture<List<DecisionLanes.Outcome>> batch = batch(cases, filings);
            await("the batch waits at its second case", () -> waiting() == 1);
            CompletableFuture<Answer> other = CompletableFuture.supplyAsync(() -> fast.post("/api/filings/documents/submit",
                    new JsonObject().put("caseID", third.caseId()).put("filingID", ofTheOther), third.claimant().token()), Thread::startVirtualThread);
            await("the other node has docketed, or waits for its turn", () -> other.isDone() || waiting() == 2);
            heldUp.rollback();
            assertThat(batch.get(60, TimeUnit.SECONDS)).hasOnlyElementsOfType(DecisionLanes.Outcome.Decided.class);
            assertThat(other.get(60, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
        List<String> log = slow.rows("""
                select envelope::jsonb -> 'data' ->> 'entryID' from platform.events where case_id = ? and event = 'docket_filing' order by transaction, sequence
                """, UUID.fromString(third.caseId())).stream().map(List::getFirst).toList();
        List<String> docket = slow.rows("select entry_id::text from mainapi.entries where case_id = ? order by number",
                UUID.fromString(third.caseId())).stream().map(List::getFirst).toList();
        assertThat(log).hasSize(2).isEqualTo(docket);
    }
}
