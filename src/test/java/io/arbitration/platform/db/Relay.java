package io.arbitration.platform.db;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** An address of a database that carries bytes both ways, may go silent or keep answers back, and may lead to another server later. */
final class Relay implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    private final AtomicInteger opened = new AtomicInteger();
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private volatile int target;
    private volatile int newestServerPort;
    private volatile int silentUpTo;
    private volatile boolean answersAtFirst;
    private volatile int heldUpTo;
    private volatile CountDownLatch held = new CountDownLatch(0);

    Relay(int target) throws IOException {
        this.target = target;
        Thread.startVirtualThread(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** The port by which the server knows the newest connection. */
    int newestServerPort() {
        return newestServerPort;
    }

    /** Connections that were taken so far. */
    int opened() {
        return opened.get();
    }

    /** From now on nothing passes over the connections that are open. */
    void silence() {
        silentUpTo = opened.get();
    }

    /** From now on nothing passes, over new connections neither: they are taken. */
    void silenceAll() {
        silentUpTo = Integer.MAX_VALUE;
    }

    /** The same for new connections once the server has said something over each: what a server says first is that it takes TLS. */
    void silenceAfterFirstAnswer() {
        answersAtFirst = true;
        silenceAll();
    }

    /** New connections carry again; those that are open stay silent. */
    void carryNew() {
        silentUpTo = opened.get();
    }

    /** From now on what the server says over the connections that are open, and that it ends them, is kept back. */
    void holdAnswers() {
        held = new CountDownLatch(1);
        heldUpTo = opened.get();
    }

    /** What was kept back passes, in its order. */
    void releaseAnswers() {
        held.countDown();
    }

    /** Closes all connections, and what was kept back is lost; the next lead to another port. */
    void leadTo(int other) throws IOException {
        target = other;
        for (Socket client : clients) {
            client.close();
        }
        releaseAnswers();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.startVirtualThread(() -> connect(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        try {
            Socket server = new Socket("127.0.0.1", target);
            newestServerPort = server.getLocalPort();
            int number = opened.incrementAndGet();
            clients.add(client);
            Thread.startVirtualThread(() -> carry(number, client, server, false));
            carry(number, server, client, true);
        } catch (IOException nobodyThere) {
            close(client);
        } finally {
            clients.removeIf(Socket::isClosed);
        }
    }

    private static void close(Socket client) {
        try {
            client.close();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void carry(int number, Socket from, Socket to, boolean answers) {
        try {
            InputStream in = from.getInputStream();
            byte[] bytes = new byte[8192];
            int blocks = 0;
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (answers) {
                    awaitRelease(number);
                }
                if (number > silentUpTo || answersAtFirst && blocks++ == 0) {
                    to.getOutputStream().write(bytes, 0, count);
                }
            }
            if (number <= silentUpTo) {
                // The end does not pass either: who closes hears nothing.
                return;
            }
            if (answers) {
                awaitRelease(number);
            }
        } catch (IOException gone) {
            // As a line that is cut.
        }
        close(from);
        close(to);
    }

    private void awaitRelease(int number) {
        if (number <= heldUpTo) {
            try {
                held.await();
            } catch (InterruptedException never) {
                throw new IllegalStateException(never);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        leadTo(target);
    }
}
