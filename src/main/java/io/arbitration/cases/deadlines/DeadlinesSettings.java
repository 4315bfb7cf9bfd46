package io.arbitration.cases.deadlines;

import io.arbitration.platform.config.Configuration;
import java.time.Duration;

/**
 * How deadlines are watched.
 *
 * @param lookPeriod how long it takes at most until a reminder notices a deadline that was set or moved meanwhile
 */
public record DeadlinesSettings(Duration lookPeriod) {

    public static DeadlinesSettings read(Configuration c) {
        return new DeadlinesSettings(Duration.ofSeconds(c.whole("deadlines.lookSeconds", 1, 3600)));
    }
}
