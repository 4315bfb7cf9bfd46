package io.arbitration.domain.cases;

import io.arbitration.domain.Decision;
import io.arbitration.domain.ExtensionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who may request more time, and who decides it. Refusals are checked in the order of the specification: existence,
 * participation, role, body, state; those that depend on the time of the case come last.
 */
public final class ExtensionRules {

    /** How far an extension moves a deadline at most. */
    public static final Duration LONGEST = Duration.ofDays(731);

    private ExtensionRules() {}

    /**
     * A deadline at the time when an extension is requested or decided.
     *
     * @param date with earlier extensions
     * @param hasOpenRequest whether a request for it is undecided
     */
    public record Extended(CaseDeadline deadline, Instant date, boolean hasOpenRequest) {}

    /** The request of a party. */
    public record Request(Instant until, String reason, OptionalLong expectedRevision) {}

    /** @param until empty: the requested date */
    public record Ruling(boolean granted, Optional<Instant> until, String reason, OptionalLong expectedRevision) {}

    /** A party requests more time. */
    public static Decision<Extension, ExtensionRefusal> request(
            Case of, Extended extended, Request request, CaseUser caseUser, Instant now, ExtensionId extensionId) {
        return ofItsParty(of, extended, caseUser)
                .or(() -> bounds(extended, request.until()))
                .or(() -> writing(of, request.expectedRevision()))
                // Checked after the state of the case: the clock of a sandbox stops when it is closed, so answers about a closed
                // case must not depend on the time.
                .or(() -> future(request.until(), now))
                .or(() -> when(now.isAfter(extended.date()), ExtensionRefusal.PASSED))
                .or(() -> when(extended.hasOpenRequest(), ExtensionRefusal.ALREADY_REQUESTED))
                .<Decision<Extension, ExtensionRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> new Decision.Decided<>(new Extension(extensionId, of.caseId(), extended.deadline().deadlineId(),
                        extended.deadline().partyId(), caseUser.userId(), now, request.until(), request.reason(), new Extension.Outcome.Open())));
    }

    /** The party withdraws its request. */
    public static Decision<Extension, ExtensionRefusal> withdraw(
            Case of, Extended extended, Extension extension, OptionalLong expectedRevision, CaseUser caseUser, Instant now) {
        return ofItsParty(of, extended, caseUser)
                .or(() -> writing(of, expectedRevision))
                .or(() -> when(!extension.isOpen(), ExtensionRefusal.ALREADY_DECIDED))
                .<Decision<Extension, ExtensionRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> new Decision.Decided<>(extension.ended(new Extension.Outcome.Withdrawn(caseUser.userId(), now))));
    }

    /** Case manager and arbitrators decide, but never for their own party. */
    public static Decision<Extension, ExtensionRefusal> decide(
            Case of, Extended extended, Extension extension, Ruling ruling, CaseUser caseUser, Instant now) {
        Instant until = ruling.until().orElse(extension.until());
        return mayWrite(of, caseUser)
                .or(() -> when(!decides(of, caseUser), ExtensionRefusal.NOT_DECIDING))
                .or(() -> when(of.part(caseUser.userId()).orElseThrow().partyId().equals(extension.partyId()), ExtensionRefusal.OWN_REQUEST))
                .or(() -> writing(of, ruling.expectedRevision()))
                .or(() -> when(!extension.isOpen(), ExtensionRefusal.ALREADY_DECIDED))
                // Checked last, because an earlier extension has moved the deadline.
                .or(() -> ruling.granted() ? bounds(extended, until).or(() -> future(until, now)) : Optional.empty())
                .<Decision<Extension, ExtensionRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> new Decision.Decided<>(extension.ended(ruling.granted()
                        ? new Extension.Outcome.Granted(caseUser.userId(), now, until, ruling.reason())
                        : new Extension.Outcome.Refused(caseUser.userId(), now, ruling.reason()))));
    }

    private static Optional<ExtensionRefusal> ofItsParty(Case of, Extended extended, CaseUser caseUser) {
        return mayWrite(of, caseUser)
                .or(() -> when(!of.part(caseUser.userId()).orElseThrow().partyId().equals(extended.deadline().partyId()), ExtensionRefusal.NOT_YOUR_DEADLINE));
    }

    private static Optional<ExtensionRefusal> mayWrite(Case of, CaseUser caseUser) {
        Optional<Participant> part = of.part(caseUser.userId());
        return when(part.isEmpty(), ExtensionRefusal.NOT_A_PARTICIPANT).or(() -> when(part.orElseThrow().isObserver(), ExtensionRefusal.OBSERVER));
    }

    private static boolean decides(Case of, CaseUser caseUser) {
        Participant part = of.part(caseUser.userId()).orElseThrow();
        return part.actsFor(Party.CASE_MANAGER) || part.actsFor(Party.ARBITRATOR);
    }

    private static Optional<ExtensionRefusal> bounds(Extended extended, Instant until) {
        return when(!until.isAfter(extended.date()), ExtensionRefusal.NOT_LATER)
                .or(() -> when(until.isAfter(extended.date().plus(LONGEST)), ExtensionRefusal.TOO_LATE));
    }

    /** An extension into the past lets nobody file: a request may wait for its decision until after the requested date. */
    private static Optional<ExtensionRefusal> future(Instant until, Instant now) {
        return when(!until.isAfter(now), ExtensionRefusal.OVER);
    }

    private static Optional<ExtensionRefusal> writing(Case of, OptionalLong expectedRevision) {
        return when(!of.isOpen(), ExtensionRefusal.CLOSED)
                .or(() -> when(expectedRevision.isPresent() && expectedRevision.getAsLong() != of.revision(), ExtensionRefusal.STALE));
    }

    private static Optional<ExtensionRefusal> when(boolean holds, ExtensionRefusal rejection) {
        return holds ? Optional.of(rejection) : Optional.empty();
    }
}
