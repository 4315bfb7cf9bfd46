package io.arbitration.identity.users;

import java.time.Instant;
import java.util.Optional;

/**
 * Who an ID token that stood every check names; the email is verified. Names may be empty.
 *
 * @param session what the provider calls its own session with the user ({@code sid}), for its log-out to name
 * @param authenticatedAt when the user proved to the provider who it is ({@code auth_time}); empty where the provider does not say
 */
public record ExternalIdentity(
        String provider, String subject, String email, String firstName, String lastName, Optional<String> session,
        Optional<Instant> authenticatedAt) {}
