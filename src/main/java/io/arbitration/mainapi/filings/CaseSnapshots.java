package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseDates;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.docket.EntryReference;
import io.arbitration.domain.filing.CaseSnapshot;
import io.arbitration.domain.filing.CaseSnapshot.Quota;
import io.arbitration.domain.filing.Filing;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.domain.filing.FilingTerms;
import io.arbitration.mainapi.docket.DocketRepository;
import io.arbitration.mainapi.filings.FilingRepository.CaseParty;
import io.arbitration.mainapi.filings.FilingRepository.CaseQuota;
import io.arbitration.mainapi.filings.FilingRepository.CaseRow;
import io.arbitration.mainapi.filings.FilingRepository.Found;
import io.arbitration.mainapi.filings.FilingRepository.Subject;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.EventLog;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what the decisions on commands depend on, with as few statements as possible. */
final class CaseSnapshots {

    private final Database database;
    private final FilingRepository filings;
    private final CaseDatesRepository dates = new CaseDatesRepository();
    private final DocketRepository docket;
    private final EventLog events;
    private final CaseRules rules;
    private final FilingTerms terms;
    private final int openDraftsMax;

    CaseSnapshots(Database database, FilingRepository filings, DocketRepository docket, EventLog events, CaseRules rules, int openDraftsMax) {
        this.database = database;
        this.filings = filings;
        this.docket = docket;
        this.events = events;
        this.rules = rules;
        this.terms = new FilingTerms(rules);
        this.openDraftsMax = openDraftsMax;
    }

    /** The locked cases of a batch, and a new id for each command. A case that does not exist has no snapshot. */
    record Locked(Map<CaseId, CaseSnapshot> byCase, List<Long> freshIds) {}

    /**
     * Locks the cases of these commands, first in the event log, and reads them. The statements that read are sent without waiting for the
     * locks. The connection executes each statement after the one before it, so they see what is true under the locks.
     */
    Future<Locked> locked(SqlConnection transaction, List<FilingCommand> commands) {
        List<CaseId> caseIds = commands.stream().map(FilingCommand::caseId).distinct().toList();
        List<Subject> subjects = commands.stream().map(CaseSnapshots::subject).toList();
        Future<Void> inLog = events.lockCases(transaction, caseIds.stream().map(CaseId::value).toArray(UUID[]::new));
        Future<List<CaseRow>> locked = filings.lockHeads(transaction, caseIds);
        Future<List<Found>> found = filings.find(transaction, subjects);
        return inLog.compose(logged -> locked).compose(rows -> rows.size() == caseIds.size()
                ? found.compose(all -> completed(transaction, commands, rows, all))
                : filings.makeHeads(transaction, caseIds)
                        .compose(made -> filings.lockHeads(transaction, caseIds))
                        .compose(again -> filings.find(transaction, subjects).compose(all -> completed(transaction, commands, again, all))));
    }

    private static Subject subject(FilingCommand command) {
        return new Subject(command.caseId(), command.by(), switch (command) {
            case FilingCommand.Create create -> Optional.empty();
            case FilingCommand.OnFiling onFiling -> Optional.of(onFiling.filingId());
        });
    }

    private Future<Locked> completed(SqlConnection transaction, List<FilingCommand> commands, List<CaseRow> rows, List<Found> found) {
        Map<CaseId, List<Found>> foundByCase = new HashMap<>();
        for (int i = 0; i < commands.size(); i++) {
            foundByCase.computeIfAbsent(commands.get(i).caseId(), none -> new ArrayList<>()).add(found.get(i));
        }
        List<CaseSnapshot> bare = rows.stream().map(row -> bare(row, foundByCase.get(row.caseId()))).toList();
        Map<CaseId, CaseSnapshot> byCase = bare.stream().collect(Collectors.toMap(CaseSnapshot::caseId, Function.identity()));
        return lookUp(transaction, bare, wanted(byCase, commands)).map(complete -> new Locked(
                complete.stream().collect(Collectors.toMap(CaseSnapshot::caseId, Function.identity())),
                found.stream().map(Found::freshId).toList()));
    }

    private static CaseSnapshot bare(CaseRow row, List<Found> found) {
        Map<UserId, Participant> participants = new HashMap<>();
        Map<FilingId, Filing> filings = new HashMap<>();
        for (Found one : found) {
            one.participant().ifPresent(participant -> participants.put(participant.userId(), participant));
            one.filing().ifPresent(filing -> filings.put(filing.filingId(), filing));
        }
        return new CaseSnapshot(row.caseId(), row.ruleSet(), row.phaseId(), row.isOpen(), row.clock(), row.head(), participants, filings, Map.of(), Map.of(),
                Map.of(), Optional.empty());
    }

    /** What has to be read for the commands beside cases, participants and filings. */
    private record Wanted(List<CaseQuota> quotas, List<CaseParty> drafts, List<EntryId> references, List<CaseId> dates) {}

