package io.arbitration.domain.notice;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.time.CaseClock;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A case in which notices are served, as far as that depends on it.
 *
 * @param clock by which time it runs
 */
public record NoticeCase(boolean isOpen, CaseClock clock, List<Participant> participants) {

    public NoticeCase {
        participants = List.copyOf(participants);
    }

    /**
     * Somebody who takes part.
     *
     * @param mayFile whether it may file, and so serve notices
     * @param name  public name; empty without one
     * @param email address of the account; empty when the account is gone
     */
    public record Participant(
            UserId userId, PartyId partyId, Optional<OrganizationId> organizationId, boolean isObserver, boolean mayFile, Optional<String> name, Optional<String> email) {}

    public Optional<Participant> participant(UserId userId) {
        return first(participant -> participant.userId.equals(userId));
    }

    /** Whether an address is that of a participant; two that differ in case alone are taken for one, as mail servers do. */
    boolean hasAddress(String email) {
        return withAddress(email).isPresent();
    }

    /** Who has that address, the first where several have it. */
    Optional<Participant> withAddress(String email) {
        return first(participant -> participant.email.filter(email::equalsIgnoreCase).isPresent());
    }

    private Optional<Participant> first(Predicate<Participant> which) {
        return participants.stream().filter(which).findFirst();
    }
}
