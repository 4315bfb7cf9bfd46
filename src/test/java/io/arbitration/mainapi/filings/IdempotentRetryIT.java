package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that lost the answer sends the request again with the same key, and gets the one result. */
class IdempotentRetryIT {

    private static final OpenCase CASE = OpenCase.on(RunningPlatform.shared());

    /** When the client's connection goes. */
    enum Cut { IN_THE_MIDDLE_OF_THE_BODY, AFTER_THE_LAST_BYTE, WHEN_THE_ANSWER_BEGINS }

    private static JsonObject creation() {
        return new JsonObject().put("caseID", CASE.caseId()).put("documentID", OpenCase.APPROVED_DOCUMENT)
                .put("title", "Letter " + UUID.randomUUID()).put("fields", OpenCase.completeFields(OpenCase.APPROVED_DOCUMENT));
    }

    /** Sends a request over a connection of its own and resets it at the given moment, without reading the answer. */
    private static void sendAndCut(String path, JsonObject body, Person by, String key, Cut cut) throws IOException {
        byte[] bytes = body.encode().getBytes(StandardCharsets.UTF_8);
        byte[] head = """
                POST %s HTTP/1.1\r
                Host: localhost\r
                Authorization: Bearer %s\r
                Content-Type: application/json\r
                Content-Length: %d\r
                Idempotency-Key: %s\r
                \r
                """.formatted(path, by.token(), bytes.length, key).getBytes(StandardCharsets.US_ASCII);
        URI address = URI.create(RunningPlatform.shared().url());
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            // Closing resets the connection instead of saying goodbye.
            socket.setSoLinger(true, 0);
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(30));
            socket.getOutputStream().write(head);
            switch (cut) {
                case IN_THE_MIDDLE_OF_THE_BODY -> socket.getOutputStream().write(bytes, 0, bytes.length / 2);
                case AFTER_THE_LAST_BYTE -> socket.getOutputStream().write(bytes);
                case WHEN_THE_ANSWER_BEGINS -> {
                    socket.getOutputStream().write(bytes);
                    InputStream answer = socket.getInputStream();
                    assertThat(answer.read()).isEqualTo('H');
                }
            }
        }
    }

    /** The same request again, until it is told what became of the first. */
    private static Answer retried(String path, JsonObject body, Person by, String key) {
        return Await.value("the first request has an answer", () -> {
            Answer answer = RunningPlatform.shared().post(path, body, by.token(), "Idempotency-Key", key);
            if (!"idempotency.in-flight".equals(answer.header("Error-Code"))) {
                return answer;
            }
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            return null;
        });
    }

    private static List<List<String>> filingsWithTitle(String title) {
        return RunningPlatform.shared().rows("select filing_id::text, revision::text from mainapi.filings where title = ?", title);
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void aCreationWhoseAnswerWasLostIsMadeOnce(Cut cut) throws Exception {
        for (int i = 0; i < 10; i++) {
            String key = UUID.randomUUID().toString();
            JsonObject body = creation();
            sendAndCut("/api/filings/create", body, CASE.claimant(), key, cut);
            Answer first = retried("/api/filings/create", body, CASE.claimant(), key);
            Answer second = retried("/api/filings/create", body, CASE.claimant(), key);

            assertThat(first.status()).as(first.body()).isEqualTo(200);
            assertThat(second.body()).isEqualTo(first.body());
            assertThat(second.header("ETag")).isEqualTo(first.header("ETag")).isEqualTo("\"1\"");
            assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
            if (cut == Cut.WHEN_THE_ANSWER_BEGINS) {
                assertThat(first.header("Idempotent-Replayed")).isEqualTo("true");
            }
            assertThat(filingsWithTitle(body.getString("title"))).containsExactly(List.of(first.object().getString("filingID"), "1"));
        }
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void aSubmissionWhoseAnswerWasLostIsToldAsDoneNotAsDoneAlready(Cut cut) throws Exception {
        for (int i = 0; i < 3; i++) {
            String key = UUID.randomUUID().toString();
            OpenCase open = CASE.another();
            JsonObject filing = new JsonObject().put("caseID", open.caseId()).put("filingID", open.draft(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT));
            sendAndCut("/api/filings/documents/submit", filing, open.claimant(), key, cut);
            Answer retried = retried("/api/filings/documents/submit", filing, open.claimant(), key);

            assertThat(retried.status()).as(retried.body()).isEqualTo(200);
            assertThat(retried.sentence()).isEqualTo("Document successfully submitted.");
            assertThat(open.docket(open.claimant())).hasSize(1);
            assertThat(retried("/api/filings/documents/submit", filing, open.claimant(), UUID.randomUUID().toString()).sentence())
                    .isEqualTo("document cannot be submitted because it's already been added to the docket");
        }
    }

    @Test
    void ofManyRequestsWithOneKeyAtOnceOneRuns() throws Exception {
        String key = UUID.randomUUID().toString();
        JsonObject body = creation();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            sent.add(CompletableFuture.supplyAsync(
                    () -> RunningPlatform.shared().post("/api/filings/create", body, CASE.claimant().token(), "Idempotency-Key", key), Thread::startVirtualThread));
        }
        List<Answer> answers = sent.stream().map(CompletableFuture::join).toList();

        assertThat(answers.stream().filter(answer -> answer.status() == 200 && answer.header("Idempotent-Replayed") == null)).hasSize(1);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.status() == 200 || answer.header("Error-Code").equals("idempotency.in-flight"))
                .as(answer.body()).isTrue());
        assertThat(filingsWithTitle(body.getString("title"))).hasSize(1);
    }

    @Test
    void aRefusalIsReplayedAsTheRefusalItWas() throws Exception {
        String key = UUID.randomUUID().toString();
        String filingId = CASE.draft(CASE.claimant(), "motion");
        JsonObject filing = new JsonObject().put("caseID", CASE.caseId()).put("filingID", filingId);
        CASE.document("withdraw", CASE.claimant(), filingId);

        Answer first = retried("/api/filings/documents/submit", filing, CASE.claimant(), key);
        Answer second = retried("/api/filings/documents/submit", filing, CASE.claimant(), key);

        assertThat(first.header("Idempotent-Replayed")).isNull();
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        for (Answer answer : List.of(first, second)) {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.sentence()).isEqualTo("document is already withdrawn");
            assertThat(answer.header("Error-Code")).isEqualTo("filing.already-withdrawn");
        }
    }

    @Test
    void aKeyBelongsToItsCallerItsOperationAndItsBody() throws Exception {
        String key = UUID.randomUUID().toString();
        JsonObject body = creation();
        Answer mine = retried("/api/filings/create", body, CASE.claimant(), key);
        Answer theirs = retried("/api/filings/create", body, CASE.respondent(), key);
        assertThat(theirs.object().getString("filingID")).isNotEqualTo(mine.object().getString("filingID"));
        assertThat(theirs.header("Idempotent-Replayed")).isNull();

        Answer otherOperation = retried("/api/filings/update", new JsonObject().put("caseID", CASE.caseId())
                .put("filingID", mine.object().getString("filingID")).put("title", "Another"), CASE.claimant(), key);
        assertThat(otherOperation.status()).isEqualTo(200);

        Answer otherBody = retried("/api/filings/create", creation(), CASE.claimant(), key);
        assertThat(otherBody.status()).isEqualTo(422);
        assertThat(otherBody.sentence()).isEqualTo("Idempotency-Key was used with another body");
        for (String bad : List.of("", "x".repeat(201), "a b")) {
            assertThat(retried("/api/filings/create", body, CASE.claimant(), bad).status()).as("key '%s'", bad).isEqualTo(400);
        }
    }
}
