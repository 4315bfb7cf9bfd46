package io.arbitration.webhooks.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishedKindsIT {

    @Test
    void whatTheFanOutPassesOverIsWhatTheViewOfPublishedEventsLeavesOut() {
        assertThat(RunningPlatform.shared().rows("""
                select m[1] from regexp_matches(pg_get_viewdef('platform_api.events'::regclass), '''([a-z_]+)''::text', 'g') as m
                """).stream().map(List::getFirst)).containsExactlyInAnyOrderElementsOf(FanOutRepository.NOT_PUBLISHED);
    }
}
