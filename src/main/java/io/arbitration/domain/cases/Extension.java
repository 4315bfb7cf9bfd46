package io.arbitration.domain.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.ExtensionId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.time.Instant;
import java.util.Optional;

/**
 * A party's request for more time, and its outcome.
 *
 * @param until the requested date
 * @param reason in the words of the party
 */
public record Extension(
        ExtensionId extensionId, CaseId caseId, DeadlineId deadlineId, PartyId partyId, UserId requestedBy, Instant requestedAt, Instant until,
        String reason, Outcome outcome) {

    /** The outcome of the request. */
    public sealed interface Outcome {
        /** Not decided yet. */
        record Open() implements Outcome {}

        /** The party has withdrawn its request. */
        record Withdrawn(UserId by, Instant at) implements Outcome {}

        /** @param until the new date of the deadline, which may differ from the requested one */
        record Granted(UserId by, Instant at, Instant until, String reason) implements Outcome {}

        record Refused(UserId by, Instant at, String reason) implements Outcome {}
    }

    public boolean isOpen() {
        return outcome instanceof Outcome.Open;
    }

    /** The same request with its outcome. */
    Extension ended(Outcome ended) {
        return new Extension(extensionId, caseId, deadlineId, partyId, requestedBy, requestedAt, until, reason, ended);
    }

    /** The date up to which it extended the deadline; empty if it did not. */
    public Optional<Instant> grantedUntil() {
        return outcome instanceof Outcome.Granted granted ? Optional.of(granted.until()) : Optional.empty();
    }
}
