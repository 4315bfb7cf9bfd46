package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.filing.FilingChange;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.domain.filing.FilingRefusal;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.Requester;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

    private static int waiting() {
        return Integer.parseInt(slow.rows("select count(*) from pg_locks where not granted").getFirst().getFirst());
    }

    /** Decides as the node does on commands that waited together: in one transaction. */
    private static CompletableFuture<List<Decision<FilingChange, FilingRefusal>>> batch(List<OpenCase> cases, List<String> filings) {
        FilingBatches batches = FilingBatchesIT.of(slow);
        return batches.decide(IntStream.range(0, cases.size()).mapToObj(i -> submission(cases.get(i), filings.get(i))).toList())
                .toCompletionStage().toCompletableFuture();
    }

    private static FilingBatches.PendingCommand submission(OpenCase open, String filingId) {
        UUID claimant = UUID.fromString(open.claimant().id());
        Caller caller = new Caller(claimant, UUID.randomUUID(), Set.of());
        return new FilingBatches.PendingCommand(
                new FilingCommand.Submit(CaseId.of(open.caseId()).orElseThrow(), new UserId(claimant), FilingId.of(filingId).orElseThrow(), OptionalLong.empty()),
                new Requester(caller, "request", "127.0.0.1", Optional.empty(), Optional.empty(), Optional.empty()));
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
            CompletableFuture<List<Decision<FilingChange, FilingRefusal>>> batch = batch(cases, filings);
            Await.until("the batch waits at its second case", () -> waiting() == 1);
            CompletableFuture<Answer> other = CompletableFuture.supplyAsync(() -> fast.post("/api/filings/documents/submit",
                    new JsonObject().put("caseID", third.caseId()).put("filingID", ofTheOther), third.claimant().token()), Thread::startVirtualThread);
            Await.until("the other node has docketed, or waits for its turn", () -> other.isDone() || waiting() == 2);
            heldUp.rollback();
            assertThat(batch.get(60, TimeUnit.SECONDS)).allMatch(Decision.Decided.class::isInstance);
            assertThat(other.get(60, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
        List<String> log = slow.rows("""
                select envelope::jsonb -> 'data' ->> 'entryID' from platform.events where case_id = ? and event = 'docket_filing' order by sequence
                """, UUID.fromString(third.caseId())).stream().map(List::getFirst).toList();
        List<String> docket = slow.rows("select entry_id::text from mainapi.entries where case_id = ? order by number",
                UUID.fromString(third.caseId())).stream().map(List::getFirst).toList();
        assertThat(log).hasSize(2).isEqualTo(docket);
    }
}
