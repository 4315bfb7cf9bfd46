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
 * @param seal its present seal
 */
public record ServedEntry(PartyId filedBy, boolean isApproved, Optional<Seal.Terms> seal) {

    /** An announcement of the case manager or an arbitrator to all participants, such as a hearing: it may be served on anybody. */
    public static ServedEntry ofTribunal() {
        return new ServedEntry(Party.CASE_MANAGER, false, Optional.empty());
    }

    /** Whether another person than its filer is responsible for it, so that it may be sent to people outside of the case. */
    boolean mayLeaveTheCase() {
        return isApproved || filedBy.equals(Party.CASE_MANAGER) || filedBy.equals(Party.ARBITRATOR);
    }

    /** Whether its seal lets a viewer see it; empty: a recipient who is no participant. */
    boolean isSeenBy(Optional<NoticeCase.Participant> viewer) {
        return seal.isEmpty() || EntryVisibility.sees(viewer.map(NoticeCase.Participant::partyId), filedBy, seal);
    }
}
