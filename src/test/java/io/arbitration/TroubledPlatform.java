package io.arbitration;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** A platform that limits rates, whose clock clients can move, and beside it a way to it on which answers get lost; for the libraries of clients. */
final class TroubledPlatform implements AutoCloseable {

    private static final Duration LONGER_THAN_A_TOKEN = Duration.ofHours(2);
    /** Requests of one caller a second: more than any of its parts but one sends. */
    private static final int RATE = 40;

    /** What the library of a client says of itself after its trial here; the programs assert the rest. */
    static final String LIBRARY_HOLDS = """
            signed in: Lina
            renewals for calls that begin together: 1
            renewals for calls that are answered 401 together: 1
            not used unless stored: the disk is full
            not used unless stored: the disk is full
            refused: 404 true case not found true
            cases opened by one call whose answer was lost: 1
            not repeated without a key
            uploaded: dates.txt Très long 開庭通知 100 %
            refused upload: 400 caseID: at least 1 character
            uploads after each other: 1
            stopped: a page answered the position that it was asked for, same
            machine client: 401 invalid_client true
            each was answered, though some were refused for their rate at first
            limited: 429 rate.limited true 1
            webhook: e-1 motion
            problems: none time time signature signature headers headers signature body body
            newer kind: a_newer_kind true
            session ended: true session.invalid-refresh-token true
            """;

    private final MovableClock clock = new MovableClock();
    private final AtomicBoolean cuts = new AtomicBoolean();
    private final ExecutorService pipes = Executors.newVirtualThreadPerTaskExecutor();
    private final RunningPlatform platform;
    private final HttpServer control;
    private final ServerSocket way;

    TroubledPlatform(Path dataFolder) throws IOException {
        platform = RunningPlatform.start(dataFolder, Map.of("ACP_RATE_LIMIT_ENABLED", "true", "ACP_RATE_LIMIT_PER_CALLER", Integer.toString(RATE),
                "ACP_RATE_LIMIT_PER_ADDRESS", "1000", "ACP_RATE_LIMIT_REFUSALS_PER_ADDRESS", "100000", "ACP_RATE_LIMIT_CONNECTIONS_PER_ADDRESS", "10000"), clock);
        way = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        pipes.submit(this::accept);
        control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        control.createContext("/", exchange -> {
            switch (exchange.getRequestURI().getPath()) {
                case "/forward" -> clock.forward(LONGER_THAN_A_TOKEN);
                case "/cut" -> cuts.set(true);
                default -> throw new IOException("no such control");
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        control.start();
    }

    String url() {
        return platform.url();
    }

    /** Behind it is the same platform; an answer gets lost for each time that a client asked for it. */
    String cutUrl() {
        return "http://localhost:" + way.getLocalPort();
    }

    /** {@code /forward} lets all access tokens expire, {@code /cut} loses the next answer. */
    String controlUrl() {
        return "http://localhost:" + control.getAddress().getPort();
    }

    private Void accept() throws IOException {
        while (true) {
            Socket client = way.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), URI.create(platform.url()).getPort());
            pipes.submit(() -> pipe(client, server, false));
            pipes.submit(() -> pipe(server, client, true));
        }
    }

    private Void pipe(Socket from, Socket to, boolean answers) throws IOException {
        byte[] piece = new byte[8192];
        try (from; to; InputStream read = from.getInputStream(); OutputStream write = to.getOutputStream()) {
            for (int count = read.read(piece); count >= 0; count = read.read(piece)) {
                if (answers && cuts.compareAndSet(true, false)) {
                    return null;
                }
                write.write(piece, 0, count);
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        control.stop(0);
        way.close();
        pipes.shutdownNow();
        platform.close();
    }
}