    private Wanted wanted(Map<CaseId, CaseSnapshot> byCase, List<FilingCommand> commands) {
        List<CaseQuota> quotas = new ArrayList<>();
        List<CaseParty> drafts = new ArrayList<>();
        List<EntryId> references = new ArrayList<>();
        for (FilingCommand command : commands) {
            Optional<CaseSnapshot> found = Optional.ofNullable(byCase.get(command.caseId()));
            switch (command) {
                case FilingCommand.Create create -> {
                    Stream.of(create.supersedes(), create.parentEntryId()).flatMap(Optional::stream).forEach(references::add);
                    found.flatMap(snapshot -> snapshot.participant(create.by()))
                            .ifPresent(participant -> drafts.add(new CaseParty(create.caseId(), participant.partyId())));
                }
                case FilingCommand.Update update ->
                        Stream.of(update.supersedes(), update.parentEntryId()).flatMap(change -> change.entryId().stream()).forEach(references::add);
                case FilingCommand.Submit submit -> found.ifPresent(snapshot -> snapshot.filing(submit.filingId())
                        .ifPresent(filing -> quotas.add(new CaseQuota(snapshot.caseId(), snapshot.quotaNow(filing)))));
                case FilingCommand.OnFile onFile -> { }
                case FilingCommand.Withdraw withdraw -> { }
                case FilingCommand.Approve approve -> { }
                case FilingCommand.Reject reject -> { }
            }
        }
        byCase.values().forEach(snapshot -> snapshot.filings().values().forEach(filing -> referencesOf(filing).forEach(references::add)));
        return new Wanted(quotas.stream().distinct().toList(), drafts.stream().distinct().toList(), references.stream().distinct().toList(),
                byCase.values().stream().filter(this::needsDates).map(CaseSnapshot::caseId).toList());
    }

    private boolean needsDates(CaseSnapshot snapshot) {
        return snapshot.filings().values().stream().anyMatch(filing -> terms.needsDates(snapshot, filing));
    }

    private static Stream<EntryId> referencesOf(Filing filing) {
        return Stream.of(filing.content().supersedes(), filing.content().parentEntryId()).flatMap(Optional::stream);
    }

    /** A case without its filings, read without locks: enough to decide whether a file may be added. */
    static CaseSnapshot ofCaseAlone(FilingReadRepository.CaseOfRequester participation) {
        return bare(participation.caseRow(), List.of(new Found(participation.participant(), Optional.empty(), 0)));
    }

    /** The case of one filing, read without locks, for a check that changes nothing. */
    Future<CaseSnapshot> of(FilingReadRepository.CaseOfRequester participation, Filing filing) {
        CaseSnapshot bare = bare(participation.caseRow(), List.of(new Found(participation.participant(), Optional.of(filing), 0)));
        return database.read(client -> lookUp(client, List.of(bare), new Wanted(List.of(new CaseQuota(bare.caseId(), bare.quotaNow(filing))), List.of(),
                referencesOf(filing).toList(), needsDates(bare) ? List.of(bare.caseId()) : List.of()))).map(List::getFirst);
    }

    private Future<List<CaseSnapshot>> lookUp(SqlClient client, List<CaseSnapshot> bare, Wanted wanted) {
        Future<List<Integer>> used = wanted.quotas.isEmpty() ? Future.succeededFuture(List.of()) : filings.used(client, wanted.quotas);
        Future<List<Integer>> drafts = wanted.drafts.isEmpty() ? Future.succeededFuture(List.of())
                : filings.openDrafts(client, wanted.drafts, openDraftsMax);
        Future<List<DocketRepository.FoundReference>> references = wanted.references.isEmpty() ? Future.succeededFuture(List.of())
                : docket.references(client, wanted.references);
        Future<Map<CaseId, CaseDates>> dated = wanted.dates.isEmpty() ? Future.succeededFuture(Map.of())
                : dates.find(client, wanted.dates, rules.documentTypesThatStartDeadlines());
        return Future.all(used, drafts, references, dated).map(read -> bare.stream().map(snapshot -> snapshot.with(
                references(snapshot, references.result()), used(snapshot, wanted.quotas, used.result()),
                drafts(snapshot, wanted.drafts, drafts.result()), Optional.ofNullable(dated.result().get(snapshot.caseId())))).toList());
    }

    private static Map<EntryId, EntryReference> references(CaseSnapshot snapshot, List<DocketRepository.FoundReference> found) {
        return found.stream().filter(one -> one.caseId().equals(snapshot.caseId()))
                .collect(Collectors.toMap(one -> one.entry().entryId(), DocketRepository.FoundReference::entry));
    }

    private static Map<Quota, Integer> used(CaseSnapshot snapshot, List<CaseQuota> quotas, List<Integer> counts) {
        Map<Quota, Integer> used = new HashMap<>();
        for (int i = 0; i < quotas.size(); i++) {
            if (quotas.get(i).caseId().equals(snapshot.caseId())) {
                used.put(quotas.get(i).quota(), counts.get(i));
            }
        }
        return used;
    }

    private static Map<PartyId, Integer> drafts(CaseSnapshot snapshot, List<CaseParty> parties, List<Integer> counts) {
        Map<PartyId, Integer> drafts = new HashMap<>();
        for (int i = 0; i < parties.size(); i++) {
            if (parties.get(i).caseId().equals(snapshot.caseId())) {
                drafts.put(parties.get(i).partyId(), counts.get(i));
            }
        }
        return drafts;
    }
}
