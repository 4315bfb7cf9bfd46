package io.arbitration.platform.keys;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The endpoint that gives a container the keys of its role (Amazon ECS developer guide, "Task IAM role"; the agent of EKS Pod Identity
 * answers the same), with new keys at each request. While it is open, this process believes that it runs in such a container.
 */
public final class ContainerRole implements AutoCloseable {

    private static final String TOKEN = "token-of-the-container";
    private static final String URI = "aws.containerCredentialsFullUri";
    private static final String AUTHORIZATION = "aws.containerAuthorizationToken";

    private final HttpServer server;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Duration lifetime;
    private volatile int status = 200;

    /** @param lifetime of the keys; those of less than a minute are asked for again at each use */
    public ContainerRole(Duration lifetime) throws IOException {
        this.lifetime = lifetime;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/role", this::answer);
        server.start();
        System.setProperty(URI, "http://127.0.0.1:%d/role".formatted(server.getAddress().getPort()));
        System.setProperty(AUTHORIZATION, TOKEN);
    }

    public void lifetime(Duration next) {
        lifetime = next;
    }

    public void answers(int next) {
        status = next;
    }

    public int asked() {
        return asked.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean known = TOKEN.equals(exchange.getRequestHeaders().getFirst("Authorization"));
            int number = asked.incrementAndGet();
            byte[] body = new JsonObject(Map.of("AccessKeyId", "ASIA" + number, "SecretAccessKey", "secret" + number, "Token", "session" + number,
                    "Expiration", Instant.now().plus(lifetime).toString())).encode().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(known ? status : 401, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        System.clearProperty(URI);
        System.clearProperty(AUTHORIZATION);
        server.stop(0);
    }
}
