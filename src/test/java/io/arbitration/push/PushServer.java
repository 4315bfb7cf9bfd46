package io.arbitration.push;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.arbitration.push.encryption.P256;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;

/**
 * A push service (RFC 8030) on loopback. It takes what a real one takes and no more: a POST to an endpoint it gave, with a
 * TTL, the coding aes128gcm, at most 4096 bytes, signed (RFC 8292) for its origin with the key the browser subscribed with.
 */
final class PushServer implements AutoCloseable {

    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final Duration VALID_MAX = Duration.ofHours(24);

    /** A message as it came and passed. */
    record Taken(Instant at, Browser browser, Map<String, List<String>> headers, byte[] body, JwtClaims claims) {
        String header(String name) {
            List<String> values = headers.get(Character.toUpperCase(name.charAt(0)) + name.substring(1).toLowerCase());
            return values == null ? null : values.getFirst();
        }

        JsonObject message() {
            return browser.read(body);
        }
    }

    @FunctionalInterface
    interface Answering {
        void answer(HttpExchange exchange, Taken taken) throws IOException;
    }

    private record Known(Browser browser, String vapidKey) {}

    private final HttpServer server;
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private final BlockingQueue<Taken> arrived = new LinkedBlockingQueue<>();
    private final List<Taken> all = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private volatile boolean portless;
    private volatile int publicPort;
    private volatile Answering answering = (exchange, taken) -> exchange.sendResponseHeaders(201, -1);

    PushServer() {
        this(0);
    }

    PushServer(int port) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
        publicPort = server.getAddress().getPort();
    }

    String origin() {
        return "http://127.0.0.1:" + publicPort;
    }

    /** From now on browsers and senders know it by another port of this machine, which leads to its own. */
    PushServer behind(int port) {
        publicPort = port;
        return this;
    }

    /** From now on the audience must be its origin without the port. */
    PushServer takingPortlessAudience() {
        portless = true;
        return this;
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** A browser subscribes with a key of the platform. */
    Browser subscribe(String vapidKey) {
        String path = "/push/" + UUID.randomUUID();
        Browser browser = Browser.at(origin() + path);
        known.put(path, new Known(browser, vapidKey));
        return browser;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Known its = known.get(exchange.getRequestURI().getPath());
            if (its == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            String wrong = null;
            JwtClaims claims = null;
            try {
                claims = verified(exchange, its.vapidKey);
                wrong = wrong(exchange, body);
            } catch (InvalidJwtException | MalformedClaimException | RuntimeException notSigned) {
                wrong = notSigned.toString();
            }
            if (wrong != null) {
                refused.add(wrong);
                exchange.sendResponseHeaders(400, -1);
                return;
            }
            Taken taken = new Taken(Instant.now(), its.browser, Map.copyOf(exchange.getRequestHeaders()), body, claims);
            all.add(taken);
            arrived.add(taken);
            answering.answer(exchange, taken);
        }
    }

    private static String wrong(HttpExchange exchange, byte[] body) {
        if (!exchange.getRequestMethod().equals("POST")) {
            return exchange.getRequestMethod();
        }
        String ttl = exchange.getRequestHeaders().getFirst("Ttl");
        if (ttl == null || !ttl.matches("[0-9]{1,7}")) {
            return "TTL " + ttl;
        }
        String topic = exchange.getRequestHeaders().getFirst("Topic");
        if (topic != null && !topic.matches("[A-Za-z0-9_-]{1,32}")) {
            return "Topic " + topic;
        }
        if (!"aes128gcm".equals(exchange.getRequestHeaders().getFirst("Content-encoding"))) {
            return "Content-Encoding";
        }
        return body.length > 4096 ? body.length + " bytes" : null;
    }

    /** By a library that the platform does not use. */
    private JwtClaims verified(HttpExchange exchange, String vapidKey) throws InvalidJwtException, MalformedClaimException {
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        var parts = java.util.regex.Pattern.compile("vapid t=([^,]+), k=(\\S+)").matcher(String.valueOf(authorization));
        if (!parts.matches() || !parts.group(2).equals(vapidKey)) {
            throw new IllegalArgumentException("Authorization " + authorization);
        }
        PublicKey key = P256.publicKey(Base64.getUrlDecoder().decode(parts.group(2)));
        JwtClaims claims = new JwtConsumerBuilder()
                .setVerificationKey(key)
                .setJwsAlgorithmConstraints(AlgorithmConstraints.ConstraintType.PERMIT, AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256)
                .setRequireExpirationTime()
                .setMaxFutureValidityInMinutes((int) VALID_MAX.toMinutes())
                .setExpectedAudience(portless ? "http://127.0.0.1" : origin())
                .build().processToClaims(parts.group(1));
        return claims;
    }

    PushServer answering(Answering next) {
        answering = next;
        return this;
    }

    PushServer answering(int status, String... headers) {
        return answering((exchange, taken) -> {
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, -1);
        });
    }

    /** The next message; waits for it. */
    Taken next() {
        try {
            Taken taken = arrived.poll(WAIT.toMillis(), TimeUnit.MILLISECONDS);
            if (taken == null) {
                throw new AssertionError("nothing arrived; refused: " + refused);
            }
            return taken;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    /** Those for a browser so far. */
    List<Taken> all(Browser browser) {
        return all.stream().filter(taken -> taken.browser.equals(browser)).toList();
    }

    List<Taken> all() {
        return List.copyOf(all);
    }

    /** Why messages were not taken. */
    List<String> refused() {
        return List.copyOf(refused);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
