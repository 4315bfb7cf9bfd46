package io.arbitration.mainapi.filings;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The filings of one case as the specification has them, in the plainest form: what a run against the platform is measured
 * by. Values; a step gives a new one. Filings and entries are named by the slot of the filing, in order of creation.
 *
 * @param phase index into {@link #PHASES}
 * @param docket slots in the order of their entries
 */
record FilingModel(int phase, boolean open, Map<Integer, Paper> papers, List<Integer> docket, Set<Integer> superseded) {

    static final List<String> PHASES = List.of("caseInitiation", "caseFiling", "response");
    static final FilingModel EMPTY = new FilingModel(0, true, Map.of(), List.of(), Set.of());

    enum Who {
        CLAIMANT("claimant"), COLLEAGUE("claimant"), OBSERVER("claimant"), RESPONDENT("respondent"), MANAGER("caseManager"), OUTSIDER(null);

        final String party;

        Who(String party) {
            this.party = party;
        }
    }

    /** Documents of the rule set {@code commercial}, and who may file them when and how often. */
    enum Kind {
        LETTER("letterToTribunal", Set.of("claimant", "respondent"), "caseManager", 50, Set.of(0, 1, 2)),
        REPRESENTATION("noticeOfRepresentation", Set.of("claimant", "respondent"), null, 10, Set.of(0, 1, 2)),
        CLAIM("statementOfClaim", Set.of("claimant"), "caseManager", 1, Set.of(0)),
        SETTLEMENT("settlementAgreement", Set.of("claimant", "respondent"), "caseManager", 2, Set.of(0, 1, 2)),
        CLAIM_WITHDRAWAL("withdrawalOfClaim", Set.of("claimant"), "caseManager", 1, Set.of(0, 1, 2)),
        NOTICE("noticeToParties", Set.of("caseManager"), null, 500, Set.of(0, 1, 2)),
        ANSWER("answer", Set.of("respondent"), "caseManager", 1, Set.of(2));

        static final Map<String, Integer> ALLOWED_PER_PHASE =
                Stream.of(values()).collect(Collectors.toMap(kind -> kind.documentId, kind -> kind.allowed));

        final String documentId;
        final Set<String> filedBy;
        final String approvedBy;
        final int allowed;
        final Set<Integer> phases;

        Kind(String documentId, Set<String> filedBy, String approvedBy, int allowed, Set<Integer> phases) {
            this.documentId = documentId;
            this.filedBy = filedBy;
            this.approvedBy = approvedBy;
            this.allowed = allowed;
            this.phases = phases;
        }

        boolean isAllowed(int phase, String party) {
            return phases.contains(phase) && filedBy.contains(party);
        }
    }

    enum State { DRAFT, SUBMITTED, DOCKETED, REJECTED, WITHDRAWN }

    enum Act { SUBMIT, WITHDRAW, APPROVE, REJECT }

    /**
     * A filing.
     *
     * @param submittedTo party that it was last submitted to; null for none
     * @param supersedes slot of the entry that it is to take the place of; null for none
     * @param phase in which it was made or last submitted
     */
    record Paper(Kind kind, Who filer, State state, boolean complete, long revision, String submittedTo, Integer supersedes, int phase) {

        Paper edited(boolean nowComplete) {
            return new Paper(kind, filer, State.DRAFT, nowComplete, revision + 1, null, supersedes, phase);
        }

        Paper submitted(String to, int inPhase) {
            return new Paper(kind, filer, to == null ? State.DOCKETED : State.SUBMITTED, complete, revision + 1, to, supersedes, inPhase);
        }

        Paper become(State next) {
            return new Paper(kind, filer, next, complete, revision + 1, submittedTo, supersedes, phase);
        }

        boolean isVisibleTo(Who who) {
            return state == State.DOCKETED || filer.party.equals(who.party) || who.party.equals(submittedTo);
        }

        boolean counts() {
            return state == State.SUBMITTED || state == State.DOCKETED;
        }
    }

    /** A request, with everything in it that depended on what was known when it was made. */
    sealed interface Request {

        /** @param slot that the new filing gets */
        record Create(Who who, Kind kind, boolean complete, Integer supersedes, int slot) implements Request {}

        /** @param kind of the filing, so that its fields can be written; null when there is no filing yet */
        record Update(Who who, int slot, Kind kind, boolean complete, Long ifMatch) implements Request {}

        record Move(Who who, Act verb, int slot, Long ifMatch) implements Request {}

        record Advance() implements Request {}

        record Close() implements Request {}
    }

    /** What a request is answered, as status and error code, and how the case stands then. */
    record Step(String answer, FilingModel next) {}

    private Step refused(String answer) {
        return new Step(answer, this);
    }

    Step step(Request request) {
        return switch (request) {
            case Request.Create create -> create(create);
            case Request.Update update -> update(update);
            case Request.Move move -> move(move);
            case Request.Advance() -> !open ? refused("409 case.closed")
                    : new Step("200", new FilingModel(phase + 1, true, papers, docket, superseded));
            case Request.Close() -> !open ? refused("409 case.closed")
                    : new Step("200", new FilingModel(phase, false, papers, docket, superseded));
        };
    }

    private Step create(Request.Create create) {
        if (create.who == Who.OUTSIDER) {
            return refused("403 case.not-a-participant");
        }
        if (create.who == Who.OBSERVER) {
            return refused("403 case.observer");
        }
        if (create.supersedes != null && !papers.get(create.supersedes).filer.party.equals(create.who.party)) {
            return refused("403 filing.not-your-side");
        }
        if (!open) {
            return refused("409 case.closed");
        }
        if (isSuperseded(create.supersedes)) {
            return refused("409 docket-entry.already-superseded");
        }
        Paper paper = new Paper(create.kind, create.who, State.DRAFT, create.complete, 1, null, create.supersedes, phase);
        return new Step("200 revision 1", with(create.slot, paper));
    }

    /** What stands in the way before it matters what is wanted: the caller must be able to know of the filing, and to file. */
    private String unknown(Who who, int slot) {
        Paper paper = papers.get(slot);
        if (who == Who.OUTSIDER) {
            return "403 case.not-a-participant";
        }
        if (paper == null || !paper.isVisibleTo(who)) {
            return "404 filing.not-found";
        }
        return who == Who.OBSERVER ? "403 case.observer" : null;
    }

    private Step update(Request.Update update) {
        String unknown = unknown(update.who, update.slot);
        if (unknown != null) {
            return refused(unknown);
        }
        Paper paper = papers.get(update.slot);
        if (!paper.filer.party.equals(update.who.party)) {
            return refused("403 filing.not-your-side");
        }
        String state = switch (paper.state) {
            case DRAFT, REJECTED -> null;
            case SUBMITTED -> "409 filing.already-submitted";
            case DOCKETED -> "409 filing.already-docketed";
            case WITHDRAWN -> "409 filing.already-withdrawn";
        };
        if (state != null) {
            return refused(state);
        }
        if (!open) {
            return refused("409 case.closed");
        }
        if (isStale(paper, update.ifMatch)) {
            return refused("409 filing.stale");
        }
        Paper edited = paper.edited(update.complete);
        return new Step("200 revision " + edited.revision, with(update.slot, edited));
    }

    private Step move(Request.Move move) {
        String unknown = unknown(move.who, move.slot);
        if (unknown != null) {
            return refused(unknown);
        }
        Paper paper = papers.get(move.slot);
        return switch (move.verb) {
            case SUBMIT -> submit(move, paper);
            case WITHDRAW -> withdraw(move, paper);
            case APPROVE -> decide(move, paper, State.DOCKETED);
            case REJECT -> decide(move, paper, State.REJECTED);
        };
    }

    private Step submit(Request.Move move, Paper paper) {
        if (!paper.filer.party.equals(move.who.party)) {
            return refused("403 filing.not-your-side");
        }
        String state = switch (paper.state) {
            case DRAFT, REJECTED -> null;
            case SUBMITTED -> "409 filing.already-submitted";
            case DOCKETED -> "409 filing.already-docketed";
            case WITHDRAWN -> "409 filing.already-withdrawn";
        };
        if (state != null) {
            return refused(state);
        }
        if (!open) {
            return refused("409 case.closed");
        }
        if (!paper.kind.isAllowed(phase, paper.filer.party)) {
            return refused("409 filing.not-allowed-in-phase");
        }
        if (filedInThisPhase(paper) >= paper.kind.allowed) {
            return refused("409 filing.quota-used");
        }
        if (isSuperseded(paper.supersedes)) {
            return refused("409 docket-entry.already-superseded");
        }
        if (!paper.complete) {
            return refused("400 filing.invalid-field");
        }
        if (isStale(paper, move.ifMatch)) {
            return refused("409 filing.stale");
        }
        FilingModel next = with(move.slot, paper.submitted(paper.kind.approvedBy, phase));
        return new Step("200", paper.kind.approvedBy == null ? next.docketed(move.slot) : next);
    }

    private long filedInThisPhase(Paper paper) {
        return papers.values().stream()
                .filter(other -> other.counts() && other.phase == phase && other.kind == paper.kind && other.filer.party.equals(paper.filer.party))
                .count();
    }

    private Step withdraw(Request.Move move, Paper paper) {
        if (!paper.filer.party.equals(move.who.party)) {
            return refused("403 filing.not-your-side");
        }
        String state = switch (paper.state) {
            case DRAFT, SUBMITTED, REJECTED -> null;
            case DOCKETED -> "409 filing.already-docketed";
            case WITHDRAWN -> "409 filing.already-withdrawn";
        };
        if (state != null) {
            return refused(state);
        }
        if (!open) {
            return refused("409 case.closed");
        }
        return isStale(paper, move.ifMatch) ? refused("409 filing.stale")
                : new Step("200", with(move.slot, paper.become(State.WITHDRAWN)));
    }

    private Step decide(Request.Move move, Paper paper, State decision) {
        // In these documents the approving party never files, so the filer is among those who are refused here.
        if (!move.who.party.equals(paper.submittedTo)) {
            return refused("403 filing.not-approver");
        }
        String state = switch (paper.state) {
            case SUBMITTED -> null;
            case DOCKETED -> "409 filing.already-docketed";
            case DRAFT, REJECTED, WITHDRAWN -> "409 filing.not-submitted";
        };
        if (state != null) {
            return refused(state);
        }
        if (!open) {
            return refused("409 case.closed");
        }
        if (decision == State.DOCKETED && isSuperseded(paper.supersedes)) {
            return refused("409 docket-entry.already-superseded");
        }
        if (isStale(paper, move.ifMatch)) {
            return refused("409 filing.stale");
        }
        FilingModel next = with(move.slot, paper.become(decision));
        return new Step("200", decision == State.DOCKETED ? next.docketed(move.slot) : next);
    }

    private boolean isSuperseded(Integer slot) {
        return slot != null && superseded.contains(slot);
    }

    private static boolean isStale(Paper paper, Long ifMatch) {
        return ifMatch != null && ifMatch != paper.revision;
    }

    private FilingModel with(int slot, Paper paper) {
        Map<Integer, Paper> more = new TreeMap<>(papers);
        more.put(slot, paper);
        return new FilingModel(phase, open, more, docket, superseded);
    }

    private FilingModel docketed(int slot) {
        List<Integer> longer = Stream.concat(docket.stream(), Stream.of(slot)).toList();
        Integer old = papers.get(slot).supersedes;
        Set<Integer> more = new TreeSet<>(superseded);
        if (old != null) {
            more.add(old);
        }
        return new FilingModel(phase, open, papers, longer, more);
    }
}
