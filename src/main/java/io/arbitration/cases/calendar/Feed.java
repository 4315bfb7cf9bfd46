package io.arbitration.cases.calendar;

import io.arbitration.domain.UserId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A calendar feed that a user created for a program.
 *
 * @param name the name that its user gave it
 */
record Feed(UUID feedId, UserId userId, Optional<String> name, Instant created) {}
