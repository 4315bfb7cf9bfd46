package io.arbitration.platform;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that another process opens in a moment. It lies below those that systems give to outgoing connections
 * (from 32768 on Linux, from 49152 by RFC 6335, section 6): one of them could take it before the server does.
 */
public final class FreePort {

    private static final int LEAST = 20_000;
    private static final int MOST = 32_767;
    private static final int ATTEMPTS = 100;

    private FreePort() {}

    /** Any port that nobody uses now. */
    public static int any() throws IOException {
        IOException last = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LEAST, MOST + 1);
            try {
                check(new InetSocketAddress(port));
                return port;
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw last;
    }

    /** Fails when a server cannot be opened there now. */
    public static void check(InetSocketAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        }
    }
}
