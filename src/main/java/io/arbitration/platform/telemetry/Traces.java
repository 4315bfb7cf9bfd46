package io.arbitration.platform.telemetry;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.spi.VertxTracerFactory;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Traces of what a request leads to, for a collector of OpenTelemetry. A trace goes on from a row of the database by its
 * <em>context</em>, the text of a W3C {@code traceparent}. Where nothing is traced no span is made and no context kept.
 */
public interface Traces extends AutoCloseable {

    /** What a span stands for: work that is begun for others, taken from them, or done here. */
    enum Kind { SENDS, TAKES, WORKS }

    /**
     * A piece of work.
     *
     * @param attributes ids and numbers; never what a person wrote, and nothing that is secret
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

    /** What makes Vert.x trace requests, statements and messages. */
    Optional<VertxTracerFactory> factory();

    /** The context of the work that is being done now; empty where it is not traced. */
    Optional<String> context();

    /** Runs work as a part of the trace with this context; what it does on the way, statements and requests, is part of it too. */
    <T> Future<T> within(Vertx vertx, Optional<String> context, Work work, Supplier<Future<T>> run);

    /** Adds work that has ended just now. */
    void happened(Optional<String> context, Work work, Instant begun);

    /** Names the request that is being answered now, and says more of it. */
    void name(String operation, Map<String, String> attributes);

    /** Sends what is left, for a few seconds at most. Blocks. */
    @Override
    void close();
}
