package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.FileId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.evidence.EvidenceBounds;
import io.arbitration.domain.evidence.UploadRefusal;
import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.domain.filing.FilingChange;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.domain.filing.FilingRefusal;
import io.arbitration.domain.filing.FilingRules;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.batching.CommandBatcher;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.objects.StagedObject;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import io.arbitration.domain.docket.DocketEntry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** A batch is written whole or not at all, and what fails it fails no other command for long. */
class FilingBatchesIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final EvidenceBounds BOUNDS = new EvidenceBounds(100, 1L << 40, 1L << 40, 1000);

    private final OpenCase open = OpenCase.on(PLATFORM);
    private final FilingBatches batches = of(PLATFORM);

    /** Batches as the node makes them, put together here so that a test says which commands are in one. */
    static FilingBatches of(RunningPlatform node) {
        return of(node, entries -> {});
    }

    private static FilingBatches of(RunningPlatform node, Consumer<List<DocketEntry>> docketed) {
        AreaServices services = node.services();
        CaseRules caseRules = DefinitionsLoader.rules(node.settings().definitions().folder(), services.clock());
        FilingRules rules = new FilingRules(caseRules, 200);
        FilingRepository repository = new FilingRepository(services.database());
        DocketRepository docket = new DocketRepository(services.database());
        CaseSnapshots snapshots = new CaseSnapshots(services.database(), repository, docket, services.events(), caseRules, 200);
        UploadRules bytesRules = new UploadRules(caseRules, BOUNDS);
        AddedFiles added = new AddedFiles(new FileRepository(services.database()), services.objects().pending(), bytesRules);
        return new FilingBatches(services.database(), snapshots, rules, bytesRules, repository, added, docket, docketed, services.audit(), services.events(),
                new FilingTrail(services.random()), services.clock(), services.random());
    }

    private FilingBatches.PendingCommand submission(String filingId, Optional<RequestKey> key) {
        return submission(open, filingId, key);
    }

    private static FilingBatches.PendingCommand submission(OpenCase of, String filingId, Optional<RequestKey> key) {
        UUID claimant = UUID.fromString(of.claimant().id());
        return new FilingBatches.PendingCommand(
                new FilingCommand.Submit(CaseId.of(of.caseId()).orElseThrow(), new UserId(claimant), FilingId.of(filingId).orElseThrow(), OptionalLong.empty()),
                new Requester(new Caller(claimant, UUID.randomUUID(), Set.of()), "request", "127.0.0.1", Optional.empty(), key, Optional.empty()));
    }

    private String draft() {
        return open.draft(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
    }

    private String state(String filingId) {
        return open.view(open.claimant(), filingId).getString("state");
    }

    /** A key that another request has taken over meanwhile. */
    private Optional<RequestKey> lost() {
        return Optional.of(new RequestKey(UUID.fromString(open.claimant().id()), "main.submitDocument", UUID.randomUUID().toString(), Instant.EPOCH));
    }

    @Test
    void aBatchWithACommandWhoseKeyIsAnothersWritesNothing() {
        String good = draft();
        String bad = draft();
        assertThatThrownBy(() -> Await.result(batches.decide(List.of(submission(good, Optional.empty()), submission(bad, lost())))))
                .isInstanceOf(RequestKey.Taken.class);
        assertThat(List.of(state(good), state(bad))).containsOnly("draft");
        assertThat(open.docket(open.claimant())).isEmpty();
        assertThat(PLATFORM.rows("select 1 from platform.audit where case_id = ? and action like 'filing.submitted%'", UUID.fromString(open.caseId()))).isEmpty();
        assertThat(PLATFORM.rows("select 1 from platform.events where case_id = ? and event = 'docket_filing'", UUID.fromString(open.caseId()))).isEmpty();
    }

    @Test
    void aRefusedCommandDoesNotDisturbTheOthersOfItsBatch() {
        String good = draft();
        List<Decision<FilingChange, FilingRefusal>> decisions = Await.result(batches.decide(List.of(
                submission("999999999999", Optional.empty()), submission(good, Optional.empty()), submission(good, Optional.empty()))));
        assertThat(decisions.get(0)).isEqualTo(new Decision.Refused<>(FilingRefusal.Reason.FILING_NOT_FOUND));
        assertThat(decisions.get(1)).isInstanceOf(Decision.Decided.class);
        assertThat(decisions.get(2)).isEqualTo(new Decision.Refused<>(new FilingRefusal.AlreadyDocketed(FilingRefusal.Verb.SUBMITTED)));
        assertThat(open.docket(open.claimant())).hasSize(1);
    }

    /** A reader who was let in just before the commit is answered by a list that all may read. */
    @Test
    void noListThatAllMayReadIsGivenEntriesOfACaseOfWhichOneIsSealedFromTheFirst() {
        List<DocketEntry> given = new CopyOnWriteArrayList<>();
        FilingBatches telling = of(PLATFORM, given::addAll);
        OpenCase other = OpenCase.on(PLATFORM);
        String readable = other.draft(other.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
        String before = draft();
        String sealed = open.on("/api/filings/create", open.claimant(), new JsonObject().put("documentID", OpenCase.UNAPPROVED_DOCUMENT)
                .put("title", "Trade secret").put("fields", OpenCase.completeFields(OpenCase.UNAPPROVED_DOCUMENT))
                .put("sealed", new JsonObject().put("visibleTo", new JsonArray()).put("reason", "Trade secrets."))).object().getString("filingID");
        assertThat(Await.result(telling.decide(List.of(submission(before, Optional.empty()), submission(sealed, Optional.empty()),
                submission(other, readable, Optional.empty()))))).allMatch(decision -> decision instanceof Decision.Decided);
        assertThat(given).extracting(entry -> entry.filingId().toString()).containsExactly(readable);
    }

    /** The bytes are decided before anything is written: whoever has used its quota up does not undo the batch that it shares with others. */
    @Test
    void aFileBeyondTheBytesOfItsUserIsRefusedAloneAndOneThatFitsIsTaken() {
        OpenCase other = OpenCase.on(PLATFORM);
        String good = draft();
        UUID greedy = UUID.fromString(other.claimant().id());
        String filing = other.draft(other.claimant(), OpenCase.APPROVED_DOCUMENT);
        long before = PLATFORM.rows("select bytes from mainapi.user_evidence_bytes where user_id = ?", greedy).stream()
                .mapToLong(row -> Long.parseLong(row.getFirst())).sum();
        List<ObjectStores.Kept> objects = Stream.of(600 - before, 401L, 400L).map(FilingBatchesIT::kept).toList();
        List<FilingBatches.PendingCommand> files = objects.stream().map(object -> file(other, greedy, filing, object)).toList();
        List<Decision<FilingChange, FilingRefusal>> decisions = Await.result(batches.decide(Stream.concat(files.stream(),
                Stream.of(submission(good, Optional.empty()))).toList()));
        assertThat(decisions.get(0)).isInstanceOf(Decision.Decided.class);
        assertThat(decisions.get(1)).isEqualTo(new Decision.Refused<>(new FilingRefusal.TooManyBytes(UploadRefusal.TOO_MANY_BYTES_OF_USER, BOUNDS)));
        assertThat(decisions.get(2)).isInstanceOf(Decision.Decided.class);
        assertThat(decisions.get(3)).isInstanceOf(Decision.Decided.class);
        assertThat(PLATFORM.rows("select bytes from mainapi.files where case_id = ? order by position", UUID.fromString(other.caseId())))
                .containsExactly(List.of(String.valueOf(600 - before)), List.of("400"));
        assertThat(objects).extracting(object -> isPending(object.object())).as("only the object of the refused file belongs to nothing").containsExactly(false, true, false);
        objects.forEach(object -> Await.result(isPending(object.object()) ? object.object().abandon() : object.object().release()));
        assertThat(state(good)).isEqualTo("docketed");
    }

    private static boolean isPending(StagedObject object) {
        return !PLATFORM.rows("select 1 from platform.pending_objects where address = ?", object.address().toString()).isEmpty();
    }

    /** Stored on an event loop, as uploads are. */
    private static ObjectStores.Kept kept(long bytes) {
        return Await.result(Future.future(kept -> PLATFORM.vertx().runOnContext(now -> PLATFORM.services().objects()
                .keep(PLATFORM.settings().evidence().bucket(), "filings", new byte[(int) bytes]).onComplete(kept))));
    }

    private static FilingBatches.PendingCommand file(OpenCase of, UUID by, String filingId, ObjectStores.Kept kept) {
        FiledFile file = new FiledFile(new FileId(1_000_000_000L + kept.fingerprint().bytes()), "A file", "a.bin", "application/octet-stream",
                kept.fingerprint().bytes(), kept.fingerprint().sha256(), Optional.empty(), kept.object().address().toString());
        return new FilingBatches.PendingCommand(
                new FilingCommand.AddFile(CaseId.of(of.caseId()).orElseThrow(), new UserId(by), FilingId.of(filingId).orElseThrow(), OptionalLong.empty(), file),
                new Requester(new Caller(by, UUID.randomUUID(), Set.of()), "request", "127.0.0.1", Optional.empty(), Optional.empty(), Optional.empty()),
                FilingBatches.FurtherWrite.NOTHING, Optional.of(kept.fingerprint()));
    }

    @Test
    void whatFailsABatchFailsAloneWhenEachIsTriedByItself() {
        String first = draft();
        String bad = draft();
        String second = draft();
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        CommandBatcher<FilingBatches.PendingCommand, Decision<FilingChange, FilingRefusal>> batcher = new CommandBatcher<>(PLATFORM.vertx(), 1, 10, batch -> {
            sizes.add(batch.size());
            return batches.decide(batch);
        });
        // Submitted on one event loop before it goes on, so that the three share a batch.
        Future<List<Future<Decision<FilingChange, FilingRefusal>>>> submitted = Future.future(promise -> PLATFORM.vertx().runOnContext(now -> promise.complete(List.of(
                batcher.submit("case", submission(first, Optional.empty())), batcher.submit("case", submission(bad, lost())),
                batcher.submit("case", submission(second, Optional.empty()))))));
        List<Future<Decision<FilingChange, FilingRefusal>>> results = Await.result(submitted);
        assertThat(Await.result(results.get(0))).isInstanceOf(Decision.Decided.class);
        assertThatThrownBy(() -> Await.result(results.get(1))).isInstanceOf(RequestKey.Taken.class);
        assertThat(Await.result(results.get(2))).isInstanceOf(Decision.Decided.class);
        assertThat(sizes).containsExactly(3, 1, 1, 1);
        assertThat(List.of(state(first), state(bad), state(second))).containsExactly("docketed", "draft", "docketed");
    }
}
