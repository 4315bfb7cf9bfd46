package io.arbitration.cases.deadlines;

import io.arbitration.cases.CasesRepository;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseDeadline;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.platform.events.LoggedEvent;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps the deadlines of cases when they begin to run: in the transaction in which a case is opened or its phase begins, and when the
 * event log tells of a docket entry that sets one running. Keeping them again changes nothing.
 */
public final class DeadlineKeeper {

    /** Kinds of events after which a case may have further deadlines. */
    private static final Set<String> KINDS = Set.of("case_created", "phase_changed", "docket_filing");

    private final DeadlinesRepository repository;
    private final CaseRules rules;
    private final List<DocumentTypeId> triggers;

    DeadlineKeeper(DeadlinesRepository repository, CaseRules rules) {
        this.repository = repository;
        this.rules = rules;
        this.triggers = rules.documentTypesThatStartDeadlines();
    }

    /** Keeps the deadlines of a case as it is now. */
    public Future<Void> keep(SqlConnection transaction, Case of) {
        return keep(transaction, List.of(of));
    }

    /** The same for the cases that events tell of; nodes of the release before keep none themselves. */
    Future<Void> keepAfter(SqlConnection transaction, List<LoggedEvent> events) {
        List<CaseId> caseIds = events.stream().filter(event -> KINDS.contains(event.kind())).map(event -> new CaseId(event.caseId())).distinct().toList();
        return caseIds.isEmpty() ? Future.succeededFuture()
                : CasesRepository.find(transaction, caseIds).compose(cases -> keep(transaction, cases));
    }

    private Future<Void> keep(SqlConnection transaction, List<Case> cases) {
        return repository.triggering(transaction, cases.stream().map(Case::caseId).toList(), triggers).compose(entries -> {
            Map<CaseId, List<TriggeringEntry>> byCase = entries.stream().collect(Collectors.groupingBy(DeadlinesRepository.Triggering::caseId,
                    Collectors.mapping(DeadlinesRepository.Triggering::entry, Collectors.toList())));
            List<CaseDeadline> deadlines = cases.stream()
                    .flatMap(of -> CaseDeadline.of(rules, of, byCase.getOrDefault(of.caseId(), List.of())).stream())
                    .toList();
            // In a sandbox people are reminded when its clock is set on, and never by the clock of the platform.
            Map<CaseId, List<Integer>> reminderDays = cases.stream()
                    .collect(Collectors.toMap(Case::caseId, of -> of.clock().isSandbox() ? List.of() : rules.ruleSet(of.ruleSet()).reminderDays()));
            return repository.keep(transaction, deadlines, deadlines.stream().map(one -> reminderDays.get(one.caseId())).toList());
        });
    }
}
