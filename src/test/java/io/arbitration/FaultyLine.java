package io.arbitration;

import io.arbitration.platform.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** An address of a server of the tests, which carries bytes both ways, or fails as lines and servers do. */
public final class FaultyLine implements AutoCloseable {

    /** What becomes of connections: carried, refused, accepted and never answered, or answered with what is no protocol. */
    public enum State { WORKS, AWAY, SILENT, NONSENSE }

    private final int port;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger met = new AtomicInteger();
    private volatile State state;
    private ServerSocket listening;

    /** Leads to a port of this machine. */
    public FaultyLine(int target, State state) throws IOException {
        this.port = FreePort.any();
        this.target = target;
        become(state);
    }

    public int port() {
        return port;
    }

    /** The connections that came since it has been in this state. */
    public int met() {
        return met.get();
    }

    /** Closes all connections; those that come are treated as the state says. */
    public synchronized void become(State next) throws IOException {
        state = next;
        met.set(0);
        if (next == State.AWAY) {
            close();
        } else {
            closeConnections();
            if (listening == null || listening.isClosed()) {
                ServerSocket socket = new ServerSocket();
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
                listening = socket;
                Thread.startVirtualThread(() -> accept(socket));
            }
        }
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                met.incrementAndGet();
                Thread.startVirtualThread(() -> treat(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void treat(Socket client) {
        try (client) {
            switch (state) {
                case WORKS -> carryBothWays(client);
                case SILENT -> client.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                case NONSENSE -> {
                    client.getOutputStream().write("what is this?\r\n".getBytes(StandardCharsets.US_ASCII));
                    client.shutdownOutput();
                    client.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                }
                case AWAY -> { }
            }
        } catch (IOException gone) {
            // As a line that is cut.
        } finally {
            open.remove(client);
        }
    }

    private void carryBothWays(Socket client) throws IOException {
        try (Socket server = new Socket("127.0.0.1", target)) {
            open.add(server);
            Thread.startVirtualThread(() -> carry(client, server));
            carry(server, client);
            open.remove(server);
        }
    }

    /** The end of one direction is the end of both: no protocol here goes on with half of a connection. */
    private static void carry(Socket from, Socket to) {
        try (from; to) {
            InputStream in = from.getInputStream();
            in.transferTo(to.getOutputStream());
        } catch (IOException gone) {
            // As a line that is cut.
        }
    }

    private void closeConnections() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }

    @Override
    public synchronized void close() {
        try {
            if (listening != null) {
                listening.close();
            }
            closeConnections();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
