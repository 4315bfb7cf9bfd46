package io.arbitration.domain.notice;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Party;

/**
 * A docket entry that is to be served.
 *
 * @param isApproved whether another party approved it before it was docketed
 */
public record ServedEntry(PartyId filedBy, boolean isApproved) {

    /** Whether somebody beside its filer answers for it, so that it may be sent to people who have no part in the case. */
    boolean mayLeaveTheCase() {
        return isApproved || filedBy.equals(Party.CASE_MANAGER) || filedBy.equals(Party.ARBITRATOR);
    }
}
