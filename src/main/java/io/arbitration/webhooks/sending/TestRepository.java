package io.arbitration.webhooks.sending;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.RequestKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;

/** Tests of URLs: the present one, by a lease on the row of the organization, and the results of earlier ones. */
public final class TestRepository {

    private final Database database;

    public TestRepository(Database database) {
        this.database = database;
    }

    /** Begins a test; false while another test of the organization runs on any node. */
    Future<Boolean> begin(UUID organizationId, UUID testId, Duration lease) {
        return database.update("""
                update webhooks.organizations set test_id = $2, test_until = now() + $3::bigint * interval '1 millisecond'
                where organization_id = $1 and (test_until is null or test_until < now())
                """, Tuple.of(organizationId, testId, lease.toMillis())).map(rows -> rows == 1);
    }

    Future<Void> end(UUID organizationId, UUID testId) {
        return database.update("""
                update webhooks.organizations set test_id = null, test_until = null where organization_id = $1 and test_id = $2
                """, Tuple.of(organizationId, testId)).mapEmpty();
    }

    /** Stores a test as a delivery with one attempt. */
    Future<Void> insert(Optional<RequestKey> key, TestSender.Target target, UUID eventId, DeliveryAttempt attempt) {
        return database.update(key, """
                with inserted as (
                  insert into webhooks.deliveries (url_id, organization_id, event_id, event, state, created)
                  values ($1, $2, $3, 'test', $4, now()) returning delivery_id)
                insert into webhooks.attempts (delivery_id, at, status, error, duration_millis, response)
                select delivery_id, $5::timestamptz, $6::int, $7::text, $8::int, $9::text from inserted
                """, Tuple.of(target.urlId(), target.organizationId(), eventId,
                        (attempt.succeeded() ? DeliveryState.DELIVERED : DeliveryState.FAILED).text(), attempt.at().atOffset(ZoneOffset.UTC))
                .addInteger(attempt.status().orElse(null)).addString(attempt.error().orElse(null)).addInteger(attempt.durationMillis())
                .addString(attempt.response().orElse(null))).mapEmpty();
    }
}
