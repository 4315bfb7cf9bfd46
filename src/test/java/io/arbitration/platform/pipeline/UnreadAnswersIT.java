package io.arbitration.platform.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.micrometer.core.instrument.search.Search;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Whoever asks for long lists and does not take them holds a share of the node's memory, and no more. */
@ExtendWith(VertxExtension.class)
class UnreadAnswersIT {

    private static final int NODE_BYTES = 6_000_000;
    private static final int CALLER_BYTES = 2_500_000;
    private static final int DRAFTS = 10;
    /** A page holds two of these drafts. */
    private static final int LIST_BYTES_MAX = 310_000;
    private static final int SHORT_BYTES = 100_000;
    /** Within the share of a caller. */
    private static final int LISTS = 6;
    private static final int STREAMS_MAX = 40;
    private static final int REFUSED_STREAM = 7;
    private static final String LIST = "/api/filings/list";

    @TempDir
    private static Path folder;

    private static RunningPlatform platform;
    private static OpenCase greedy;
    private static OpenCase others;
    private final List<Socket> sockets = new ArrayList<>();

    @BeforeAll
    static void start() {
        platform = RunningPlatform.start(folder, Map.of("ACP_HTTP_ANSWERS_BYTES_MAX", String.valueOf(NODE_BYTES),
                "ACP_HTTP_ANSWERS_BYTES_PER_CALLER", String.valueOf(CALLER_BYTES), "ACP_HTTP_STREAMS_PER_ADDRESS", String.valueOf(STREAMS_MAX)));
        greedy = OpenCase.on(platform);
        others = OpenCase.on(platform);
        for (int i = 0; i < DRAFTS; i++) {
            draft(greedy);
        }
        draft(others);
    }

    private static void draft(OpenCase open) {
        assertThat(open.create(open.claimant(), "motion", new JsonObject().put("motionTitle", "Motion").put("requestedOrder", "All of it.")
                .put("grounds", "仲".repeat(50_000))).status()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    @AfterEach
    void everythingIsGivenBack() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        Await.until("what broken connections held is given back", () -> held() == 0);
    }

    private static long held() {
        return (long) Search.in(platform.services().meters()).name("acp.http.answers.bytes").gauge().value();
    }

    private static double connections() {
        return Search.in(platform.services().meters()).name("acp.http.connections").gauge().value();
    }

    private static JsonObject list(OpenCase open) {
        return new JsonObject().put("caseID", open.caseId());
    }

    /** Requests on a connection whose answers nobody reads. */
    private Socket ask(String path, Person by, JsonObject body, int times) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", platform.platform().port()));
        String text = body.encode();
        socket.getOutputStream().write("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(path, by.token(), text.length(), text).repeat(times).getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String statusLine(Socket socket) throws IOException {
        socket.setSoTimeout(10_000);
        byte[] line = socket.getInputStream().readNBytes(12);
        return new String(line, StandardCharsets.US_ASCII);
    }

    private static void isServed(OpenCase open) {
        Answer listed = open.on(LIST, open.claimant(), new JsonObject());
        assertThat(listed.status()).as(listed.body()).isEqualTo(200);
        assertThat(listed.object().getJsonArray("filings").size()).isPositive();
    }

    @Test
    void aCallerWhoTakesNothingHoldsItsShareAndOthersAreAnswered() throws Exception {
        for (int i = 0; i < 12; i++) {
            ask(LIST, greedy.claimant(), list(greedy), 1);
            isServed(others);
        }
        Await.until("the caller holds its share", () -> held() > CALLER_BYTES - LIST_BYTES_MAX);
        List<String> statuses = new ArrayList<>();
        for (Socket socket : sockets) {
            statuses.add(statusLine(socket));
        }
        assertThat(held()).isLessThanOrEqualTo(CALLER_BYTES + 100_000);
        assertThat(statuses).contains("HTTP/1.1 200", "HTTP/1.1 429").hasSize(12);
        isServed(others);
        // A write is not undone by what the caller has not taken: it is refused before, or answered.
        Answer written = greedy.create(greedy.respondent(), "motion", new JsonObject().put("motionTitle", "Short"));
        assertThat(written.status()).isEqualTo(200);
    }

    private static OpenCase withADraft() {
        OpenCase fresh = OpenCase.on(platform);
        draft(fresh);
        return fresh;
    }

    private static HttpClientAgent granting(Vertx vertx, int bytesOfEachStream) {
        return vertx.createHttpClient(new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false)
                .setInitialSettings(new Http2Settings().setInitialWindowSize(bytesOfEachStream)));
    }

    private static HttpClientRequest request(HttpClientAgent client, String path) {
        return Await.result(client.request(HttpMethod.POST, platform.platform().port(), "localhost", path))
                .putHeader("Content-Type", "application/json").putHeader("Authorization", "Bearer " + greedy.claimant().token());
    }

    /** No list is made for it, and nothing written. */
    @Test
    void aRequestWhoseAnswerMayNotBeSentWaitsBeforeAnythingIsDoneForIt(Vertx vertx) throws Exception {
        HttpClientAgent client = granting(vertx, 0);
        List<Future<Buffer>> answers = new ArrayList<>();
        for (int i = 0; i < LISTS; i++) {
            answers.add(request(client, LIST).send(Buffer.buffer(list(greedy).encode())).compose(HttpClientResponse::body));
        }
        HttpClientRequest write = request(client, "/auth/organizations/create");
        answers.add(write.send(Buffer.buffer("{\"name\": \"Unread\"}")).compose(HttpClientResponse::body));
        answersPing(write.connection());
        isServed(others);
        Await.until("no answer is held", () -> held() == 0);
        assertThat(organizations()).doesNotContain("Unread");
        HttpClientRequest given = request(client, LIST);
        given.send(Buffer.buffer(list(greedy).encode()));
        Await.result(given.reset());
        Await.result(write.connection().updateSettings(new Http2Settings().setInitialWindowSize(1 << 20)));
        for (Future<Buffer> answer : answers.subList(0, LISTS)) {
            assertThat(Await.result(answer).length()).isGreaterThan(SHORT_BYTES);
        }
        assertThat(Await.result(answers.getLast()).toJsonObject().getString("organizationID")).isNotNull();
        assertThat(organizations()).contains("Unread");
        Await.result(client.close());
    }

