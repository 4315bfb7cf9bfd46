package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.util.Optional;

/**
 * A filing that can still be changed or decided.
 *
 * @param approver the party whose decision it awaits; empty before its submission
 */
public record OpenFiling(
        FilingId filingId, DocumentTypeId documentId, PartyId partyId, UserId userId, State state, Optional<PartyId> approver) {

    /** The states that are not final. */
    public enum State {
        DRAFT, SUBMITTED, REJECTED
    }
}
