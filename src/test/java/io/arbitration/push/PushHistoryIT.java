package io.arbitration.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.push.messages.UserMessageRepository;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** For how long messages to browsers are kept. */
class PushHistoryIT {

    private final RunningPlatform platform = RunningPlatform.shared();

    private String message(int daysAgo, String expires) {
        return platform.rows("""
                with message as (
                  insert into push.messages (idempotency_key, user_id, payload, created, expires)
                  values (?, gen_random_uuid(), '\\x00', now() - ? * interval '1 day', now() + ?::interval) returning message_id),
                delivery as (
                  insert into push.deliveries (message_id, subscription_id, service, state, ready, due)
                  select message_id, gen_random_uuid(), 'https://push.example.org', 'sent', false, now() from message)
                select message_id from message
                """, "kept-" + UUID.randomUUID(), daysAgo, expires).getFirst().getFirst();
    }

    private List<Integer> rowsOf(String... messages) {
        return List.of(messages).stream().map(id -> platform.rows("""
                select 1 from push.messages where message_id = ?::bigint
                union all select 1 from push.deliveries where message_id = ?::bigint
                """, id, id).size()).toList();
    }

    @Test
    void aMessageIsRemovedWithItsDeliveriesAfterItsHistoryUnlessItMayStillBeSent() {
        String old = message(4000, "-1 day");
        String stillSent = message(4000, "1 hour");
        String young = message(10, "-1 day");
        Await.result(new UserMessageRepository(platform.database()).deleteExpired(Duration.ofDays(3650)));
        assertThat(rowsOf(old, stillSent, young)).containsExactly(0, 2, 2);
    }
}
