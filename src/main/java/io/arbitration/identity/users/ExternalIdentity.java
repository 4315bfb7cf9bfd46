package io.arbitration.identity.users;

import java.time.Instant;
import java.util.Optional;

/**
 * The identity in a verified ID token; the email is verified. Names may be empty.
 *
 * @param session the provider's ID of its own session with the user ({@code sid}), which its logout names
 * @param authenticatedAt when the user authenticated at the provider ({@code auth_time}); empty if the provider does not state it
 */
public record ExternalIdentity(
        String provider, String subject, String email, String firstName, String lastName, Optional<String> session,
        Optional<Instant> authenticatedAt) {}
