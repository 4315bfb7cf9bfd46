package io.arbitration.domain.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.ExtensionId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.time.Instant;
import java.util.Optional;

/**
 * A party's request for more time, and what became of it.
 *
 * @param until  up to when the party asks to be given time
 * @param reason in the words of the party
 */
public record Extension(
        ExtensionId extensionId, CaseId caseId, DeadlineId deadlineId, PartyId partyId, UserId requestedBy, Instant requestedAt, Instant until,
        String reason, Outcome outcome) {

    /** What became of the request. */
    public sealed interface Outcome {
        /** Nobody has decided it. */
        record Open() implements Outcome {}

        /** The party asks no more. */
        record Withdrawn(UserId by, Instant at) implements Outcome {}

        /** @param until the deadline ever since, which need not be what was asked for */
        record Granted(UserId by, Instant at, Instant until, String reason) implements Outcome {}

        record Refused(UserId by, Instant at, String reason) implements Outcome {}
    }

    public boolean isOpen() {
        return outcome instanceof Outcome.Open;
    }

    /** The same with what became of it. */
    Extension ended(Outcome ended) {
        return new Extension(extensionId, caseId, deadlineId, partyId, requestedBy, requestedAt, until, reason, ended);
    }

    /** Up to when the deadline was extended by it; empty when it was not. */
    public Optional<Instant> grantedUntil() {
        return outcome instanceof Outcome.Granted granted ? Optional.of(granted.until()) : Optional.empty();
    }
}
