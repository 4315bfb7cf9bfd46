package io.arbitration;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client and a platform, counts the requests, and does to them what networks and busy servers do. A client calls it at
 * {@code url()/fault/name}; the name keeps the counts of tests apart. What belongs to sign-in passes, but for being counted.
 */
final class FaultyProxy implements AutoCloseable {

    /** What is done to requests. */
    enum Fault {
        /** Nothing. */
        NONE,
        /** The first answer to each key is lost: the platform did the work, and the client gets none. A request without a key gets nowhere. */
        LOSE,
        /** The first request with each key, or at each path without one, is answered 503. */
        BUSY,
        /** Every request is answered 429, with an hour to wait. */
        LATER,
        /** Requests with the first access token that comes are answered 401, as when its key was withdrawn. */
        REFUSE,
        /** Lists of cases answer the cursor {@code again}, whatever they are asked with. */
        LOOP
    }

    private static final Set<String> NOT_FORWARDED = Set.of("accept-encoding", "connection", "content-length", "host", "upgrade", "http2-settings", "transfer-encoding");

    private final String platform;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final Map<String, String> firstTokens = new ConcurrentHashMap<>();

    FaultyProxy(String platform) throws IOException {
        this.platform = platform;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::pass);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** How many requests came to a path of the platform by a fault and a name. */
    int count(Fault fault, String name, String path) {
        AtomicInteger count = counts.get("/" + fault.name().toLowerCase() + "/" + name + path);
        return count == null ? 0 : count.get();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            String asked = exchange.getRequestURI().getPath();
            counts.computeIfAbsent(asked, path -> new AtomicInteger()).incrementAndGet();
            String[] parts = asked.split("/", 4);
            byte[] body = exchange.getRequestBody().readAllBytes();
            Fault fault = parts[3].startsWith("auth/") && !parts[3].equals("auth/users/me") ? Fault.NONE : Fault.valueOf(parts[1].toUpperCase());
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            String request = asked + " " + key;
            switch (fault) {
                case NONE -> forward(exchange, parts[3], body);
                case LOSE -> {
                    if (!seen.add(request)) {
                        forward(exchange, parts[3], body);
                    } else if (key != null) {
                        ask(exchange, parts[3], body);
                    }
                }
                case BUSY -> {
                    if (seen.add(request)) {
                        refuse(exchange, 503, "overloaded", Map.of());
                    } else {
                        forward(exchange, parts[3], body);
                    }
                }
                case LATER -> refuse(exchange, 429, "rate.limited", Map.of("Retry-After", "3600"));
                case REFUSE -> {
                    String token = exchange.getRequestHeaders().getFirst("Authorization");
                    if (token == null || token.equals(firstTokens.computeIfAbsent(parts[2], name -> String.valueOf(token)))) {
                        refuse(exchange, 401, "token.invalid", Map.of());
                    } else {
                        forward(exchange, parts[3], body);
                    }
                }
                case LOOP -> {
                    JsonObject first = new JsonObject(new String(body, StandardCharsets.UTF_8));
                    first.remove("cursor");
                    JsonObject page = new JsonObject(new String(ask(exchange, parts[3], first.encode().getBytes(StandardCharsets.UTF_8)).body(), StandardCharsets.UTF_8));
                    answer(exchange, 200, page.put("nextCursor", "again").encode().getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void refuse(HttpExchange exchange, int status, String code, Map<String, String> headers) throws IOException {
        exchange.getResponseHeaders().set("Error-Code", code);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        headers.forEach(exchange.getResponseHeaders()::set);
        answer(exchange, status, "\"by the proxy\"".getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private void forward(HttpExchange exchange, String path, byte[] body) throws IOException, InterruptedException {
        HttpResponse<byte[]> answered = ask(exchange, path, body);
        Headers headers = exchange.getResponseHeaders();
        answered.headers().map().forEach((name, values) -> {
            if (!NOT_FORWARDED.contains(name.toLowerCase())) {
                headers.put(name, values);
            }
        });
        answer(exchange, answered.statusCode(), answered.body());
    }

    private HttpResponse<byte[]> ask(HttpExchange exchange, String path, byte[] body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(platform + "/" + path))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!NOT_FORWARDED.contains(name.toLowerCase())) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
}
