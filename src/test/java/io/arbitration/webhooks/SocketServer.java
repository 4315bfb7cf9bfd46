package io.arbitration.webhooks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes connections on loopback and does with each what no HTTP server would. */
final class SocketServer implements AutoCloseable {

    @FunctionalInterface
    interface Manners {
        void with(Socket socket) throws IOException;
    }

    private final ServerSocket listening;
    private final AtomicInteger connections = new AtomicInteger();

    SocketServer(Manners manners) throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!listening.isClosed()) {
                try {
                    Socket socket = listening.accept();
                    connections.incrementAndGet();
                    Thread.ofVirtual().start(() -> treat(socket, manners));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    private static void treat(Socket socket, Manners manners) {
        try (socket) {
            manners.with(socket);
        } catch (SocketException gone) {
            // The caller hung up first, which is what some tests wait for.
            return;
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    int port() {
        return listening.getLocalPort();
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
