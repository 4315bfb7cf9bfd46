package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where an attack is played: the platform, the attacker, who comes from another address than the honest caller, and how much
 * it may do. Sockets of the attack are closed when it is over.
 */
final class AttackStage implements AutoCloseable {

    /** Another address of this machine than the one that honest callers come from. */
    private static final String FROM = "127.0.0.2";
    private static final Duration ANSWER_WAIT = Duration.ofSeconds(10);

    private final URI server;
    private final Person attacker;
    private final OpenCase ownCase;
    private final int many;
    private final HttpClient client;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicLong calls = new AtomicLong();

    /** @param many how much there is of what an attack has a lot of, e.g. connections */
    AttackStage(URI server, OpenCase ownCase, int many) throws IOException {
        this.server = server;
        this.ownCase = ownCase;
        this.attacker = ownCase.claimant();
        this.many = many;
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(ANSWER_WAIT)
                .localAddress(InetAddress.getByName(FROM)).build();
    }

    int many() {
        return many;
    }

    Person attacker() {
        return attacker;
    }

    /** The attacker's own case. */
    String caseId() {
        return ownCase.id();
    }

    long calls() {
        return calls.get();
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    void end() {
        over.countDown();
    }

    /** Lets some time pass, less when the attack is over. */
    void pause(Duration time) throws InterruptedException {
        over.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A step that is done over and over. */
    @FunctionalInterface
    interface Step {
        void take() throws Exception;
    }

    /** Takes a step over and over, so many at once, until the attack is over. What is refused or broken off is tried again. */
    void together(int atOnce, Step step) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < atOnce; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                while (!isOver()) {
                    try {
                        step.take();
                        calls.incrementAndGet();
                    } catch (IOException refused) {
                        pauseAfter(refused);
                    } catch (Exception broken) {
                        return;
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void pauseAfter(IOException refused) {
        try {
            // A connection that is refused at once would make this a test of the attacker's own processor.
            pause(Duration.ofMillis(20));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The status of the answer to a POST; the body is read and dropped. */
    int post(String path, String token, String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path)).timeout(ANSWER_WAIT)
                .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    int get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path)).timeout(ANSWER_WAIT);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** A connection of the attacker's, on which bytes are sent as they are. */
    Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(FROM, 0));
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), (int) ANSWER_WAIT.toMillis());
        socket.setSoTimeout((int) ANSWER_WAIT.toMillis());
        synchronized (sockets) {
            sockets.add(socket);
        }
        return socket;
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Opens connections, as many as there are to be, and on each sends a beginning, and then something every while. */
    void hold(int connections, String beginning, String drip, Duration every) throws InterruptedException {
        together(connections, () -> {
            try (Socket socket = connect()) {
                send(socket, beginning);
                while (!isOver()) {
                    pause(every);
                    send(socket, drip);
                    if (socket.getInputStream().available() > 0) {
                        readSome(socket.getInputStream());
                        return;
                    }
                }
            }
        });
    }

    private static void readSome(InputStream in) throws IOException {
        in.read(new byte[in.available()]);
    }

    @Override
    public void close() {
        end();
        synchronized (sockets) {
            sockets.forEach(socket -> {
                try {
                    socket.close();
                } catch (IOException closed) {
                    Report.progress("a connection of an attack did not close: " + closed.getMessage());
                }
            });
        }
        client.shutdownNow();
    }
}
