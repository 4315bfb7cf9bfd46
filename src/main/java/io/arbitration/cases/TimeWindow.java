package io.arbitration.cases;

import io.arbitration.platform.pipeline.Call;
import java.time.Instant;
import java.util.Optional;

/** The period of a list, both bounds inclusive; empty: without that bound. */
public record TimeWindow(Optional<Instant> from, Optional<Instant> until) {

    /** The period in a request: {@code from?} and {@code until?}. */
    public static TimeWindow of(Call call) {
        return new TimeWindow(call.optionalTime("from"), call.optionalTime("until"));
    }
}
