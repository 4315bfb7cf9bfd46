package io.arbitration.domain.notice;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.time.CaseClock;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The properties of a case that matter for serving notices.
 *
 * @param clock the clock of the case
 */
public record NoticeCase(boolean isOpen, CaseClock clock, List<Participant> participants) {

    public NoticeCase {
        participants = List.copyOf(participants);
    }

    /**
     * A participant.
     *
     * @param mayFile whether it may file, and so serve notices
     * @param name public name; empty without one
     * @param email address of the account; empty if the account no longer exists
     */
    public record Participant(
            UserId userId, PartyId partyId, Optional<OrganizationId> organizationId, boolean isObserver, boolean mayFile, Optional<String> name, Optional<String> email) {}

    public Optional<Participant> participant(UserId userId) {
        return first(participant -> participant.userId.equals(userId));
    }

    /** Whether an address belongs to a participant; addresses that differ only in case are equal, as for mail servers. */
    boolean hasAddress(String email) {
        return withAddress(email).isPresent();
    }

    /** The participant with that address, the first one if several have it. */
    Optional<Participant> withAddress(String email) {
        return first(participant -> participant.email.filter(email::equalsIgnoreCase).isPresent());
    }

    private Optional<Participant> first(Predicate<Participant> which) {
        return participants.stream().filter(which).findFirst();
    }
}
