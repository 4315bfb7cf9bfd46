package io.arbitration.client;

/**
 * A webhook whose signature holds.
 *
 * @param id the same at every attempt: store those that were processed
 * @param sandbox whether the case runs by a clock of its own
 * @param event the model of its kind, for instance {@link io.arbitration.client.model.DocketFilingEvent};
 *     {@link io.arbitration.client.model.WebhookEvent} for a kind that is newer than this client, and for tests
 */
public record Webhook(String id, boolean sandbox, Object event) {}
