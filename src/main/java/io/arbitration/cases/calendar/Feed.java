package io.arbitration.cases.calendar;

import io.arbitration.domain.UserId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A calendar that somebody made for a program.
 *
 * @param name what its user calls it
 */
record Feed(UUID feedId, UserId userId, Optional<String> name, Instant created) {}
