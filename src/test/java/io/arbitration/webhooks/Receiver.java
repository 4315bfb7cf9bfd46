package io.arbitration.webhooks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server of an organization that takes webhooks, on loopback, and answers as a test says. */
public final class Receiver implements AutoCloseable {

    /** One request as it came. */
    public record Received(Instant at, String path, Map<String, List<String>> headers, String body) {

        public String header(String name) {
            List<String> values = headers.get(Character.toUpperCase(name.charAt(0)) + name.substring(1).toLowerCase());
            return values == null ? null : values.getFirst();
        }

        public JsonObject envelope() {
            return new JsonObject(body);
        }
    }

    @FunctionalInterface
    public interface Answering {
        void answer(HttpExchange exchange, Received received) throws IOException;
    }

    private static final Duration WAIT = Duration.ofSeconds(60);

    private final HttpServer server;
    private final BlockingQueue<Received> arrived = new LinkedBlockingQueue<>();
    private final List<Received> all = new CopyOnWriteArrayList<>();
    private volatile Answering answering = (exchange, received) -> exchange.sendResponseHeaders(200, -1);

    public Receiver() {
        this(0);
    }

    public Receiver(int port) {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    public Receiver(InetSocketAddress address) {
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Received received = new Received(Instant.now(), exchange.getRequestURI().toString(), Map.copyOf(exchange.getRequestHeaders()), body);
            all.add(received);
            arrived.add(received);
            answering.answer(exchange, received);
        }
    }

    public Receiver answering(Answering next) {
        answering = next;
        return this;
    }

    public Receiver answering(int status, String... headers) {
        return answering((exchange, received) -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, -1);
        });
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://%s:%d/hook".formatted(server.getAddress().getAddress().getHostAddress(), port());
    }

    /** The next request; waits for it. */
    public Received next() {
        return next(WAIT);
    }

    public Received next(Duration wait) {
        try {
            Received received = arrived.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
            if (received == null) {
                throw new AssertionError("nothing arrived within " + wait);
            }
            return received;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** All that arrived so far. */
    public List<Received> all() {
        return List.copyOf(all);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
