package io.arbitration.domain.notice;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.docket.EntryVisibility;
import io.arbitration.domain.docket.Seal;
import java.util.Optional;

/**
 * A docket entry that is to be served.
 *
 * @param isApproved whether another party approved it before it was docketed
 * @param seal as it is sealed now
 */
public record ServedEntry(PartyId filedBy, boolean isApproved, Optional<Seal.Terms> seal) {

    /** What the case manager or an arbitrator has told all who take part, such as a hearing: it may be served on anybody. */
    public static ServedEntry ofTribunal() {
        return new ServedEntry(Party.CASE_MANAGER, false, Optional.empty());
    }

    /** Whether somebody beside its filer answers for it, so that it may be sent to people who have no part in the case. */
    boolean mayLeaveTheCase() {
        return isApproved || filedBy.equals(Party.CASE_MANAGER) || filedBy.equals(Party.ARBITRATOR);
    }

    /** Whether its seal lets somebody see it; empty: who has no part in the case. */
    boolean isSeenBy(Optional<NoticeCase.Participant> viewer) {
        return seal.isEmpty() || EntryVisibility.sees(viewer.map(NoticeCase.Participant::partyId), filedBy, seal);
    }
}
