package io.arbitration.platform.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.RunningPlatform;
import io.vertx.core.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HostileBodyIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final String SIGN_IN = "/auth/demo/id-token";
    private static final String REFRESH = "/auth/sessions/refresh";
    /** Takes a larger body than the others. */
    private static final String AUTHENTICATE = "/auth/authenticate/demo";

    private static Arguments refused(String name, String path, byte[] body, int status, String text) {
        return Arguments.of(name, path, body, status, text);
    }

    private static Arguments refused(String name, String path, String body, String text) {
        return refused(name, path, body.getBytes(StandardCharsets.UTF_8), 400, text);
    }

    private static byte[] bytes(String before, int[] odd, String after) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(before.getBytes(StandardCharsets.UTF_8));
        for (int one : odd) {
            all.write(one);
        }
        all.writeBytes(after.getBytes(StandardCharsets.UTF_8));
        return all.toByteArray();
    }

    private static String person(String email) {
        return "{\"email\":" + email + ",\"first_name\":\"A\",\"last_name\":\"B\"}";
    }

    static Stream<Arguments> hostileBodies() {
        return Stream.of(
                refused("wrong type", REFRESH, "{\"refreshToken\":7}", "refreshToken: must be a string"),
                refused("null member", REFRESH, "{\"refreshToken\":null}", "refreshToken: is required"),
                refused("missing", REFRESH, "{}", "refreshToken: is required"),
                refused("one of several missing", SIGN_IN, "{\"email\":\"a@b.de\",\"first_name\":\"A\"}", "last_name: is required"),
                refused("too long", SIGN_IN, person("\"" + "a".repeat(60) + "@" + "b.".repeat(120) + "de\""), "email: at most 254 characters"),
                refused("empty where a format is asked", SIGN_IN, person("\"\""), "email: at least 3 characters"),
                refused("no email", SIGN_IN, person("\"ada\""), "email: must be a valid email"),
                refused("number for a text", SIGN_IN, person("1e999999999"), "email: number out of range"),
                refused("object for a text", SIGN_IN, person("{}"), "email: must be a string"),
                refused("yes for a boolean", SIGN_IN, "{\"email\":\"a@b.de\",\"first_name\":\"A\",\"last_name\":\"B\",\"email_verified\":\"yes\"}",
                        "email_verified: must be true or false"),
                refused("duplicate keys", REFRESH, "{\"refreshToken\":\"a\",\"refreshToken\":\"b\"}", "body: duplicate key at line 1, column 35"),
                refused("no body", REFRESH, "", "body: is required"),
                refused("blanks", REFRESH, "  \n ", "body: must be JSON"),
                refused("null", REFRESH, "null", "body: must be an object"),
                refused("array", REFRESH, "[]", "body: must be an object"),
                refused("text", REFRESH, "\"refreshToken\"", "body: must be an object"),
                refused("number with 5,000 digits", AUTHENTICATE, "{\"idToken\":" + "9".repeat(5000) + "}", "body: a number or name is too long"),
                refused("trailing garbage", REFRESH, "{\"refreshToken\":\"a\"} x", "body: not JSON at line 1, column 23"),
                refused("two values", REFRESH, "{\"refreshToken\":\"a\"}{}", "body: more than one JSON value"),
                refused("cut off", REFRESH, "{\"refreshToken\":\"a", "body: not JSON at line 1, column 19"),
                refused("single quotes", REFRESH, "{'refreshToken':'a'}", "body: not JSON at line 1, column 2"),
                refused("comment", REFRESH, "{/* */\"refreshToken\":\"a\"}", "body: not JSON at line 1, column 2"),
                refused("NaN", REFRESH, "{\"refreshToken\":NaN}", "body: not JSON at line 1, column 20"),
                refused("control character", REFRESH, "{\"refreshToken\":\"a\tb\"}", "body: not JSON at line 1, column 19"),
                refused("1,000 arrays deep", REFRESH, "{\"x\":" + "[".repeat(1000) + "]".repeat(1000) + "}", "body: nested deeper than 64 levels"),
                refused("1,000 objects deep", AUTHENTICATE, "{\"x\":".repeat(1000) + "1" + "}".repeat(1000), "body: nested deeper than 64 levels"),
                refused("NUL in a value", REFRESH, "{\"refreshToken\":\"a\\u0000b\"}", "refreshToken: must not contain the character NUL"),
                refused("NUL in a key", REFRESH, "{\"refresh\\u0000Token\":\"a\"}", "body: must not contain the character NUL"),
                refused("NUL in a member nobody reads", REFRESH, "{\"refreshToken\":\"a\",\"x\":[{\"y\":\"\\u0000\"}]}", "x/0/y: must not contain the character NUL"),
                refused("lone high surrogate", REFRESH, "{\"refreshToken\":\"\\ud800\"}", "refreshToken: not valid Unicode"),
                refused("lone low surrogate", REFRESH, "{\"refreshToken\":\"a\\udc00\"}", "refreshToken: not valid Unicode"),
                refused("surrogates the wrong way round", REFRESH, "{\"refreshToken\":\"\\udc00\\ud800\"}", "refreshToken: not valid Unicode"),
                refused("invalid UTF-8", REFRESH, bytes("{\"refreshToken\":\"", new int[] {0xff, 0xfe}, "\"}"), 400, "body: not valid UTF-8"),
                refused("overlong UTF-8", REFRESH, bytes("{\"refreshToken\":\"", new int[] {0xc0, 0x80}, "\"}"), 400, "body: not valid UTF-8"),
                refused("surrogate in UTF-8", REFRESH, bytes("{\"refreshToken\":\"", new int[] {0xed, 0xa0, 0x80}, "\"}"), 400, "body: not valid UTF-8"),
                refused("cut-off UTF-8", REFRESH, bytes("{\"refreshToken\":\"a\"}", new int[] {0xe2, 0x82}, ""), 400, "body: not valid UTF-8"),
                refused("UTF-16", REFRESH, "{\"refreshToken\":\"a\"}".getBytes(StandardCharsets.UTF_16), 400, "body: not valid UTF-8"),
                refused("a key of 250,000 characters", AUTHENTICATE, "{\"" + "k".repeat(250_000) + "\":1}", "body: a number or name is too long"),
                refused("100,000 wrong entries", AUTHENTICATE, "{\"idToken\":[" + "1,".repeat(100_000) + "1]}", "idToken: must be a string"),
                refused("20 MB", REFRESH, new byte[20 * 1024 * 1024], 413, "The body is larger than 16214 bytes."));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostileBodies")
    void aHostileBodyIsRefusedWithPlaceAndBound(String name, String path, byte[] body, int status, String text) throws Exception {
        expect(post(path, HttpRequest.BodyPublishers.ofByteArray(body), "application/json"), status, text);
    }

    /** Without a Content-Length only reading tells that it is too much; the answer must arrive although the client still sends. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("hostileBodies")
    void theSameInChunksIsRefusedTheSame(String name, String path, byte[] body, int status, String text) throws Exception {
        HttpRequest.BodyPublisher chunked = HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
        expect(post(path, chunked, "application/json"), status, text);
    }

    private static HttpResponse<String> post(String path, HttpRequest.BodyPublisher body, String contentType) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(PLATFORM.url() + path)).timeout(Duration.ofSeconds(60)).POST(body);
        if (contentType != null) {
            request.header("Content-Type", contentType);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static void expect(HttpResponse<String> answer, int status, String text) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(Json.decodeValue(answer.body())).isEqualTo(text);
        assertThat(answer.headers().firstValue("Error-Code")).isPresent();
        assertThat(answer.headers().firstValue("X-Request-Id")).isPresent();
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    }

    static Stream<Arguments> contentTypes() {
        return Stream.of("text/plain", "application/xml", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded",
                "application/json; charset=utf-16", "application/json;charset=iso-8859-1", "application/jsonx", "*/*", "json", null)
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("contentTypes")
    void aBodyThatIsNotSaidToBeJsonIsRefused(String contentType) throws Exception {
        HttpResponse<String> answer = post(REFRESH, HttpRequest.BodyPublishers.ofString("{\"refreshToken\":\"a\"}"), contentType);
        expect(answer, 415, "The content type must be application/json.");
        assertThat(answer.headers().firstValue("Error-Code")).contains("content-type.unsupported");
    }

    @ParameterizedTest
    @MethodSource("jsonTypes")
    void everyWayToSayJsonIsUnderstood(String contentType) throws Exception {
        HttpResponse<String> answer = post(SIGN_IN, HttpRequest.BodyPublishers.ofString(person("\"a@b.de\"")), contentType);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    static Stream<String> jsonTypes() {
        return Stream.of("application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=\"UTF-8\"", "application/json ;x=y");
    }

    @Test
    void aCompressedBodyIsRefusedAndNeverUnpacked() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(PLATFORM.url() + REFRESH)).header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip").POST(HttpRequest.BodyPublishers.ofString("x")).build();
        expect(CLIENT.send(request, HttpResponse.BodyHandlers.ofString()), 415, "A compressed body is not accepted.");
    }

    @Test
    void unknownMembersAreIgnored() {
        assertThat(PLATFORM.post(SIGN_IN, "{\"email\":\"a@b.de\",\"first_name\":\"A\",\"last_name\":\"B\",\"x\":{\"y\":[1,2]}}", null).status())
                .isEqualTo(200);
    }

    @Test
    void anOperationWithATokenIsRefusedForTheTokenFirst() throws IOException {
        RunningPlatform.Answer answer = PLATFORM.post("/auth/users/update", "not JSON", null);
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.sentence()).isEqualTo("missing or invalid access token");
    }
}
