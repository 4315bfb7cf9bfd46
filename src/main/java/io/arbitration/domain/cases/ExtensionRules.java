package io.arbitration.domain.cases;

import io.arbitration.domain.Decision;
import io.arbitration.domain.ExtensionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who may ask for more time, and who decides it. Refusals are looked for in the order of the specification: existence,
 * participation, role, body, state; last what depends on the time of the case.
 */
public final class ExtensionRules {

    /** How far an extension moves a deadline at most. */
    public static final Duration LONGEST = Duration.ofDays(731);

    private ExtensionRules() {}

    /**
     * A deadline as it is when an extension of it is asked for or decided.
     *
     * @param date          with what was granted before
     * @param hasOpenRequest whether a request for it waits for its decision
     */
    public record Extended(CaseDeadline deadline, Instant date, boolean hasOpenRequest) {}

    /** What a party asks for. */
    public record Request(Instant until, String reason, OptionalLong expectedRevision) {}

    /** @param until empty: what the party asked for */
    public record Ruling(boolean granted, Optional<Instant> until, String reason, OptionalLong expectedRevision) {}

    /** A party asks for more time. */
    public static Decision<Extension, ExtensionRefusal> request(
            Case of, Extended extended, Request request, Asker asker, Instant now, ExtensionId extensionId) {
        return ofItsParty(of, extended, asker)
                .or(() -> bounds(extended, request.until()))
                .or(() -> writing(of, request.expectedRevision()))
                // After the state of the case: the clock of a sandbox stands once it is closed, so that nothing of a closed case may depend on the time.
                .or(() -> future(request.until(), now))
                .or(() -> when(now.isAfter(extended.date()), ExtensionRefusal.PASSED))
                .or(() -> when(extended.hasOpenRequest(), ExtensionRefusal.ALREADY_REQUESTED))
                .<Decision<Extension, ExtensionRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> new Decision.Decided<>(new Extension(extensionId, of.caseId(), extended.deadline().deadlineId(),
                        extended.deadline().partyId(), asker.userId(), now, request.until(), request.reason(), new Extension.Outcome.Open())));
    }

    /** The party that asked asks no more. */
    public static Decision<Extension, ExtensionRefusal> withdraw(
            Case of, Extended extended, Extension extension, OptionalLong expectedRevision, Asker asker, Instant now) {
        return ofItsParty(of, extended, asker)
                .or(() -> writing(of, expectedRevision))
                .or(() -> when(!extension.isOpen(), ExtensionRefusal.ALREADY_DECIDED))
                .<Decision<Extension, ExtensionRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> new Decision.Decided<>(extension.ended(new Extension.Outcome.Withdrawn(asker.userId(), now))));
    }

    /** Case manager and arbitrators decide, but never for their own party. */
    public static Decision<Extension, ExtensionRefusal> decide(
            Case of, Extended extended, Extension extension, Ruling ruling, Asker asker, Instant now) {
        Instant until = ruling.until().orElse(extension.until());
        return mayWrite(of, asker)
                .or(() -> when(!decides(of, asker), ExtensionRefusal.NOT_DECIDING))
                .or(() -> when(of.part(asker.userId()).orElseThrow().partyId().equals(extension.partyId()), ExtensionRefusal.OWN_REQUEST))
                .or(() -> writing(of, ruling.expectedRevision()))
                .or(() -> when(!extension.isOpen(), ExtensionRefusal.ALREADY_DECIDED))
                // Last, since what was granted has moved the deadline.
                .or(() -> ruling.granted() ? bounds(extended, until).or(() -> future(until, now)) : Optional.empty())
                .<Decision<Extension, ExtensionRefusal>>map(Decision.Refused::new)
                .orElseGet(() -> new Decision.Decided<>(extension.ended(ruling.granted()
                        ? new Extension.Outcome.Granted(asker.userId(), now, until, ruling.reason())
                        : new Extension.Outcome.Refused(asker.userId(), now, ruling.reason()))));
    }

    private static Optional<ExtensionRefusal> ofItsParty(Case of, Extended extended, Asker asker) {
        return mayWrite(of, asker)
                .or(() -> when(!of.part(asker.userId()).orElseThrow().partyId().equals(extended.deadline().partyId()), ExtensionRefusal.NOT_YOUR_DEADLINE));
    }

    private static Optional<ExtensionRefusal> mayWrite(Case of, Asker asker) {
        Optional<Participant> part = of.part(asker.userId());
        return when(part.isEmpty(), ExtensionRefusal.NOT_A_PARTICIPANT).or(() -> when(part.orElseThrow().isObserver(), ExtensionRefusal.OBSERVER));
    }

    private static boolean decides(Case of, Asker asker) {
        Participant part = of.part(asker.userId()).orElseThrow();
        return part.actsFor(Party.CASE_MANAGER) || part.actsFor(Party.ARBITRATOR);
    }

    private static Optional<ExtensionRefusal> bounds(Extended extended, Instant until) {
        return when(!until.isAfter(extended.date()), ExtensionRefusal.NOT_LATER)
                .or(() -> when(until.isAfter(extended.date().plus(LONGEST)), ExtensionRefusal.TOO_LATE));
    }

    /** Time that is over lets nobody file: a request may wait for its decision until after the date that it asks for. */
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
