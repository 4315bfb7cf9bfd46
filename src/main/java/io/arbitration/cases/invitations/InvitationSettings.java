package io.arbitration.cases.invitations;

import java.time.Duration;
import java.util.Set;

/**
 * Settings of invitations to cases.
 *
 * @param superAdministrators case-folded emails of the super administrators in the configuration; they may invite anyone to any
 * case
 * @param kept how long an invitation is kept after it has expired
 */
public record InvitationSettings(Set<String> superAdministrators, Duration kept) {

    public InvitationSettings {
        superAdministrators = Set.copyOf(superAdministrators);
    }
}
