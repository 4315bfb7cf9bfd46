package io.arbitration.command.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A language model that takes every question and answers none. */
final class SilentModel implements AutoCloseable {

    private static final int BACKLOG = 1000;

    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private SilentModel(ServerSocket listening) {
        this.listening = listening;
    }

    static SilentModel open() throws IOException {
        SilentModel model = new SilentModel(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
        Thread.startVirtualThread(model::accept);
        return model;
    }

    String address() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                open.add(socket);
                Thread.startVirtualThread(() -> swallow(socket));
            }
        } catch (IOException closed) {
            Report.progress("the silent model has ended");
        }
    }

    private void swallow(Socket socket) {
        try (socket) {
            socket.getInputStream().skip(Long.MAX_VALUE);
        } catch (IOException left) {
            // Whoever asked has given up.
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
