package io.arbitration.platform.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rates are those of the platform: two nodes on one database count together. */
class SharedRatesIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final Duration HOUR = Duration.ofHours(1);

    private final UUID oneId = UUID.randomUUID();
    private final UUID otherId = UUID.randomUUID();
    private final SharedRateLimiters one = new SharedRateLimiters(true, 1000);
    private final SharedRateLimiters other = new SharedRateLimiters(true, 1000);
    private final RateCountsRepository ones = new RateCountsRepository(PLATFORM.database(), oneId);
    private final RateCountsRepository others = new RateCountsRepository(PLATFORM.database(), otherId);

    @BeforeEach
    void enter() throws SQLException {
        admitted(one, "nobody", 0);
        admitted(other, "nobody", 0);
        for (UUID id : new UUID[] {oneId, otherId}) {
            execute("insert into platform.nodes (node_id, name, definitions, seen) values ('%s', 'test', 'test', now() + interval '1 hour')".formatted(id));
        }
    }

    @AfterEach
    void leave() throws SQLException {
        execute("delete from platform.nodes where node_id in ('%s', '%s')".formatted(oneId, otherId));
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = PLATFORM.sql(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void round() {
        Await.result(one.exchange(ones));
        Await.result(other.exchange(others));
        Await.result(one.exchange(ones));
    }

    private static int admitted(SharedRateLimiters node, String key, int asked) {
        return RateLimiterTest.admitted(node.limiter("test", 20, HOUR), key, asked);
    }

    @Test
    void whatOneNodeLetPassTheOtherCounts() {
        round();
        assertThat(admitted(one, "caller", 15)).isEqualTo(15);
        round();
        assertThat(admitted(other, "caller", 15)).isEqualTo(5);
        assertThat(admitted(other, "another", 15)).isEqualTo(15);
        round();
        assertThat(admitted(one, "caller", 15)).isZero();
        assertThat(admitted(one, "another", 15)).isEqualTo(5);
    }

    @Test
    void aReportIsCountedOnce() {
        round();
        assertThat(admitted(one, "caller", 6)).isEqualTo(6);
        round();
        round();
        round();
        assertThat(admitted(other, "caller", 20)).isEqualTo(14);
    }

    @Test
    void oldReportsAreForgotten() {
        round();
        admitted(one, "caller", 6);
        round();
        assertThat(rows()).isEqualTo(1);
        PLATFORM.rows("update platform.rate_counts set written = now() - interval '1 minute' where node_id = ? returning 1", oneId);
        round();
        assertThat(rows()).isZero();
    }

    private int rows() {
        return PLATFORM.rows("select 1 from platform.rate_counts where node_id = ?", oneId).size();
    }
}