    /** What a client grants that takes one answer slowly is used by that at once, so that it has nearly always granted nothing. */
    @Test
    void aRequestBesideAnAnswerThatIsTakenSlowlyIsAnswered(Vertx vertx) throws Exception {
        HttpClientAgent client = granting(vertx, 65_535);
        HttpClientResponse slow = Await.result(request(client, LIST).send(Buffer.buffer(list(greedy).encode()))
                .map(answer -> (HttpClientResponse) answer.pause().handler(part -> {})));
        // So slowly that a request which waits for the end of it is reset before.
        vertx.setPeriodic(1000, next -> slow.fetch(1));
        HttpClientResponse beside = Await.result(request(client, LIST).send(Buffer.buffer(list(greedy).encode())));
        assertThat(beside.request().connection()).isSameAs(slow.request().connection());
        assertThat(beside.statusCode()).isEqualTo(200);
        Await.result(client.close());
    }

    @Test
    void anAddressHasSoManyRequestsOverHttp2OpenOnAllItsConnections(Vertx vertx) throws Exception {
        HttpClientAgent client = granting(vertx, 0);
        HttpClientAgent other = granting(vertx, 0);
        List<HttpClientRequest> open = new ArrayList<>();
        for (int i = 0; i < STREAMS_MAX; i++) {
            open.add(request(i % 2 == 0 ? client : other, LIST));
            open.getLast().send(Buffer.buffer(list(greedy).encode()));
        }
        answersPing(open.getFirst().connection());
        answersPing(open.getLast().connection());
        Throwable refused = Await.result(request(client, LIST).send(Buffer.buffer(list(greedy).encode())).map(answer -> new Throwable("answered")).otherwise(failed -> failed));
        assertThat(refused).isInstanceOfSatisfying(StreamResetException.class, reset -> assertThat(reset.getCode()).isEqualTo(REFUSED_STREAM));
        isServed(others);
        double connections = connections();
        Await.result(client.close());
        // Asked for at once again and again, it would be refused so often that the address gets no connection.
        Await.until("the node knows that the connection is closed", () -> connections() < connections);
        Await.until("what a closed connection had open makes room", () -> {
            HttpClientRequest again = request(other, LIST);
            Future<HttpClientResponse> answer = again.send(Buffer.buffer(list(greedy).encode()));
            answersPing(again.connection());
            return !answer.failed();
        });
        Await.result(other.close());
    }

    /** A ping on a connection that closes is never answered: it fails then. */
    private static void answersPing(HttpConnection connection) {
        Promise<Buffer> answered = Promise.promise();
        connection.closeHandler(closed -> answered.tryFail("the connection was closed"));
        connection.goAwayHandler(away -> answered.tryFail("the node ends the connection with %d, %s".formatted(away.getErrorCode(), away.getDebugData())));
        AtomicLong next = new AtomicLong(System.nanoTime());
        // Vert.x awaits the answer only once the ping was written. From a thread that is no event loop, an answer may come before that, and is lost.
        Await.until("the node answers a ping", () -> {
            if (System.nanoTime() - next.get() >= 0) {
                next.addAndGet(Duration.ofSeconds(1).toNanos());
                connection.ping(Buffer.buffer(new byte[8])).onComplete(answered::tryComplete, answered::tryFail);
            }
            return answered.future().isComplete();
        });
        Await.result(answered.future());
    }

    private static String organizations() {
        return greedy.on("/auth/organizations/list", greedy.claimant(), new JsonObject()).body();
    }

    /** Four callers, each within its share, hold all that the node may: what is broken off is of one that holds most. */
    @Test
    void whenAllIsHeldAnAnswerOfWhoHoldsMostIsBrokenOff() throws Exception {
        for (int i = 0; i < DRAFTS - 1; i++) {
            draft(others);
        }
        isServed(others);
        double besides = connections();
        for (int i = 0; i < 6; i++) {
            ask(LIST, greedy.claimant(), list(greedy), 1);
            ask(LIST, greedy.colleague(), list(greedy), 1);
            ask(LIST, others.claimant(), list(others), 1);
        }
        int team = sockets.size();
        double before = brokenOff();
        Await.until("nearly all is held", () -> held() > NODE_BYTES - 1_000_000);
        // What is shorter would wait in the buffers of the kernel alone.
        OpenCase late = withADraft();
        draft(late);
        // Three, so that it holds less than each of the others whatever was broken off: with as much it would be refused.
        for (int i = 0; i < 3; i++) {
            isServed(late);
            ask(LIST, late.claimant(), list(late), 1);
        }
        isServed(late);
        assertThat(held()).isLessThanOrEqualTo(NODE_BYTES + 100_000);
        Await.until("some were broken off", () -> brokenOff() > before);
        assertThat(brokenOff() - before).isLessThan(team);
        // At once, and not when the least pace closes them after a minute: until then the memory is not free.
        Await.until("their connections are closed", Duration.ofSeconds(30), () -> connections() <= besides + sockets.size() - (brokenOff() - before));
    }

    private static double brokenOff() {
        return Search.in(platform.services().meters()).name("acp.http.answers.broken").counter().count();
    }
}
