package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FileId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.evidence.UploadRefusal;
import io.arbitration.domain.evidence.UploadRules;
import io.arbitration.domain.evidence.UploadedTotals;
import io.arbitration.domain.filing.CaseSnapshot;
import io.arbitration.domain.filing.Filing;
import io.arbitration.domain.filing.FilingChange;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.domain.filing.FilingRefusal;
import io.arbitration.domain.filing.FilingRules;
import io.arbitration.domain.filing.IdGenerator;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.files.StoredBytesRepository;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.batching.SequentialWork;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.RequestKey;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import io.arbitration.platform.events.EventLog;
import io.arbitration.platform.objects.Fingerprint;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Decides batches of commands, each batch in one transaction under the locks of its cases. */
final class FilingBatches {

    private static final int SALT_BYTES = 32;

    private final Database database;
    private final CaseSnapshots snapshots;
    private final FilingRules rules;
    private final UploadRules bytesRules;
    private final StoredBytesRepository storedBytes = new StoredBytesRepository();
    private final FilingRepository filings;
    private final AddedFiles files;
    private final DocketRepository docket;
    private final Consumer<List<DocketEntry>> docketed;
    private final AuditTrail audit;
    private final EventLog events;
    private final FilingTrail trail;
    private final Clock clock;
    private final RandomGenerator random;

    FilingBatches(
            Database database, CaseSnapshots snapshots, FilingRules rules, UploadRules bytesRules, FilingRepository filings, AddedFiles files,
            DocketRepository docket, Consumer<List<DocketEntry>> docketed, AuditTrail audit, EventLog events, FilingTrail trail, Clock clock, RandomGenerator random) {
        this.database = database;
        this.snapshots = snapshots;
        this.rules = rules;
        this.bytesRules = bytesRules;
        this.filings = filings;
        this.files = files;
        this.docket = docket;
        this.docketed = docketed;
        this.audit = audit;
        this.events = events;
        this.trail = trail;
        this.clock = clock;
        this.random = random;
    }

    /**
     * A further write in the transaction of the batch, which belongs to one change. If the batch fails, it is rolled back and each of its
     * commands is executed alone, so this may be called twice.
     */
    @FunctionalInterface
    interface FurtherWrite {

        FurtherWrite NOTHING = (transaction, change) -> Future.succeededFuture();

        Future<Void> write(SqlConnection transaction, FilingChange change);
    }

    /**
     * A command, its requester, and what is written together with its change.
     *
     * @param fingerprint of the file that the command adds; empty for any other command
     */
    record PendingCommand(FilingCommand command, Requester requester, FurtherWrite furtherWrite, Optional<Fingerprint> fingerprint) {

        PendingCommand(FilingCommand command, Requester requester) {
            this(command, requester, FurtherWrite.NOTHING, Optional.empty());
        }

        private Optional<FileRepository.Added> added(FilingChange change) {
            return !(command instanceof FilingCommand.AddFile add) ? Optional.empty()
                    : Optional.of(new FileRepository.Added(side(change.filing()), add.filingId(), change.filing().content().files().size(), add.file(),
                            fingerprint.orElseThrow(), change.by(), change.at()));
        }
    }

    /** Decides a batch and writes the changes: all of them or, if that fails, none. Answers a decision for each command, in order. */
    Future<List<Decision<FilingChange, FilingRefusal>>> decide(List<PendingCommand> batch) {
        // The transaction gets no idempotency key here: only the keys of commands that are not refused are marked, see write().
        List<FilingCommand> commands = batch.stream().map(PendingCommand::command).toList();
        return database.transaction(transaction -> {
            Future<CaseSnapshots.Locked> cases = snapshots.locked(transaction, commands);
            Future<UploadedTotals> totals = uploaded(transaction, commands);
            // The statements are sent together. If the first one fails, the failures of the others only say that the transaction has failed.
            return cases.compose(locked -> totals.compose(uploaded -> {
                List<Decision<FilingChange, FilingRefusal>> decisions = decisions(batch, locked, uploaded);
                return write(transaction, batch, locked, uploaded, decisions).map(decisions);
            }));
        }).onSuccess(decisions -> docketed.accept(readableByAll(decisions)));
    }

    private static Stream<FilingChange> change(Decision<FilingChange, FilingRefusal> decision) {
        return decision instanceof Decision.Decided<FilingChange, FilingRefusal>(FilingChange change) ? Stream.of(change) : Stream.empty();
    }

    private static Stream<DocketEntry> entries(List<Decision<FilingChange, FilingRefusal>> decisions) {
        return decisions.stream().flatMap(FilingBatches::change).flatMap(change -> change.entry().stream());
    }

    /**
     * The docketed entries, except those of cases for which this batch has also docketed a sealed entry. The cached list of a docket is the
     * same for all readers, so it must never contain the title of a sealed entry.
     */
    private static List<DocketEntry> readableByAll(List<Decision<FilingChange, FilingRefusal>> decisions) {
        Set<CaseId> sealed = decisions.stream().flatMap(FilingBatches::change).flatMap(change -> FilingTrail.sealedEntry(change).stream())
                .map(DocketEntry::caseId).collect(Collectors.toSet());
        return entries(decisions).filter(entry -> !sealed.contains(entry.caseId())).toList();
    }

