package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.vertx.core.json.JsonObject;
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
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Where an attack is played: the platform, the attacker, who comes from another address than the honest caller, and how much
 * it may do. Sockets of the attack are closed when it is over.
 */
final class AttackStage implements AutoCloseable {

    private static final Duration ANSWER_WAIT = Duration.ofSeconds(10);
    private static final SSLContext CREDULOUS = AnyCertificate.context();

    private final URI server;
    private final URI other;
    private final String address;
    private final String given;
    private final Person attacker;
    private final OpenCase ownCase;
    private final int many;
    private final Duration rest;
    private final HttpClient client;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicReference<String> broken = new AtomicReference<>();
    private final AtomicLong underWay = new AtomicLong();
    private volatile long lastReached = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

    /**
     * @param other the other node of the platform
     * @param address of this machine that the attacker comes from; honest callers come from another one
     * @param many how much there is of what an attack has a lot of, e.g. connections
     * @param rest between two steps of a thread of the attack
     * @param given what was said by those who laid the ground
     */
    AttackStage(URI server, URI other, String address, OpenCase ownCase, int many, Duration rest, String given) throws IOException {
        this.server = server;
        this.other = other;
        this.address = address;
        this.given = given;
        this.ownCase = ownCase;
        this.attacker = ownCase.claimant();
        this.many = many;
        this.rest = rest;
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(ANSWER_WAIT).sslContext(CREDULOUS)
                .localAddress(InetAddress.getByName(address)).build();
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

    /** What those who laid the ground say the attacker has to know. */
    String given() {
        return given;
    }

    /** An address of the same platform's other node. */
    String atOther(String path) {
        return other.resolve(path).toString();
    }

    /**
     * What an attack has done so far.
     *
     * @param goesOn whether the node was reached in the last second: by an answered call, by a new connection, also one that the node then
     *        broke off, by connections that are held open, or by requests that wait for their answers
     * @param broken why a part of it has ended before its time; empty: none has
     */
    record Course(long calls, boolean goesOn, String broken) {

        /** Of attacks that were played together: it went on if each did. */
        static Course ofAll(List<Course> courses) {
            return new Course(courses.stream().mapToLong(Course::calls).sum(), courses.stream().allMatch(Course::goesOn),
                    courses.stream().map(Course::broken).filter(one -> !one.isEmpty()).findFirst().orElse(""));
        }

        /** An attack that has ended by itself proves nothing of a node. */
        boolean isWhole() {
            return goesOn && broken.isEmpty();
        }
    }

    Course course() {
        boolean reached = System.nanoTime() - lastReached < TimeUnit.SECONDS.toNanos(1);
        return new Course(calls.get(), reached || underWay.get() > 0 || !sockets.isEmpty(), Objects.requireNonNullElse(broken.get(), ""));
    }

    /** A part of the attack has ended before its time; the first reason is kept. */
    void breakOff(Throwable reason) {
        // What fails when the stage is closed is no fault of the attack.
        if (!isOver()) {
            broken.compareAndSet(null, reason.toString());
        }
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

    /** Lets a thread rest before its next step, where the attack is played beside other work of the machine. */
    void rest() throws InterruptedException {
        pause(rest);
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
                        lastReached = System.nanoTime();
                        rest();
                    } catch (IOException refused) {
                        pauseAfter(refused);
                    } catch (InterruptedException over) {
                        return;
                    } catch (Exception failed) {
                        breakOff(failed);
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

    private <T> HttpResponse<T> sent(HttpRequest request, HttpResponse.BodyHandler<T> body) throws IOException, InterruptedException {
        underWay.incrementAndGet();
        try {
            return client.send(request, body);
        } finally {
            underWay.decrementAndGet();
        }
    }

    /** The status of the answer to a POST; the body is read and dropped. */
    int post(String path, String token, String body) throws IOException, InterruptedException {
        return sent(request(path, token, "application/json", body), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** The same by the attacker, about what is its own. */
    int post(String path, JsonObject body) throws IOException, InterruptedException {
        return post(path, attacker.token(), body.encode());
    }

    /**
     * The answer as an object, which must be one of status 200.
     *
     * @throws IOException the node refuses it for now (429, 503)
     */
    JsonObject asked(String path, JsonObject body) throws IOException, InterruptedException {
        HttpResponse<String> answer = sent(request(path, attacker.token(), "application/json", body.encode()), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() == 429 || answer.statusCode() == 503) {
            throw new IOException("%s answered %d".formatted(path, answer.statusCode()));
        }
        if (answer.statusCode() != 200) {
            throw new IllegalStateException("%s answered %d %s".formatted(path, answer.statusCode(), answer.body()));
        }
        return new JsonObject(answer.body());
    }

    /** A form of fields and a file, as browsers send it. */
    int postFile(String path, Map<String, String> fields, String fileName, String type, String content) throws IOException, InterruptedException {
        StringBuilder form = new StringBuilder();
        fields.forEach((name, value) -> form.append("--b\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n".formatted(name, value)));
        form.append("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\nContent-Type: %s\r\n\r\n".formatted(fileName, type)).append(content).append("\r\n--b--\r\n");
        return sent(request(path, attacker.token(), "multipart/form-data; boundary=b", form.toString()), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private HttpRequest request(String path, String token, String type, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path)).timeout(ANSWER_WAIT)
                .header("Content-Type", type).POST(HttpRequest.BodyPublishers.ofString(body));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return request.build();
    }

    /** The answer to a form of a web page, or to a GET of one where there is no form. */
    HttpResponse<Void> browse(String path, String form, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path)).timeout(ANSWER_WAIT);
        if (form != null) {
            request.header("Content-Type", "application/x-www-form-urlencoded").POST(HttpRequest.BodyPublishers.ofString(form));
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return sent(request.build(), HttpResponse.BodyHandlers.discarding());
    }

    /** A POST of JSON with headers of its own instead of a token. */
    int postWith(String path, String body, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path)).timeout(ANSWER_WAIT)
                .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return sent(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    int get(String path, String... headers) throws IOException, InterruptedException {
        return browse(path, null, headers).statusCode();
    }

    /** A connection of the attacker's, on which bytes are sent as they are. */
    Socket connect() throws IOException {
        Socket socket = new Socket() {
            @Override
            public synchronized void close() throws IOException {
                sockets.remove(this);
                super.close();
            }
        };
        socket.bind(new InetSocketAddress(address, 0));
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), (int) ANSWER_WAIT.toMillis());
        socket.setSoTimeout((int) ANSWER_WAIT.toMillis());
        sockets.add(socket);
        lastReached = System.nanoTime();
        return socket;
    }

    /** A connection with TLS of that version, whose handshake is done. */
    SSLSocket connectSecurely(String protocol) throws IOException {
        SSLSocket socket = (SSLSocket) CREDULOUS.getSocketFactory().createSocket(connect(), server.getHost(), server.getPort(), true);
        socket.setEnabledProtocols(new String[] {protocol});
        socket.startHandshake();
        return socket;
    }

    /** A connection on which frames of HTTP/2 can be sent at once: with TLS where the node has it, else in the clear. */
    Socket connectForHttp2() throws IOException {
        if (!server.getScheme().equals("https")) {
            return connect();
        }
        SSLSocket socket = (SSLSocket) CREDULOUS.getSocketFactory().createSocket(connect(), server.getHost(), server.getPort(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
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
        sockets.forEach(socket -> {
            try {
                socket.close();
            } catch (IOException closed) {
                Report.progress("a connection of an attack did not close: " + closed.getMessage());
            }
        });
        client.shutdownNow();
    }
}
