package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.util.Optional;

/**
 * A filing on which something may still be done.
 *
 * @param approver the party that it waits for; empty before it is submitted
 */
public record OpenFiling(
        FilingId filingId, DocumentTypeId documentId, PartyId partyId, UserId userId, State state, Optional<PartyId> approver) {

    /** The states that aren't final. */
    public enum State {
        DRAFT, SUBMITTED, REJECTED
    }
}
