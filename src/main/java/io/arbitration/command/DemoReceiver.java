package io.arbitration.command;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A receiver of webhooks on the loopback address, as an organization would run one. Verifies them with only the secret. */
final class DemoReceiver implements AutoCloseable {

    private static final Duration WAIT = Duration.ofSeconds(20);

    private final HttpServer server;
    private final BlockingQueue<Received> arrived = new LinkedBlockingQueue<>();

    /** A request as received. */
    private record Received(String id, String timestamp, String signatures, byte[] body) {}

    DemoReceiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        } catch (IOException failed) {
            throw new CommandFailure("no port for the receiver of webhooks: " + failed.getMessage());
        }
        server.createContext("/hook", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            Headers headers = exchange.getRequestHeaders();
            byte[] body = exchange.getRequestBody().readAllBytes();
            arrived.add(new Received(headers.getFirst("webhook-id"), headers.getFirst("webhook-timestamp"), headers.getFirst("webhook-signature"), body));
            exchange.sendResponseHeaders(204, -1);
        }
    }

    String url() {
        return "http://127.0.0.1:%d/hook".formatted(server.getAddress().getPort());
    }

    /** Whether a URL looks like that of such a receiver, whether it still runs or not. */
    static boolean couldBe(String url) {
        return url.matches("http://127\\.0\\.0\\.1:[0-9]+/hook");
    }

    /**
     * Waits for the next event and verifies its signature.
     *
     * @throws CommandFailure if none arrives, or the signature is wrong
     */
    JsonObject next(String secret) {
        try {
            Received received = arrived.poll(WAIT.toMillis(), TimeUnit.MILLISECONDS);
            if (received == null) {
                throw new CommandFailure("no webhook arrived at %s within %d s".formatted(url(), WAIT.toSeconds()));
            }
            if (!verified(received, secret)) {
                throw new CommandFailure("the webhook %s is not signed with the secret of its URL".formatted(received.id()));
            }
            return new JsonObject(new String(received.body(), StandardCharsets.UTF_8));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted while waiting for a webhook");
        }
    }

    private static boolean verified(Received received, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
            mac.update((received.id() + "." + received.timestamp() + ".").getBytes(StandardCharsets.UTF_8));
            byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(received.body()))).getBytes(StandardCharsets.UTF_8);
            return Stream.of(received.signatures().split(" "))
                    .anyMatch(one -> MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), expected));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
