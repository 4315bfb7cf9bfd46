package io.arbitration.cases.deadlines;

import io.arbitration.platform.config.Configuration;
import java.time.Duration;

/**
 * How nodes search for reminders.
 *
 * @param lookPeriod the longest pause before a node searches again for reminders, unless one is due earlier or the node is
 * notified
 */
public record DeadlinesSettings(Duration lookPeriod) {

    public static DeadlinesSettings read(Configuration c) {
        return new DeadlinesSettings(Duration.ofSeconds(c.whole("deadlines.lookSeconds", 1, 3600)));
    }
}
