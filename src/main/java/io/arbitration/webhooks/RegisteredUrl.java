package io.arbitration.webhooks;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A callback URL of an organization.
 *
 * @param events kinds of events that it is told of
 * @param disabledReason a sentence; null while it is enabled
 */
record RegisteredUrl(
        long id, String url, Instant created, UUID createdBy, List<String> events, Instant disabledAt, String disabledReason) {}
