package io.arbitration.platform.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.vertx.core.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HostileRequestIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final String BODY = "{\"refreshToken\":\"a\"}";

    private static RawConnection connect() throws IOException {
        return new RawConnection(PLATFORM.platform().port());
    }

    private static void expect(RawConnection.Answer answer, int status, String text) {
        assertThat(answer).as("an answer before the connection closes").isNotNull();
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(Json.decodeValue(answer.body())).isEqualTo(text);
        assertThat(answer.headers()).containsKeys("X-Request-Id", "Error-Code").containsEntry("Content-Type", "application/json");
        assertThat(answer.headers().get("Error-Code")).matches("[a-z0-9.-]+");
    }

    static Stream<Arguments> requests() {
        String host = " HTTP/1.1\r\nHost: localhost\r\n";
        String json = "Content-Type: application/json\r\n";
        return Stream.of(
                Arguments.of("unknown path", "POST /nowhere" + host + "\r\n", 404, "path not found"),
                Arguments.of("unknown path in an area", "POST /auth/nowhere" + host + "Content-Length: 0\r\n\r\n", 404, "path not found"),
                Arguments.of("path that climbs out", "GET /auth/../../etc/passwd" + host + "\r\n", 404, "path not found"),
                Arguments.of("climbing, encoded", "GET /auth/%2e%2e/%2e%2e/etc/passwd" + host + "\r\n", 404, "path not found"),
                Arguments.of("path with a broken escape", "GET /auth/%ZZ" + host + "\r\n", 400, "request: malformed"),
                Arguments.of("path with a broken escape at its end", "POST /auth/authenticate/%4" + host + "\r\n", 400, "request: malformed"),
                Arguments.of("NUL in the path", "GET /auth/%00" + host + "\r\n", 404, "path not found"),
                Arguments.of("wrong method", "GET /auth/sessions/refresh" + host + "\r\n", 405, "method not allowed"),
                Arguments.of("DELETE", "DELETE /auth/users/me" + host + "\r\n", 405, "method not allowed"),
                Arguments.of("made-up method", "FILE /auth/users/me" + host + "\r\n", 405, "method not allowed"),
                Arguments.of("overlong path", "GET /" + "a".repeat(10_000) + host + "\r\n", 414, "The request line is longer than 8192 bytes."),
                Arguments.of("overlong header", "GET /auth/x" + host + "X: " + "a".repeat(40_000) + "\r\n\r\n", 431, "The headers are larger than 32768 bytes."),
                Arguments.of("too many headers", "GET /auth/x" + host + "X: a\r\n".repeat(10_000) + "\r\n", 431, "The headers are larger than 32768 bytes."),
                Arguments.of("no HTTP", "hello\r\n\r\n", 400, "request: malformed"),
                Arguments.of("no version", "GET /\r\n\r\n", 400, "request: malformed"),
                Arguments.of("header without a colon", "GET /auth/x" + host + "nonsense\r\n\r\n", 400, "request: malformed"),
                Arguments.of("space before the colon", "GET /auth/x" + host + "X : a\r\n\r\n", 400, "request: malformed"),
                Arguments.of("no host", "GET /auth/x HTTP/1.1\r\n\r\n", 400, "Host: is missing or not a host name"),
                Arguments.of("two hosts", "GET /auth/x HTTP/1.1\r\nHost: localhost\r\nHost: other.example\r\n\r\n", 400, "Host: is missing or not a host name"),
                Arguments.of("two tokens", "POST /auth/users/me" + host + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\nContent-Length: 0\r\n\r\n", 400, "request: malformed"),
                Arguments.of("host that is none", "GET /auth/x HTTP/1.1\r\nHost: a/b@c:x\r\n\r\n", 400, "Host: is missing or not a host name"),
                Arguments.of("Content-Length no number", "POST /auth/sessions/refresh" + host + json + "Content-Length: ten\r\n\r\n", 400, "request: malformed"),
                Arguments.of("Content-Length with a sign", "POST /auth/sessions/refresh" + host + json + "Content-Length: +20\r\n\r\n" + BODY, 400, "request: malformed"),
                Arguments.of("negative Content-Length", "POST /auth/sessions/refresh" + host + json + "Content-Length: -1\r\n\r\n", 400, "request: malformed"),
                Arguments.of("Content-Length beyond counting", "POST /auth/sessions/refresh" + host + json + "Content-Length: 99999999999999999999\r\n\r\n", 400, "request: malformed"),
                Arguments.of("huge Content-Length", "POST /auth/sessions/refresh" + host + json + "Content-Length: 999999999999999999\r\n\r\n", 413, "The body is larger than 16214 bytes."),
                Arguments.of("two Content-Lengths", "POST /auth/sessions/refresh" + host + json + "Content-Length: 20\r\nContent-Length: 0\r\n\r\n" + BODY, 400, "request: malformed"),
                Arguments.of("unknown Transfer-Encoding", "POST /auth/sessions/refresh" + host + json + "Transfer-Encoding: gzip\r\n\r\n", 400, "request: malformed"),
                Arguments.of("chunked in disguise", "POST /auth/sessions/refresh" + host + json + "Transfer-Encoding: xchunked\r\n\r\n", 400, "request: malformed"),
                Arguments.of("every resource", "OPTIONS *" + host + "\r\n", 400, "request: malformed"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void aBrokenRequestGetsTheAnswerOfTheTable(String name, String request, int status, String text) throws IOException {
        try (RawConnection connection = connect()) {
            expect(connection.send(request).read(), status, text);
        }
    }

    /** Two readings of where a request ends is how one is smuggled past a proxy: only one of the two may ever be answered. */
    @Test
    void aRequestWithTwoLengthsHidesNoOther() throws IOException {
        String hidden = "GET /auth/.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
        String request = "POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n%s".formatted(5 + hidden.length(), hidden);
        try (RawConnection connection = connect()) {
            List<RawConnection.Answer> answers = connection.send(request).readAll();
            assertThat(answers).as("one answer, then closed").hasSize(1);
            expect(answers.getFirst(), 400, "request: malformed");
        }
    }

    /** Behind each length in disguise stands a request that must not be answered. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "Content-Length before chunked | Content-Length: 4~Transfer-Encoding: chunked",
        "chunked before Content-Length | Transfer-Encoding: chunked~Content-Length: 4",
        "two Content-Lengths | Content-Length: 4~Content-Length: 60",
        "two Content-Lengths in a list | Content-Length: 4, 60",
        "chunked twice, the other unknown | Transfer-Encoding: chunked~Transfer-Encoding: identity",
        "chunked in a list | Transfer-Encoding: gzip, chunked",
        "a folded header | Content-Length: 60~Transfer-Encoding:~\u0020chunked",
        "a space before the colon | Transfer-Encoding : chunked~Content-Length: 60",
        "a tab before the value | Content-Length: 60~Transfer-Encoding:\u0009xchunked",
        "a vertical tab in the value | Content-Length: 60~Transfer-Encoding: \u000bchunked"})
    void noLengthInDisguiseHidesARequest(String name, String headers) throws IOException {
        String hidden = "GET /auth/.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (RawConnection connection = connect()) {
            connection.send("POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + headers.replace("~", "\r\n") + "\r\n\r\n0\r\n\r\n" + hidden);
            List<RawConnection.Answer> answers = connection.readAll();
            assertThat(answers).as("one answer, then closed").hasSize(1);
            assertThat(answers.getFirst().status()).isEqualTo(400);
        }
    }

    @Test
    void whoAsksForAnotherProtocolGetsThePage() throws IOException {
        try (RawConnection connection = connect()) {
            connection.send("GET /auth/.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
            assertThat(connection.read().status()).isEqualTo(200);
        }
    }

    @Test
    void aChunkExtensionWithoutAnEndEndsTheConnection() throws IOException {
        try (RawConnection connection = connect()) {
            connection.send("POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;" + "x".repeat(100_000) + "\r\n{}\r\n0\r\n\r\n");
            assertThat(connection.readAll()).noneMatch(answer -> answer.status() == 200);
        }
    }

    @Test
    void aBrokenChunkEndsTheConnection() throws IOException {
        try (RawConnection connection = connect()) {
            connection.send("POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + BODY);
            assertThat(connection.isClosedByServer()).isTrue();
        }
    }

    @Test
    void requestsInOnePacketAreAnsweredInOrder() throws IOException {
        String one = "POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
        try (RawConnection connection = connect()) {
            connection.send(one.formatted("first") + one.formatted("second"));
            assertThat(connection.read().headers()).containsEntry("X-Request-Id", "first");
            assertThat(connection.read().headers()).containsEntry("X-Request-Id", "second");
        }
    }

    @Test
    void anInsaneRequestIdIsReplaced() throws IOException {
        for (String id : List.of("a b", "<script>", "x".repeat(101), "é")) {
            try (RawConnection connection = connect()) {
                connection.send("GET /nowhere HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: " + id + "\r\n\r\n");
                assertThat(connection.read().headers().get("X-Request-Id")).as(id).matches("[0-9a-f]{32}");
            }
        }
    }

    /** curl asks before it sends a large body; without the answer it would wait a second. */
    @Test
    void whoExpectsToContinueIsToldSo() throws IOException {
        String head = "POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n";
        try (RawConnection connection = connect()) {
            assertThat(connection.send(head.formatted(2)).read().status()).isEqualTo(100);
            assertThat(connection.send("{}").read().status()).isEqualTo(400);
        }
        try (RawConnection connection = connect()) {
            assertThat(connection.send(head.formatted(20_000_000)).read().status()).isEqualTo(413);
        }
    }

    /** After an answer that came before the body was read, the same connection serves the next request. */
    @Test
    void aRefusedBodyDoesNotSpoilTheConnection() throws IOException {
        String head = "POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n";
        try (RawConnection connection = connect()) {
            connection.send(head.formatted(5_000_000));
            assertThat(connection.read().status()).isEqualTo(413);
            connection.send(new byte[5_000_000]).send(head.formatted(2)).send("{}");
            expect(connection.read(), 400, "refreshToken: is required");
        }
    }

    /** Whoever writes first and reads later gets the answer too: nothing is reset under the writer. */
    @Test
    void anEarlyAnswerWaitsForAClientThatStillWrites() throws IOException {
        byte[] chunk = ("4000\r\n" + "x".repeat(0x4000) + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        try (RawConnection writer = connect()) {
            writer.send("POST /auth/sessions/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int sent = 0; sent < 1000; sent++) {
                writer.send(chunk);
            }
            writer.send("0\r\n\r\n");
            expect(writer.read(), 413, "The body is larger than 16214 bytes.");
            assertThat(writer.isClosedByServer()).isTrue();
        }
    }
}
