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
import io.arbitration.domain.filing.FreshIds;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.files.StoredBytesRepository;
import io.arbitration.platform.auth.Requester;
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
     * Written in the transaction of the batch. When it fails, the batch is undone and each of its commands is tried alone, so it may be
     * called twice.
     */
    @FunctionalInterface
    interface Together {

        Together NOTHING = (transaction, change) -> Future.succeededFuture();

        Future<Void> write(SqlConnection transaction, FilingChange change);
    }

    /**
     * A command, who sent it, and what is written together with the change.
     *
     * @param fingerprint of the file that the command adds; empty for any other command
     */
    record Asked(FilingCommand command, Requester requester, Together together, Optional<Fingerprint> fingerprint) {

        Asked(FilingCommand command, Requester requester) {
            this(command, requester, Together.NOTHING, Optional.empty());
        }

        private Optional<FileRepository.Added> added(FilingChange change) {
            return !(command instanceof FilingCommand.AddFile add) ? Optional.empty()
                    : Optional.of(new FileRepository.Added(add.caseId(), add.filingId(), change.filing().content().files().size(), add.file(),
                            fingerprint.orElseThrow(), change.by(), change.at()));
        }
    }

    /** Decides a batch and writes what was decided: all of it or, on failure, nothing. A decision for each command, in order. */
    Future<List<Decision<FilingChange, FilingRefusal>>> decide(List<Asked> batch) {
        // The idempotency keys are those of the commands that are carried out, which is known only within the transaction.
        List<FilingCommand> commands = batch.stream().map(Asked::command).toList();
        return database.transaction(transaction -> {
            Future<CaseSnapshots.Locked> cases = snapshots.locked(transaction, commands);
            return uploaded(transaction, commands).compose(uploaded -> cases.compose(locked -> {
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
     * The entries of cases of which none was sealed as it was docketed: a list that is the same for everybody must never have the title of
     * such an entry, also for a reader who was let in just before.
     */
    private static List<DocketEntry> readableByAll(List<Decision<FilingChange, FilingRefusal>> decisions) {
        Set<CaseId> sealed = decisions.stream().flatMap(FilingBatches::change).flatMap(change -> FilingTrail.sealedEntry(change).stream())
                .map(DocketEntry::caseId).collect(Collectors.toSet());
        return entries(decisions).filter(entry -> !sealed.contains(entry.caseId())).toList();
    }

    /**
     * What the cases and users of these commands have uploaded, if a file is to be added. It is known before anything is decided, so
     * that a file too many is refused alone: were it found by the statement that adds it, the whole batch would be undone.
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
        return userIds.isEmpty() ? Future.succeededFuture(UploadedTotals.NOTHING) : storedBytes.lockedTotals(transaction, caseIds, userIds, removed);
    }

    /** Each command is decided on what the ones before it have changed; but a file that one of them removes still counts with its bytes. */
    private List<Decision<FilingChange, FilingRefusal>> decisions(List<Asked> batch, CaseSnapshots.Locked locked, UploadedTotals uploadedBefore) {
        UploadedTotals uploaded = uploadedBefore;
        Map<CaseId, CaseSnapshot> byCase = new HashMap<>(locked.byCase());
        List<Decision<FilingChange, FilingRefusal>> decisions = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            FilingCommand command = batch.get(i).command;
            CaseSnapshot snapshot = byCase.get(command.caseId());
            Decision<FilingChange, FilingRefusal> decision = snapshot == null ? new Decision.Refused<>(FilingRefusal.Reason.CASE_NOT_FOUND)
                    : rules.decide(snapshot, command, snapshot.clock().now(clock.instant()), new Fresh(locked.freshIds().get(i), random));
            if (decision instanceof Decision.Decided && command instanceof FilingCommand.AddFile add) {
                UploadedTotals more = uploaded.after(add.caseId(), add.by(), add.file().bytes());
                Optional<UploadRefusal> refusal = bytesRules.refuses(more.of(add.caseId(), add.by()));
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

    /** The id that was reserved for a command: of a filing for one that makes a filing, else of a docket entry. */
    private record Fresh(long id, RandomGenerator random) implements FreshIds {

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

    private Future<Void> write(SqlConnection transaction, List<Asked> batch, CaseSnapshots.Locked locked, UploadedTotals uploaded,
            List<Decision<FilingChange, FilingRefusal>> decisions) {
        Instant now = Timestamps.milliseconds(clock.instant());
        // A filing that is decided twice in the batch is written once, as the later decision left it.
        Map<FilingId, Filing> changed = new LinkedHashMap<>();
        List<AuditTrail.Line> lines = new ArrayList<>();
        List<Event> happened = new ArrayList<>();
        List<RequestKey> keys = new ArrayList<>();
        List<FileRepository.Added> added = new ArrayList<>();
        List<Supplier<Future<Void>>> together = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (decisions.get(i) instanceof Decision.Decided<FilingChange, FilingRefusal>(FilingChange change)) {
                Requester requester = batch.get(i).requester;
                changed.put(change.filing().filingId(), change.filing());
                lines.addAll(FilingTrail.lines(batch.get(i).command, change, requester, now));
                happened.addAll(trail.events(change, requester, locked.byCase().get(change.filing().caseId()).clock()));
                requester.key().ifPresent(keys::add);
                batch.get(i).added(change).ifPresent(added::add);
                Together more = batch.get(i).together;
                if (more != Together.NOTHING) {
                    together.add(() -> more.write(transaction, change));
                }
            }
        }
        if (changed.isEmpty()) {
            return Future.succeededFuture();
        }
        // The statements are sent without waiting and run in this order; the first that fails is what the batch fails with.
        Future<Void> written = Future.all(
                        filings.write(transaction, List.copyOf(changed.values())),
                        docket.append(transaction, entries(decisions).toList()),
                        audit.append(transaction, lines),
                        events.append(transaction, happened),
                        // A file that a later command of the batch moves or removes is there by then.
                        files.write(transaction, added, uploaded)).mapEmpty();
        return oneByOne(written, together).compose(all -> RequestKey.mark(transaction, keys));
    }

    private static Future<Void> oneByOne(Future<Void> before, List<Supplier<Future<Void>>> together) {
        Future<Void> written = before;
        for (Supplier<Future<Void>> more : together) {
            written = written.compose(done -> more.get());
        }
        return written;
    }
}
