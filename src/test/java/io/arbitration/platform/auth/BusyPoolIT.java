package io.arbitration.platform.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.platform.db.Freshness;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every request is checked by is read beside the pool, however busy that is. */
class BusyPoolIT {

    private static final int CONNECTIONS = 2;
    private static final double BUSY_SECONDS = 12;

    @Test
    void aCallerIsLetInWhileThePoolIsBusy(@TempDir Path folder) {
        try (RunningPlatform platform = RunningPlatform.start(folder, Map.of("ACP_DATABASE_POOL_CONNECTIONS", String.valueOf(CONNECTIONS)))) {
            Person person = platform.signIn("busy@example.org", "B", "Usy");
            List<Future<List<Boolean>>> busy = Stream.generate(() -> platform.database().query("select pg_sleep($1)", Tuple.of(BUSY_SECONDS), row -> true))
                    .limit(2 * CONNECTIONS).toList();
            long stale = System.nanoTime() + 2 * Freshness.TRUSTED.toNanos();
            Await.until("what was read before is too old", () -> System.nanoTime() > stale);
            // Answered from memory, so that only the check of the caller could wait.
            Answer answer = platform.post("/cases/rule-sets/list", "{}", person.token());
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(busy).noneMatch(Future::isComplete);
        }
    }
}
