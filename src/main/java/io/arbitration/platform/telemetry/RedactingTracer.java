package io.arbitration.platform.telemetry;

import io.vertx.core.Context;
import io.vertx.core.eventbus.Message;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Wraps a tracer and keeps confidential values out of traces. Only known attributes pass: URLs are omitted, because they may
 * contain tokens and secrets, and of an error only its class is kept, because a message of the database quotes values. The trace
 * context is only passed on between nodes: it is neither sent to other servers nor accepted from clients.
 */
final class RedactingTracer<I, O> implements VertxTracer<I, O> {

    private static final Set<String> ATTRIBUTES = Set.of(
            "http.method", "http.status_code", "http.request.method", "http.response.status_code", "network.protocol.version",
            "server.address", "server.port", "db.statement", "db.query.text", "db.type", "db.system", "db.system.name", "db.operation",
            "message_bus.destination", "messaging.destination.name", "messaging.system", "messaging.operation");

    private final VertxTracer<I, O> tracer;

    RedactingTracer(VertxTracer<I, O> tracer) {
        this.tracer = tracer;
    }

    @Override
    public <R> I receiveRequest(Context context, SpanKind kind, TracingPolicy policy, R request, String operation,
            Iterable<Map.Entry<String, String>> headers, TagExtractor<R> tags) {
        return tracer.receiveRequest(context, kind, policy, request, operation, request instanceof Message ? headers : List.of(), new Known<>(tags));
    }

    @Override
    public <R> void sendResponse(Context context, R response, I payload, Throwable failure, TagExtractor<R> tags) {
        tracer.sendResponse(context, response, payload, redacted(failure), new Known<>(tags));
    }

    @Override
    public <R> O sendRequest(Context context, SpanKind kind, TracingPolicy policy, R request, String operation,
            BiConsumer<String, String> headers, TagExtractor<R> tags) {
        return tracer.sendRequest(context, kind, policy, request, operation, request instanceof Message ? headers : (name, value) -> { }, new Known<>(tags));
    }

    @Override
    public <R> void receiveResponse(Context context, R response, O payload, Throwable failure, TagExtractor<R> tags) {
        tracer.receiveResponse(context, response, payload, redacted(failure), new Known<>(tags));
    }

    @Override
    public void close() {
        tracer.close();
    }

    private static Throwable redacted(Throwable failure) {
        return failure == null ? null : new Failed(failure.getClass().getName());
    }

    /** A failure without its message and stack trace: only its class. */
    private static final class Failed extends RuntimeException {
        Failed(String type) {
            super(type, null, false, false);
        }
    }

    private record Known<R>(TagExtractor<R> all) implements TagExtractor<R> {

        @Override
        public Map<String, String> extract(R of) {
            Map<String, String> known = new HashMap<>(all.extract(of));
            known.keySet().retainAll(ATTRIBUTES);
            return known;
        }

        @Override
        public void extractTo(R of, BiConsumer<String, String> taken) {
            all.extractTo(of, (name, value) -> {
                if (ATTRIBUTES.contains(name)) {
                    taken.accept(name, value);
                }
            });
        }

        @Override
        public void extractTo(R of, Map<String, String> taken) {
            extractTo(of, taken::put);
        }

        private int[] places(R of) {
            return IntStream.range(0, all.len(of)).filter(place -> ATTRIBUTES.contains(all.name(of, place))).toArray();
        }

        @Override
        public int len(R of) {
            return places(of).length;
        }

        @Override
        public String name(R of, int index) {
            return all.name(of, places(of)[index]);
        }

        @Override
        public String value(R of, int index) {
            return all.value(of, places(of)[index]);
        }
    }
}
