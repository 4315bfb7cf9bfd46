package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The actions that one participant can take now by the rules of filing, approval and participation. It does not list what a
 * filing lacks before its submission; {@code /filings/documents/check} does.
 */
public final class CaseActions {

    private final CaseRules rules;
    private final Case seen;
    private final Participant part;
    private final boolean isSuperAdministrator;
    private final Map<DocumentTypeId, Integer> quotaUsedByDocumentId;
    private final CaseDates dates;
    private final Instant now;

    public CaseActions(
            CaseRules rules, Case seen, Participant part, boolean isSuperAdministrator, Map<DocumentTypeId, Integer> quotaUsedByDocumentId,
            List<TriggeringEntry> triggering, Instant now) {
        this.rules = rules;
        this.seen = seen;
        this.part = part;
        this.isSuperAdministrator = isSuperAdministrator;
        this.quotaUsedByDocumentId = quotaUsedByDocumentId;
        this.now = now;
        this.dates = seen.dates(triggering);
    }

    /** In this order: documents to file, actions on each filing, actions on the case. */
    public List<Action> all(List<OpenFiling> filings) {
        if (!seen.isOpen() || part.isObserver()) {
            return List.of();
        }
        List<Action> actions = new ArrayList<>();
        if (part.mayFile()) {
            toFile().forEach(actions::add);
        }
        filings.forEach(filing -> actions.addAll(on(filing)));
        actions.addAll(onCase());
        return actions;
    }

    private Stream<Action> toFile() {
        return rules.ruleSet(seen.ruleSet()).entriesOf(seen.phaseId(), part.partyId()).stream()
                .filter(this::canStillBeFiled)
                .map(this::toFile);
    }

    private List<Action> on(OpenFiling filing) {
        List<Action> actions = new ArrayList<>();
        if (part.mayFile() && filing.partyId().equals(part.partyId())) {
            switch (filing.state()) {
                case DRAFT, REJECTED -> {
                    actions.add(Action.onFiling(Action.Kind.EDIT, filing));
                    rules.entry(seen.ruleSet(), seen.phaseId(), filing.documentId(), filing.partyId())
                            .filter(this::canStillBeFiled)
                            .map(entry -> within(entry, Action.onFiling(Action.Kind.SUBMIT, filing)))
                            .ifPresent(actions::add);
                }
                case SUBMITTED -> { }
            }
            actions.add(Action.onFiling(Action.Kind.WITHDRAW, filing));
        }
        if (filing.state() == OpenFiling.State.SUBMITTED && filing.approver().equals(Optional.of(part.partyId()))
                && !filing.userId().equals(part.userId())) {
            actions.add(Action.onFiling(Action.Kind.APPROVE, filing));
            actions.add(Action.onFiling(Action.Kind.REJECT, filing));
        }
        return actions;
    }

    private List<Action> onCase() {
        List<Action> actions = new ArrayList<>();
        if (part.mayFile() && rules.takesEvidence(seen.phaseId(), part.partyId())) {
            actions.add(Action.onCase(Action.Kind.UPLOAD));
        }
        if (part.actsFor(Party.CASE_MANAGER)) {
            if (rules.definitions().phaseAfter(seen.phaseId()).isPresent()) {
                actions.add(Action.onCase(Action.Kind.ADVANCE));
            }
            actions.add(Action.onCase(Action.Kind.CLOSE));
        }
        if ((isSuperAdministrator || part.mayChangeSide(part.partyId())) && seen.participants().size() < CasePermissions.PARTICIPANTS_MAX) {
            actions.add(Action.onCase(Action.Kind.ADD_PARTICIPANT));
        }
        if (seen.participants().stream().anyMatch(this::canRemove)) {
            actions.add(Action.onCase(Action.Kind.REMOVE_PARTICIPANT));
        }
        return actions;
    }

    private boolean canRemove(Participant other) {
        return (isSuperAdministrator || part.mayChangeSide(other.partyId())) && !seen.isLastPrimaryOfClaimant(other);
    }

    private Action toFile(MatrixEntry entry) {
        return within(entry, new Action(Action.Kind.FILE, Optional.of(entry.documentId()), Optional.empty(), OptionalInt.empty(),
                Optional.empty()));
    }

    private Action within(MatrixEntry entry, Action action) {
        return action.within(quotaLeft(entry), rules.deadline(seen.ruleSet(), entry, part.partyId(), dates));
    }

    /** Within the quota, and not after a deadline whose rule refuses late filings. */
    private boolean canStillBeFiled(MatrixEntry entry) {
        return quotaLeft(entry) > 0 && rules.deadline(seen.ruleSet(), entry, part.partyId(), dates)
                .filter(deadline -> deadline.refuses(now))
                .isEmpty();
    }

    private int quotaLeft(MatrixEntry entry) {
        return Math.max(0, entry.maxAllowed() - quotaUsedByDocumentId.getOrDefault(entry.documentId(), 0));
    }
}
