package io.arbitration.cases.invitations;

import java.time.Duration;
import java.util.Set;

/**
 * What invitations to cases depend on.
 *
 * @param superAdministrators emails, folded, of those that the configuration names; they may invite anyone to any case
 * @param kept                how long an invitation is kept after it has expired
 */
public record InvitationSettings(Set<String> superAdministrators, Duration kept) {

    public InvitationSettings {
        superAdministrators = Set.copyOf(superAdministrators);
    }
}
