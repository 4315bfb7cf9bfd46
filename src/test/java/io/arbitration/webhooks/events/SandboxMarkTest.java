package io.arbitration.webhooks.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.webhooks.events.EventFeedRepository.FeedEvent;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SandboxMarkTest {

    private static List<FeedEvent> events(LongStream positions, long... sandbox) {
        return positions.mapToObj(at -> new FeedEvent(at, "{}", LongStream.of(sandbox).anyMatch(one -> one == at))).toList();
    }

    @Test
    void runsAreNamedByTheirEndsAndSingleEventsByThemselves() {
        assertThat(SandboxMark.of(events(LongStream.rangeClosed(1, 9), 2, 3, 4, 6, 8, 9))).isEqualTo("2-4,6,8-9");
        assertThat(SandboxMark.of(events(LongStream.of(4, 7, 8), 4, 7, 8))).as("with a filter there are gaps").isEqualTo("4,7-8");
        assertThat(SandboxMark.of(events(LongStream.of(5), 5))).isEqualTo("5");
        assertThat(SandboxMark.of(events(LongStream.rangeClosed(1, 3)))).isEmpty();
        assertThat(SandboxMark.of(List.of())).isEmpty();
    }

    @Test
    void anAnswerEndsBeforeItsMarkWouldBeTooLongAndStillGoesOn() {
        long first = Long.MAX_VALUE - 4000;
        List<FeedEvent> everyOther = LongStream.range(0, 1000).mapToObj(n -> new FeedEvent(first + 2 * n, "{}", true)).toList();
        List<FeedEvent> page = SandboxMark.bounded(everyOther);
        assertThat(page).isNotEmpty().hasSizeLessThan(1000).isEqualTo(everyOther.subList(0, page.size()));
        assertThat(SandboxMark.of(page).length()).isBetween(SandboxMark.LENGTH_MAX - 100, SandboxMark.LENGTH_MAX);
        List<FeedEvent> ofOne = LongStream.range(0, 1000).mapToObj(n -> new FeedEvent(first + n, "{}", true)).toList();
        assertThat(SandboxMark.bounded(ofOne)).as("a run takes no more room than its ends").isEqualTo(ofOne);
    }
}
