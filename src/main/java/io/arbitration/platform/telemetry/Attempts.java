package io.arbitration.platform.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Counts how attempts ended. Every way is there from the start, at 0: the first failure is then an increase that an alarm sees. */
public final class Attempts {

    private final Map<String, Counter> counters = new HashMap<>();

    /**
     * @param name of the metric, without what its kind adds
     * @param results values of its label {@code result}
     * @param tags name, value, name, value … of further labels
     */
    public Attempts(MeterRegistry meters, String name, String description, Stream<String> results, String... tags) {
        results.forEach(result -> counters.put(result,
                Counter.builder(name).description(description).tag("result", result).tags(tags).register(meters)));
    }

    /** @param result one of those that were named */
    public void count(String result) {
        counters.get(result).increment();
    }
}
