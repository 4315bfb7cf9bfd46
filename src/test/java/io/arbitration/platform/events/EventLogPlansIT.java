package io.arbitration.platform.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What consumers ask of a long event log all the time is answered by its index: the log is never read from one end to the other. */
class EventLogPlansIT {

    private static final int EVENTS = 20_000;

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;

    @BeforeAll
    static void fill() throws Exception {
        platform = RunningPlatform.start(folder, Map.of("ACP_AREAS_ENABLED", "auth"));
        try (var sql = platform.sql(); var statement = sql.createStatement()) {
            statement.execute("""
                    insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                    select gen_random_uuid(), 'docket_filing', gen_random_uuid(), now(), '{}' from generate_series(1, %d)
                    """.formatted(EVENTS));
            statement.execute("insert into platform.event_consumers (consumer, transaction, read_up_to) values ('planned', '18446744073709551615', %d)".formatted(EVENTS));
            statement.execute("vacuum (analyze) platform.events");
        }
    }

    @AfterAll
    static void close() {
        platform.close();
    }

    private static String plan(String statement) {
        return platform.rows("explain (costs off) " + statement).stream().map(List::getFirst).collect(Collectors.joining("\n"));
    }

    @Test
    void whetherThereAreEventsAfterACursorIsAnsweredByTheIndex() {
        String plan = plan("select " + EventCursor.ANY_UNREAD + " from platform.event_consumers c where c.consumer = 'planned'");

        assertThat(plan).contains("events_pkey").doesNotContain("Seq Scan on events");
        assertThat(platform.rows("select " + EventCursor.ANY_UNREAD + " from platform.event_consumers c where c.consumer = 'planned'")).containsExactly(List.of("f"));
    }

    @Test
    void theNextEventsAreReadByTheIndex() {
        String plan = plan("select e.* from (select " + EventCursor.PLACE + " from platform.event_consumers c where c.consumer = 'planned') c cross join lateral (" + EventCursor.unread(256) + ") e");

        assertThat(plan).contains("events_pkey").doesNotContain("Seq Scan on events");
    }
}
