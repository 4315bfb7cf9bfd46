package io.arbitration.webhooks.events;

import io.arbitration.webhooks.events.EventFeedRepository.FeedEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which of the events of an answer happened in a sandbox, as a header beside their envelopes says: their sequences, in order, each run of
 * them as its first and last, like {@code 17-19,23}. A header is bounded, so an answer ends before its mark would be longer.
 */
final class SandboxMark {

    static final String HEADER = "webhook-sandbox";
    /** Servers between the platform and a client take headers of 4 KB, all together. */
    static final int LENGTH_MAX = 2000;
    private static final int SEQUENCE_LENGTH_MAX = 19;

    private final List<FeedEvent> marked = new ArrayList<>();
    private final StringBuilder runs = new StringBuilder();
    private long first;
    private long last;

    private SandboxMark() {}

    /** The first events of these, as many as can be marked in one header. */
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

    /** The value of the header, whichever order the answer has; empty where no event happened in a sandbox. */
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