    /**
     * What the cases, parties and users of these commands have uploaded, if a command adds or removes a file. It is read before the commands are
     * decided, so that a file beyond the bound is refused alone. If the statement that adds the file found this, the whole batch would be rolled
     * back. It also locks the counters in one order, so that two batches that remove files do not wait for each other.
     */
    private Future<UploadedTotals> uploaded(SqlConnection transaction, List<FilingCommand> commands) {
        Set<CaseId> caseIds = new HashSet<>();
        Set<UserId> userIds = new HashSet<>();
        Set<FileId> removed = new HashSet<>();
        for (FilingCommand command : commands) {
            if (command instanceof FilingCommand.AddFile add) {
                caseIds.add(add.caseId());
                userIds.add(add.by());
            } else if (command instanceof FilingCommand.RemoveFile remove) {
                caseIds.add(remove.caseId());
                removed.add(remove.fileId());
            }
        }
        return caseIds.isEmpty() ? Future.succeededFuture(UploadedTotals.NOTHING) : storedBytes.lockedTotals(transaction, caseIds, userIds, removed);
    }

    /** Decides each command on the state after the ones before it; but the bytes of a file that one of them removes still count. */
    private List<Decision<FilingChange, FilingRefusal>> decisions(List<PendingCommand> batch, CaseSnapshots.Locked locked, UploadedTotals uploadedBefore) {
        UploadedTotals uploaded = uploadedBefore;
        Map<CaseId, CaseSnapshot> byCase = new HashMap<>(locked.byCase());
        List<Decision<FilingChange, FilingRefusal>> decisions = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            FilingCommand command = batch.get(i).command;
            CaseSnapshot snapshot = byCase.get(command.caseId());
            Decision<FilingChange, FilingRefusal> decision = snapshot == null ? new Decision.Refused<>(FilingRefusal.Reason.CASE_NOT_FOUND)
                    : rules.decide(snapshot, command, snapshot.clock().now(clock.instant()), new ReservedId(locked.freshIds().get(i), random));
            if (decision instanceof Decision.Decided<FilingChange, FilingRefusal>(FilingChange change) && command instanceof FilingCommand.AddFile add) {
                UploadedTotals.Side side = side(change.filing());
                UploadedTotals more = uploaded.after(side, add.by(), add.file().bytes());
                Optional<UploadRefusal> refusal = bytesRules.refuses(more.of(side, add.by()));
                decision = refusal.<Decision<FilingChange, FilingRefusal>>map(reason ->
                        new Decision.Refused<>(new FilingRefusal.TooManyBytes(reason, bytesRules.bounds()))).orElse(decision);
                uploaded = refusal.isPresent() ? uploaded : more;
            }
            if (decision instanceof Decision.Decided<FilingChange, FilingRefusal>(FilingChange change)) {
                byCase.put(command.caseId(), snapshot.after(change));
            }
            decisions.add(decision);
        }
        return decisions;
    }

    private static UploadedTotals.Side side(Filing filing) {
        return new UploadedTotals.Side(filing.caseId(), filing.partyId());
    }

    /** The id that was reserved for a command: a filing's for a command that creates a filing, otherwise a docket entry's. */
    private record ReservedId(long id, RandomGenerator random) implements IdGenerator {

        @Override
        public FilingId filing() {
            return new FilingId(id);
        }

        @Override
        public EntryId entry() {
            return new EntryId(id);
        }

        @Override
        public String salt() {
            byte[] salt = new byte[SALT_BYTES];
            random.nextBytes(salt);
            return HexFormat.of().formatHex(salt);
        }
    }

    private Future<Void> write(SqlConnection transaction, List<PendingCommand> batch, CaseSnapshots.Locked locked, UploadedTotals uploaded,
            List<Decision<FilingChange, FilingRefusal>> decisions) {
        Instant now = Timestamps.milliseconds(clock.instant());
        // A filing that was changed twice in the batch is written once, as it is after the later change.
        Map<FilingId, Filing> changed = new LinkedHashMap<>();
        List<AuditTrail.Line> lines = new ArrayList<>();
        List<Event> happened = new ArrayList<>();
        List<RequestKey> keys = new ArrayList<>();
        List<FileRepository.Added> added = new ArrayList<>();
        List<Supplier<Future<Void>>> furtherWrites = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (decisions.get(i) instanceof Decision.Decided<FilingChange, FilingRefusal>(FilingChange change)) {
                Requester requester = batch.get(i).requester;
                changed.put(change.filing().filingId(), change.filing());
                lines.addAll(FilingTrail.lines(batch.get(i).command, change, requester, now));
                happened.addAll(trail.events(change, requester, locked.byCase().get(change.filing().caseId()).clock()));
                requester.key().ifPresent(keys::add);
                batch.get(i).added(change).ifPresent(added::add);
                FurtherWrite more = batch.get(i).furtherWrite;
                if (more != FurtherWrite.NOTHING) {
                    furtherWrites.add(() -> more.write(transaction, change));
                }
            }
        }
        if (changed.isEmpty()) {
            return Future.succeededFuture();
        }
        // The statements are sent without waiting for each other, and the connection executes them in this order. The first failure fails
        // the batch.
        Future<Void> written = Future.all(
                        filings.write(transaction, List.copyOf(changed.values())),
                        docket.append(transaction, entries(decisions).toList()),
                        audit.append(transaction, lines),
                        events.append(transaction, happened),
                        // A file that a later command of the batch moves or removes is there by then.
                        files.write(transaction, added, uploaded)).mapEmpty();
        return written.compose(done -> SequentialWork.each(furtherWrites, Supplier::get)).compose(all -> RequestKey.mark(transaction, keys));
    }
}
