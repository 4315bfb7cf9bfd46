package io.arbitration.platform.telemetry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.spi.VertxTracerFactory;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Traces of a request and of the work that follows from it, for a collector of OpenTelemetry. Rows of the database keep the
 * <em>trace context</em> of the request (W3C {@code traceparent}), by which later work continues the trace. Where nothing is traced, no
 * span is made and no context kept.
 */
public interface Traces extends AutoCloseable {

    /** The kind of a span: sending work to others, receiving it from them, or doing it here. */
    enum Kind { SENDS, TAKES, WORKS }

    /**
     * A piece of work.
     *
     * @param attributes ids and numbers; never a text that a person wrote, and nothing secret
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
        public void happened(Optional<String> context, Work work, Instant begun) {}

        @Override
        public void name(String operation, Map<String, String> attributes) {}

        @Override
        public void close() {}
    };

    /** {@link #OFF} where no collector is configured; nothing of OpenTelemetry is loaded then. */
    static Traces of(TracesSettings settings) {
        return settings.endpoint().isPresent() ? new OpenTraces(settings) : OFF;
    }

    boolean isOn();

    /** The factory of the tracer of Vert.x, which traces requests, statements and messages. */
    Optional<VertxTracerFactory> factory();

    /** The trace context of the current work; empty where it is not traced. */
    Optional<String> context();

    /** Runs work as part of the trace with this context, with the statements and requests of that work. */
    <T> Future<T> within(Vertx vertx, Optional<String> context, Work work, Supplier<Future<T>> run);

    /** Adds a span of work that began then and ends now. */
    void happened(Optional<String> context, Work work, Instant begun);

    /** Names the span of the current request, and adds attributes to it. */
    void name(String operation, Map<String, String> attributes);

    /** Sends the remaining spans, within a few seconds. Blocks. */
    @Override
    void close();
}
