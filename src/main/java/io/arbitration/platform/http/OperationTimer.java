package io.arbitration.platform.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Measures how long an operation takes to answer, by status: {@code acp_operation_seconds} of the metrics. */
final class OperationTimer implements Handler<RoutingContext> {

    private final MeterRegistry meters;
    private final Operation operation;
    private final Map<Integer, Timer> timers = new ConcurrentHashMap<>();

    OperationTimer(MeterRegistry meters, Operation operation) {
        this.meters = meters;
        this.operation = operation;
    }

    @Override
    public void handle(RoutingContext context) {
        long start = System.nanoTime();
        context.addEndHandler(sent -> timer(context.response().getStatusCode()).record(System.nanoTime() - start, TimeUnit.NANOSECONDS));
        context.next();
    }

    private Timer timer(int status) {
        return timers.computeIfAbsent(status, code -> Timer.builder("acp.operation")
                .description("Time from the head of a request to the end of its answer")
                .tag("area", operation.area())
                .tag("operation", operation.id())
                .tag("status", String.valueOf(code))
                .register(meters));
    }
}
