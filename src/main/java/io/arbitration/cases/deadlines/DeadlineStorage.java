package io.arbitration.cases.deadlines;

import io.arbitration.cases.CasesRepository;
import io.arbitration.cases.TriggeringEntryRepository;
import io.arbitration.cases.deadlines.DeadlineRepository.Due;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.LoggedEvent;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/**
 * Stores the deadlines of cases when they begin to run: in the transaction that opens a case or begins a phase, and, for a docket entry
 * that starts a deadline, when a consumer reads its event. Storing them again changes nothing.
 */
public final class DeadlineStorage {

    /** Kinds of events after which a case may have further deadlines. */
    private static final Set<String> KINDS = Set.of("case_created", "phase_changed", "docket_filing");

    private final Database database;
    private final DeadlineRepository repository;
    private final TriggeringEntryRepository entries = new TriggeringEntryRepository();
    private final CaseRules rules;
    private final List<DocumentTypeId> triggers;
    private final Clock clock;

    DeadlineStorage(Database database, DeadlineRepository repository, CaseRules rules, Clock clock) {
        this.database = database;
        this.repository = repository;
        this.rules = rules;
        this.clock = clock;
        this.triggers = rules.documentTypesThatStartDeadlines();
    }

    /** Stores the deadlines of a case as it is now. */
    public Future<Void> keep(SqlConnection transaction, Case of) {
        return keep(transaction, List.of(of));
    }

    /**
     * Stores the deadlines of the cases of these events, also of events that a node of the previous release appended: such a node stores no
     * deadlines.
     */
    Future<Void> keepAfter(SqlConnection transaction, List<LoggedEvent> events) {
        List<CaseId> caseIds = events.stream().filter(event -> KINDS.contains(event.kind())).map(event -> new CaseId(event.caseId())).distinct().toList();
        return caseIds.isEmpty() ? Future.succeededFuture()
                : CasesRepository.find(transaction, caseIds).compose(cases -> keep(transaction, cases));
    }

    /** Stores the deadlines of these cases as the rules set them now; answers their ids. */
    Future<List<DeadlineId>> keepAgain(SqlConnection transaction, List<CaseId> caseIds) {
        return CasesRepository.find(transaction, caseIds).compose(cases -> due(transaction, cases))
                .compose(due -> repository.keep(transaction, due, clock.instant()).map(due.stream().map(one -> one.deadline().deadlineId()).toList()));
    }

    /** Stores the deadlines of a case that are not stored yet; writes nothing if there are none. */
    Future<Void> catchUp(Case of) {
        return database.read(client -> due(client, List.of(of)).compose(due -> repository.keepsAll(client, due)))
                .compose(all -> all ? Future.succeededFuture() : database.transaction(transaction -> keep(transaction, of)));
    }

    private Future<Void> keep(SqlConnection transaction, List<Case> cases) {
        return due(transaction, cases).compose(due -> repository.keep(transaction, due, clock.instant()));
    }

    /** The deadlines that the rules set for cases as they are now. */
    private Future<List<Due>> due(SqlClient client, List<Case> cases) {
        return entries.all(client, cases.stream().map(Case::caseId).toList(), triggers).map(byCase -> cases.stream()
                .flatMap(of -> CaseDeadline.of(rules, of, byCase.getOrDefault(of.caseId(), List.of())).stream()
                        .map(deadline -> new Due(deadline, reminderDays(of))))
                .toList());
    }

    /** Empty for a sandbox: there people are reminded when its clock is set forward, never by the clock of the platform. */
    private List<Integer> reminderDays(Case of) {
        return of.clock().isSandbox() ? List.of() : rules.ruleSet(of.ruleSet()).reminderDays();
    }
}
