package io.arbitration.platform;

import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.browser.Pages;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.CommitNotifications;
import io.arbitration.platform.events.EventLog;
import io.arbitration.platform.keys.Kms;
import io.arbitration.platform.keys.SigningKeys;
import io.arbitration.platform.limits.SharedRateLimiters;
import io.arbitration.platform.objects.ObjectStores;
import io.arbitration.platform.outbound.AddressRules;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.queue.DueItemsPoll;
import io.arbitration.platform.reading.ReadingProcesses;
import io.arbitration.platform.telemetry.DiskProbe;
import io.arbitration.platform.telemetry.ObservedParts;
import io.arbitration.platform.telemetry.Traces;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

/**
 * What an area stands on; made once, in the composition root.
 *
 * @param nodeId of this node among those on the database
 * @param callable the addresses that may be called for a URL that a user gave
 */
public record AreaServices(
        UUID nodeId, String publicUrl, Database database, EventLog events, CommitNotifications notifications, DueItemsPoll dueItems, AuditTrail audit, Kms kms, SigningKeys signingKeys,
        Revocations revocations, AccessTokens tokens, OperationPipeline pipeline, SharedRateLimiters rates, ObjectStores objects, ReadingProcesses reading, DiskProbe disk, AddressRules callable, Pages pages, MeterRegistry meters, SecurityEvents security, Traces traces, ObservedParts observed, Clock clock,
        SecureRandom random) {}
