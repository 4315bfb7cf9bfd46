package io.arbitration.webhooks.events;

import io.arbitration.webhooks.events.EventFeedRepository.FeedEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The header that lists the events of an answer that happened in a sandbox, because their envelopes do not show it. It lists
 * their positions in the feed ({@code sequence} in the answer) in order; consecutive ones as first and last, like {@code
 * 17-19,23}. The length of a header is bounded, so an answer ends before its header would exceed the bound.
 */
final class SandboxMark {

    static final String HEADER = "webhook-sandbox";
    /** Some proxies accept only 4 KB for all headers together. */
    static final int LENGTH_MAX = 2000;
    private static final int SEQUENCE_LENGTH_MAX = 19;

    private final List<FeedEvent> marked = new ArrayList<>();
    private final StringBuilder runs = new StringBuilder();
    private long first;
    private long last;

    private SandboxMark() {}

    /** The first of these events, as many as one header can mark. */
    static List<FeedEvent> bounded(List<FeedEvent> events) {
        SandboxMark mark = new SandboxMark();
        for (FeedEvent event : events) {
            if (mark.runs.length() > LENGTH_MAX - 4 * SEQUENCE_LENGTH_MAX) {
                break;
            }
            mark.add(event);
        }
        return mark.marked;
    }

    /** The value of the header, for events in either order; empty if none happened in a sandbox. */
    static String of(List<FeedEvent> events) {
        SandboxMark mark = new SandboxMark();
        events.stream().sorted(Comparator.comparingLong(FeedEvent::position)).forEach(mark::add);
        mark.endRun();
        return mark.runs.toString();
    }

    private void add(FeedEvent event) {
        marked.add(event);
        if (!event.inSandbox()) {
            endRun();
        } else if (first == 0) {
            first = event.position();
        } else if (event.position() != last + 1) {
            endRun();
            first = event.position();
        }
        last = event.position();
    }

    private void endRun() {
        if (first != 0) {
            runs.append(runs.isEmpty() ? "" : ",").append(first).append(last > first ? "-" + last : "");
            first = 0;
        }
    }
}
