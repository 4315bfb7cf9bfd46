package io.arbitration.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** For how long it is kept who was alerted of what. */
class AlertHistoryIT {

    private final RunningPlatform platform = RunningPlatform.shared();

    private String alert(String state, int daysAgo) {
        return platform.rows("""
                insert into alerts.alerts (sequence, user_id, channel, state, created, due)
                values (1, gen_random_uuid(), 'email', ?, now() - ? * interval '1 day', case when ? = 'pending' then 'infinity'::timestamptz end)
                returning alert_id
                """, state, daysAgo, state).getFirst().getFirst();
    }

    private List<Boolean> areKept(String... ids) {
        return List.of(ids).stream().map(id -> !platform.rows("select 1 from alerts.alerts where alert_id = ?::bigint", id).isEmpty()).toList();
    }

    @Test
    void anAlertThatEndedIsRemovedAfterItsHistoryAndOneThatWaitsIsNot() throws Exception {
        String told = alert("told", 400);
        String dropped = alert("dropped", 400);
        String waiting = alert("pending", 400);
        String young = alert("told", 300);
        new AlertRepository(platform.database(), Clock.systemUTC()).forget(Duration.ofDays(365)).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        assertThat(areKept(told, dropped, waiting, young)).containsExactly(false, false, true, true);
    }
}
