package io.arbitration.platform.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Counts attempts by their result. Each counter exists from the start, at 0, so that an alarm on an increase sees the first failure too. */
public final class Attempts {

    private final Map<String, Counter> counters = new HashMap<>();

    /**
     * @param name of the metric without the suffix of its kind
     * @param results values of its label {@code result}
     * @param tags name, value, name, value … of further labels
     */
    public Attempts(MeterRegistry meters, String name, String description, Stream<String> results, String... tags) {
        results.forEach(result -> counters.put(result,
                Counter.builder(name).description(description).tag("result", result).tags(tags).register(meters)));
    }

    /** @param result one of the results given at the construction */
    public void count(String result) {
        counters.get(result).increment();
    }
}
