package io.arbitration.platform.telemetry;

import io.arbitration.platform.PartState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.spi.VertxTracerFactory;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Traces of a request and of the work that follows from it, for an OpenTelemetry collector. Rows of the database store the
 * <em>trace context</em> of the request (W3C {@code traceparent}), with which later work continues the trace. If tracing is off,
 * no span is made and no context stored.
 */
public interface Traces extends AutoCloseable {

    /** The kind of a span: sending work to others, receiving it from them, or doing it here. */
    enum Kind { SENDS, TAKES, WORKS }

    /**
     * A piece of work.
     *
     * @param attributes IDs and numbers; never text of a person, and nothing secret
     */
    record Work(String name, Kind kind, Map<String, String> attributes) {}

    /** Nothing is traced. */
    Traces OFF = new Traces() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public Optional<VertxTracerFactory> factory() {
            return Optional.empty();
        }

        @Override
        public Optional<String> context() {
            return Optional.empty();
        }

        @Override
        public <T> Future<T> within(Vertx vertx, Optional<String> context, Work work, Supplier<Future<T>> run) {
            return run.get();
        }

        @Override
        public void recordSpan(Optional<String> context, Work work, Instant begun) {}

        @Override
        public void name(String operation, Map<String, String> attributes) {}

        @Override
        public PartState state() {
            return PartState.of("OFF");
        }

        @Override
        public void close() {}
    };

    /** {@link #OFF} if no collector is configured; no class of OpenTelemetry is loaded then. */
    static Traces of(TracesSettings settings) {
        return settings.endpoint().isPresent() ? new OpenTraces(settings) : OFF;
    }

    boolean isOn();

    /** The factory of the tracer of Vert.x, which traces requests, statements and messages. */
    Optional<VertxTracerFactory> factory();

    /** The trace context of the current work; empty if it is not traced. */
    Optional<String> context();

    /** Runs work as part of the trace with this context, including the statements and requests of that work. */
    <T> Future<T> within(Vertx vertx, Optional<String> context, Work work, Supplier<Future<T>> run);

    /** Adds a span of work that began at that time and ends now. */
    void recordSpan(Optional<String> context, Work work, Instant begun);

    /** Names the span of the current request, and adds attributes to it. */
    void name(String operation, Map<String, String> attributes);

    /** How the last sending to the collector ended. */
    PartState state();

    /** Sends the remaining spans, within a few seconds. Blocks. */
    @Override
    void close();
}
