package io.arbitration.cases;

import io.arbitration.platform.pipeline.Call;
import java.time.Instant;
import java.util.Optional;

/** From and until when something is listed, both inclusive; empty: without that bound. */
public record TimeWindow(Optional<Instant> from, Optional<Instant> until) {

    /** What a request asks for: {@code from?} and {@code until?}. */
    public static TimeWindow of(Call call) {
        return new TimeWindow(call.optionalTime("from"), call.optionalTime("until"));
    }
}
