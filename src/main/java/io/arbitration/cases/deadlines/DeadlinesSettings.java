package io.arbitration.cases.deadlines;

import io.arbitration.platform.config.Configuration;
import java.time.Duration;

/**
 * How deadlines are watched.
 *
 * @param lookPeriod how long a node waits at most until it looks again for reminders, unless one is due or it is woken before
 */
public record DeadlinesSettings(Duration lookPeriod) {

    public static DeadlinesSettings read(Configuration c) {
        return new DeadlinesSettings(Duration.ofSeconds(c.whole("deadlines.lookSeconds", 1, 3600)));
    }
}
