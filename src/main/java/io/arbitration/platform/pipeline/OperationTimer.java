package io.arbitration.platform.pipeline;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures how long an operation takes to answer, by status: {@code acp_operation_seconds} of the metrics. */
final class OperationTimer implements Handler<RoutingContext> {

    /** Upper bounds of the histogram: few, because each is a series for every operation and status. */
    private static final Duration[] BUCKETS = Stream.of(2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000).map(Duration::ofMillis)
            .toArray(Duration[]::new);

    /** Set on a context whose operation is known: area and operation. */
    static final String OPERATION = "operation";
    private static final Logger LOG = LoggerFactory.getLogger(OperationTimer.class);

    private final MeterRegistry meters;
    private final Operation operation;
    private final String name;
    private final Map<Integer, Timer> timers = new ConcurrentHashMap<>();

    OperationTimer(MeterRegistry meters, Operation operation) {
        this.meters = meters;
        this.operation = operation;
        this.name = operation.area() + "." + operation.id();
    }

    @Override
    public void handle(RoutingContext context) {
        long start = System.nanoTime();
        context.put(OPERATION, name);
        context.addEndHandler(sent -> {
            long nanos = System.nanoTime() - start;
            int status = context.response().getStatusCode();
            timer(status).record(nanos, TimeUnit.NANOSECONDS);
            LOG.debug("{}.{} answered {} in {} ms", operation.area(), operation.id(), status, nanos / 1_000_000);
        });
        context.next();
    }

    private Timer timer(int status) {
        return timers.computeIfAbsent(status, code -> Timer.builder("acp.operation")
                .description("Time from the head of a request to the end of its answer")
                .serviceLevelObjectives(BUCKETS)
                .tag("area", operation.area())
                .tag("operation", operation.id())
                .tag("status", String.valueOf(code))
                .register(meters));
    }
}
