package io.arbitration.webhooks.urls;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A callback URL of an organization.
 *
 * @param events kinds of events that are sent to it
 * @param disabled empty while it is enabled
 */
public record RegisteredUrl(long id, String url, Instant created, UUID createdBy, List<String> events, Optional<Disabled> disabled) {

    /** @param reason a sentence */
    public record Disabled(Instant at, String reason) {}
}
