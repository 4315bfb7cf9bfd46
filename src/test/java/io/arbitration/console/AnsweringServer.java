package io.arbitration.console;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The server of an integrator: it answers as it is told to, and keeps what came. */
final class AnsweringServer implements AutoCloseable {

    private final HttpServer server;
    final Queue<String> bodies = new ConcurrentLinkedQueue<>();
    volatile int status = 200;
    /** What it says beside its status. */
    volatile String says = "";

    AnsweringServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] said = says.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, said.length == 0 ? -1 : said.length);
            if (said.length > 0) {
                exchange.getResponseBody().write(said);
            }
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:%d/hook".formatted(server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
