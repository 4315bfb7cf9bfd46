package io.arbitration.domain.filing;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.util.Optional;

/** The part that a user has in a case. */
public record Participant(UserId userId, Optional<OrganizationId> organizationId, PartyId partyId, boolean isObserver) {

    /** The filer's side sees its own filings, the approving party those submitted to it, every participant the docketed ones. */
    public boolean maySee(Filing filing) {
        return filing instanceof Filing.Docketed
                || filing.partyId().equals(partyId)
                || !isObserver && filing.submission().flatMap(Filing.Submission::approver).filter(partyId::equals).isPresent();
    }
}
