package io.arbitration.platform.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * What must not be reached: listens at every address of this machine, on one port, for TCP and UDP, and tells what came. At
 * the one address that may be reached it counts nothing.
 */
final class InnerServer implements AutoCloseable {

    private static final int TRIES_MAX = 20;
    private static final byte[] ANSWER = """
            HTTP/1.1 200 OK\r
            Access-Control-Allow-Origin: *\r
            Content-Type: text/plain\r
            Content-Length: 5\r
            Connection: close\r
            \r
            inner""".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket tcp;
    private final DatagramSocket udp;
    private final Set<String> hits = new ConcurrentSkipListSet<>();

    private InnerServer(ServerSocket tcp, DatagramSocket udp) {
        this.tcp = tcp;
        this.udp = udp;
        Thread.ofVirtual().start(this::accept);
        Thread.ofVirtual().start(this::receive);
    }

    static InnerServer open() throws IOException {
        for (int i = 0; ; i++) {
            ServerSocket tcp = new ServerSocket(0);
            try {
                return new InnerServer(tcp, new DatagramSocket(tcp.getLocalPort()));
            } catch (SocketException taken) {
                tcp.close();
                if (i == TRIES_MAX) {
                    throw taken;
                }
            }
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = tcp.accept();
                Thread.ofVirtual().start(() -> answer(socket));
            }
        } catch (IOException closed) {
            hits.add("closed");
        }
    }

    private void answer(Socket socket) {
        if (socket.getLocalAddress().getHostAddress().equals(PageSite.HOST)) {
            close(socket);
            return;
        }
        hits.add("tcp");
        try (socket) {
            byte[] first = new byte[4096];
            int length = Math.max(0, socket.getInputStream().read(first));
            String head = new String(first, 0, length, StandardCharsets.ISO_8859_1);
            if (head.matches("(?s)[A-Z]+ /[^ ]* HTTP/1.*")) {
                hits.add(head.split(" ")[1]);
                socket.getOutputStream().write(ANSWER);
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void receive() {
        try {
            while (true) {
                udp.receive(new DatagramPacket(new byte[2048], 2048));
                hits.add("udp");
            }
        } catch (IOException closed) {
            hits.add("closed");
        }
    }

    int port() {
        return tcp.getLocalPort();
    }

    /** Paths that were asked for; {@code tcp} for any connection, {@code udp} for any packet. */
    Set<String> hits() {
        return hits;
    }

    @Override
    public void close() throws IOException {
        tcp.close();
        udp.close();
    }
}
