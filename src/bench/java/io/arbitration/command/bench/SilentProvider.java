package io.arbitration.command.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An identity provider that says where browsers sign in, and never answers who did. */
final class SilentProvider implements AutoCloseable {

    static final String NAME = "silent";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final HttpServer server;

    private SilentProvider(HttpServer server) {
        this.server = server;
    }

    static SilentProvider open() throws IOException {
        SilentProvider provider = new SilentProvider(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000));
        provider.server.setExecutor(provider.threads);
        provider.server.createContext("/.well-known/openid-configuration", provider::describe);
        provider.server.createContext("/token", provider::waitForEver);
        provider.server.start();
        return provider;
    }

    String issuer() {
        return "http://127.0.0.1:%d".formatted(server.getAddress().getPort());
    }

    private void describe(HttpExchange exchange) throws IOException {
        byte[] described = new JsonObject().put("issuer", issuer()).put("authorization_endpoint", issuer() + "/authorize").put("token_endpoint", issuer() + "/token")
                .encode().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, described.length);
        exchange.getResponseBody().write(described);
        exchange.close();
    }

    private void waitForEver(HttpExchange exchange) {
        try {
            closed.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
