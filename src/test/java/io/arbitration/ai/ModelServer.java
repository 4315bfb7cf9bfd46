package io.arbitration.ai;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Speaks the protocol of a model's server, as well or as badly as a test wants. Its default answer is an award that cites nothing. */
public final class ModelServer implements AutoCloseable {

    /** What to do with a request. */
    public interface Behaviour {
        void answer(HttpExchange exchange, JsonObject request) throws IOException;
    }

    /** A request as it came. */
    public record Asked(JsonObject body, String authorization, String path) {

        /** All that was said to the model, the platform's own words included. */
        public String words() {
            StringBuilder all = new StringBuilder();
            for (Object message : body.getJsonArray("messages")) {
                Object content = ((JsonObject) message).getValue("content");
                if (content instanceof JsonArray parts) {
                    parts.forEach(part -> all.append(((JsonObject) part).getString("text", "")).append('\n'));
                } else {
                    all.append(content).append('\n');
                }
            }
            return all.toString();
        }

        public String system() {
            return body.getJsonArray("messages").getJsonObject(0).getString("content");
        }
    }

    private final HttpServer server;
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Function<Asked, Behaviour> script = asked -> saying(award("The claimant prevails.", "Nothing else was shown."));

    public ModelServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        JsonObject body = new JsonObject(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Asked one = new Asked(body, exchange.getRequestHeaders().getFirst("Authorization"), exchange.getRequestURI().getPath());
        asked.add(one);
        script.apply(one).answer(exchange, body);
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Settings of a platform that has this model. */
    public Map<String, String> settings() {
        return Map.of("ACP_AI_BASE_URL", url(), "ACP_AI_MODEL", "double-1", "ACP_AI_API_KEY", "the-secret-key");
    }

    public List<Asked> asked() {
        return asked;
    }

    /** From now on, forgetting what it was asked. */
    public void does(Function<Asked, Behaviour> script) {
        asked.clear();
        this.script = script;
    }

    /** One after the other; the last again and again. */
    public void does(Behaviour... behaviours) {
        does(one -> behaviours[Math.min(asked.size(), behaviours.length) - 1]);
    }

    public static String award(String outcome, String reasons) {
        return new JsonObject().put("outcome", outcome).put("reasons", reasons).encode();
    }

    public static Behaviour saying(String text) {
        return saying(text, "stop");
    }

    public static Behaviour saying(String text, String finish) {
        return (exchange, request) -> send(exchange, 200, completion(text, finish), Map.of());
    }

    public static Behaviour status(int status, String body, String... headers) {
        return (exchange, request) -> send(exchange, status, body,
                headers.length == 0 ? Map.of() : Map.of(headers[0], headers[1]));
    }

    private static String completion(String text, String finish) {
        return new JsonObject().put("id", "c-1").put("object", "chat.completion").put("model", "double-1-of-today")
                .put("choices", new JsonArray().add(new JsonObject().put("index", 0).put("finish_reason", finish)
                        .put("message", new JsonObject().put("role", "assistant").put("content", text))))
                .put("usage", new JsonObject().put("prompt_tokens", 100).put("completion_tokens", 20)).encode();
    }

    /** The answer in many small pieces. */
    public static Behaviour streaming(String text) {
        return (exchange, request) -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                for (byte one : completion(text, "stop").getBytes(StandardCharsets.UTF_8)) {
                    out.write(one);
                    out.flush();
                }
            }
        };
    }

    /** Bytes without an end, until the other side has enough. */
    public static Behaviour endless() {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] part = "{\"choices\":[{\"message\":{\"content\":\"on and on ".repeat(300).getBytes(StandardCharsets.UTF_8);
            try (OutputStream out = exchange.getResponseBody()) {
                while (true) {
                    out.write(part);
                }
            }
        };
    }

    /** Begins an answer and never ends it, until the server closes. */
    public Behaviour stalling() {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            awaitClosing();
            exchange.close();
        };
    }

    /** Waits for the gate before it goes on. */
    public static Behaviour after(CountDownLatch gate, Behaviour then) {
        return (exchange, request) -> {
            try {
                gate.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            then.answer(exchange, request);
        };
    }

    private void awaitClosing() {
        try {
            closing.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Hangs up without an answer. */
    public static Behaviour hangingUp() {
        return (exchange, request) -> exchange.close();
    }

    private static void send(HttpExchange exchange, int status, String body, Map<String, String> headers) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        headers.forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
    }
}
