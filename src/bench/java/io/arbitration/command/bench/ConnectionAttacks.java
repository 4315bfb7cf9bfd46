package io.arbitration.command.bench;

import io.arbitration.command.bench.Attack.Node;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Connections that cost their client little and the node much. */
final class ConnectionAttacks {

    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    private static final int BODY_BYTES = 300_000;
    private static final int AT_ONCE = 16;
    private static final int READ_BYTES = 65_536;

    private ConnectionAttacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("slow bodies", "a stranger's connections hold nearly whole bodies",
                        stage -> stage.hold(stage.many() * 3, "POST /auth/authenticate/bench" + HEAD + "Content-Length: " + BODY_BYTES + "\r\n\r\n"
                                + " ".repeat(BODY_BYTES - 1000), " ", Duration.ofMillis(200))),
                new Attack("idle connections", "one address opens connections and says nothing",
                        stage -> stage.hold(stage.many() * 20, "", "", Duration.ofSeconds(5))),
                new Attack("new connections", "one address opens connections, asks once and closes them, as fast as it can", ConnectionAttacks::reconnect),
                new Attack("slow heads", "one address sends a byte of a head every while",
                        stage -> stage.hold(stage.many() * 10, "GET /docs HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "a", Duration.ofMillis(500))),
                new Attack("large heads", "sixteen connections send heads as large as they may be",
                        stage -> flood(stage, "GET /auth/nowhere HTTP/1.1\r\nHost: localhost\r\n" + "X-Filling: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(580) + "\r\n")),
                new Attack("pipelined requests", "sixteen connections send requests without waiting for an answer",
                        stage -> flood(stage, "GET /auth/nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200))),
                new Attack("small chunks", "sixteen connections send bodies in chunks of a byte, each with a long extension",
                        stage -> flood(stage, "POST /auth/sessions/refresh" + HEAD + "Transfer-Encoding: chunked\r\n\r\n" + ("1;" + "x".repeat(200) + "\r\n \r\n").repeat(500))),
                new Attack("upgrades", "sixteen connections ask for WebSockets and for HTTP/2 in the clear over and over",
                        stage -> flood(stage, "GET /docs HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\nGET /docs HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n")),
                new Attack("same address", "one address sends what is refused, where somebody else works behind the same address translation",
                        ConnectionAttacks::sendWhatIsRefused).beside(Alike.NEIGHBOUR),
                new Attack("same proxy", "the same over the proxy of others, who come over new connections", stage -> sendWhatIsRefused(stage, "X-Forwarded-For", "203.0.113.66"))
                        .beside(Alike.PROXIED),
                new Attack("slow readers", "one address asks for a large file over and over and reads nothing", ConnectionAttacks::readNothing),
                new Attack("slow readers over TLS", "the same over TLS, where the node encrypts what nobody takes", ConnectionAttacks::readNothingOverTls).on(Node.TLS),
                new Attack("handshakes", "one address begins TLS and leaves when the server has done its part", ConnectionAttacks::leaveHandshakes).on(Node.TLS),
                new Attack("handshakes unfinished", "one address begins TLS and stays silent", ConnectionAttacks::stopHandshakes).on(Node.TLS),
                new Attack("renegotiations", "one address asks for a new handshake of TLS 1.2 on open connections", ConnectionAttacks::renegotiate).on(Node.TLS));
    }

    /** Sends the same on sixteen connections over and over, reading what comes; a connection that is closed is opened again. */
    private static void flood(AttackStage stage, String requests) throws InterruptedException {
        stage.together(AT_ONCE, () -> {
            try (Socket socket = stage.connect()) {
                Thread reading = Thread.startVirtualThread(() -> readAll(socket));
                while (!stage.isOver() && reading.isAlive()) {
                    AttackStage.send(socket, requests);
                    stage.rest();
                }
            }
        });
    }

    private static void readAll(Socket socket) {
        try {
            byte[] bytes = new byte[READ_BYTES];
            InputStream in = socket.getInputStream();
            while (in.read(bytes) >= 0) {
                continue;
            }
        } catch (IOException closed) {
            // Whoever writes sees it too.
        }
    }

    /** Tokens that are none, and paths that there are not. */
    private static void sendWhatIsRefused(AttackStage stage, String... headers) throws InterruptedException {
        List<String> guess = new ArrayList<>(List.of(headers));
        guess.addAll(List.of("Authorization", "Bearer guess"));
        stage.together(AT_ONCE, () -> {
            stage.postWith("/auth/users/me", "{}", guess.toArray(String[]::new));
            stage.get("/nowhere", headers);
        });
    }

    private static void reconnect(AttackStage stage) throws InterruptedException {
        stage.together(AT_ONCE, () -> {
            try (Socket socket = stage.connect()) {
                AttackStage.send(socket, "GET /auth/nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
                socket.getInputStream().readAllBytes();
            }
        });
    }

    private static void readNothing(AttackStage stage) throws Exception {
        stage.together(stage.many() * 10, () -> {
            try (Socket socket = stage.connect()) {
                askTwentyTimes(stage, socket);
            }
        });
    }

    private static void readNothingOverTls(AttackStage stage) throws Exception {
        stage.together(stage.many() * 10, () -> {
            try (Socket socket = stage.connectSecurely("TLSv1.3")) {
                askTwentyTimes(stage, socket);
            }
        });
    }

    private static void askTwentyTimes(AttackStage stage, Socket socket) throws IOException, InterruptedException {
        for (int i = 0; i < 20; i++) {
            AttackStage.send(socket, "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        stage.pause(Duration.ofSeconds(30));
    }

    /** The first message of a client: made once, sent often, so that the handshake costs the server alone. */
    private static byte[] clientHello() throws NoSuchAlgorithmException, SSLException {
        SSLEngine client = AnyCertificate.context().createSSLEngine("localhost", 443);
        client.setUseClientMode(true);
        SSLParameters parameters = client.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        client.setSSLParameters(parameters);
        client.beginHandshake();
        ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        client.wrap(ByteBuffer.allocate(0), hello);
        byte[] bytes = new byte[hello.flip().remaining()];
        hello.get(bytes);
        return bytes;
    }

    private static void leaveHandshakes(AttackStage stage) throws Exception {
        byte[] hello = clientHello();
        stage.together(AT_ONCE, () -> {
            try (Socket socket = stage.connect()) {
                socket.getOutputStream().write(hello);
                if (socket.getInputStream().read() < 0) {
                    throw new IOException("closed by the server");
                }
            }
        });
    }

    private static void stopHandshakes(AttackStage stage) throws Exception {
        byte[] hello = clientHello();
        stage.together(stage.many() * 10, () -> {
            try (Socket socket = stage.connect()) {
                socket.getOutputStream().write(hello, 0, hello.length / 2);
                stage.pause(Duration.ofSeconds(30));
            }
        });
    }

    private static void renegotiate(AttackStage stage) throws Exception {
        stage.together(AT_ONCE, () -> {
            try (SSLSocket socket = stage.connectSecurely("TLSv1.2")) {
                while (!stage.isOver()) {
                    socket.startHandshake();
                    AttackStage.send(socket, "GET /auth/nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n");
                    if (socket.getInputStream().read(new byte[READ_BYTES]) < 0) {
                        return;
                    }
                    stage.rest();
                }
            }
        });
    }
}
