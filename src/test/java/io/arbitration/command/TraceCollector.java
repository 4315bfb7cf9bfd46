package io.arbitration.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/** Takes what the platform exports, as a collector would: OTLP over HTTP, decoded by the published protocol. */
final class TraceCollector implements AutoCloseable {

    /** A span as it was sent. */
    record Seen(String traceId, String spanId, String parentId, String name, Span.SpanKind kind, Map<String, String> attributes, Span whole) {}

    private final HttpServer server;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final List<String> services = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();

    private volatile int status = 200;

    TraceCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 20);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    /** From now on it answers with this status; 200 takes what comes. */
    void answer(int next) {
        status = next;
    }

    private void take(HttpExchange exchange) throws IOException {
        if (status != 200) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
            return;
        }
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
        try (InputStream body = zipped ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().forEach(resource -> {
                services.add(texts(resource.getResource().getAttributesList()).get("service.name"));
                resource.getScopeSpansList().forEach(scope -> scope.getSpansList().forEach(span -> seen.add(new Seen(
                        HexFormat.of().formatHex(span.getTraceId().toByteArray()), HexFormat.of().formatHex(span.getSpanId().toByteArray()),
                        HexFormat.of().formatHex(span.getParentSpanId().toByteArray()), span.getName(), span.getKind(),
                        texts(span.getAttributesList()), span))));
            });
        }
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    private static Map<String, String> texts(List<KeyValue> values) {
        return values.stream().collect(Collectors.toMap(KeyValue::getKey,
                value -> value.getValue().hasStringValue() ? value.getValue().getStringValue() : value.getValue().toString().strip(), (one, other) -> other, TreeMap::new));
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Seen> seen() {
        return List.copyOf(seen);
    }

    List<String> services() {
        return List.copyOf(services);
    }

    List<String> authorizations() {
        return List.copyOf(authorizations);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
