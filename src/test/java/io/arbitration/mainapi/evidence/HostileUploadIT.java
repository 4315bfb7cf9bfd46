package io.arbitration.mainapi.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.TestFolders;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uploads that no careful client sends: each is answered with a sentence, and nothing of it is kept. */
class HostileUploadIT {

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);
    private int objectsBefore;

    @BeforeEach
    void count() {
        objectsBefore = platform.objects().size();
    }

    @AfterEach
    void nothingIsLeftOver() {
        int evidence = open.on("/api/evidence/uploads/list", open.manager(), new JsonObject()).object().getJsonArray("uploads").size();
        platform.awaitObjects(objectsBefore + evidence);
        // The row goes after the object.
        Await.until("nothing waits for the sweeper", () -> platform.rows("select address from platform.pending_objects").isEmpty());
    }

    private Form form() {
        return Form.of(open.caseId(), "dataFile", "A file.");
    }

    private void isRefused(String what, Answer answer, int status, String sentence) {
        assertThat(answer.status()).as("%s: %s", what, answer.body()).isEqualTo(status);
        assertThat(answer.sentence()).as(what).isEqualTo(sentence);
        assertThat(answer.header("Error-Code")).as(what).isNotEmpty();
    }

    private Answer post(byte[] body, String contentType, String... headers) {
        return platform.post(Form.PATH, HttpRequest.BodyPublishers.ofByteArray(body), contentType, open.claimant().token(), headers);
    }

    @Test
    void aBodyThatIsNoFormIsRefused() {
        byte[] body = form().file("a.txt", "text/plain", "A").bytes();
        String boundary = "Content-Type: needs a boundary of 1 to 70 characters";
        isRefused("no boundary", post(body, "multipart/form-data"), 400, boundary);
        isRefused("an empty one", post(body, "multipart/form-data; boundary="), 400, boundary);
        isRefused("a long one", post(body, "multipart/form-data; boundary=" + "a".repeat(71)), 400, boundary);
        isRefused("a strange one", post(body, "multipart/form-data; boundary=\"a<b>\""), 400, boundary);
        isRefused("another boundary", post(body, "multipart/form-data; boundary=other"), 400, "body: ends before its last boundary");
        isRefused("JSON", post("{}".getBytes(StandardCharsets.UTF_8), "application/json"), 415, "The content type must be multipart/form-data.");
        isRefused("mixed", post(body, "multipart/mixed; boundary=" + Form.BOUNDARY), 415, "The content type must be multipart/form-data.");
        isRefused("nothing", post(new byte[0], Form.CONTENT_TYPE), 400, "body: ends before its last boundary");
        isRefused("compressed", post(body, Form.CONTENT_TYPE, "Content-Encoding", "gzip"), 415, "A compressed body is not accepted.");
        isRefused("cut", post(Arrays.copyOf(body, body.length - 10), Form.CONTENT_TYPE), 400, "body: ends before its last boundary");
    }

    @Test
    void aFormWithTooMuchOrTooLittleInItIsRefused() {
        Form many = new Form();
        for (int i = 0; i < 10_000; i++) {
            many.field("field" + i, "x");
        }
        isRefused("ten thousand parts", post(many.bytes(), Form.CONTENT_TYPE), 400, "body: more than 20 parts");
        isRefused("two files", post(form().file("a.txt", "text/plain", "A").file("b.txt", "text/plain", "B").bytes(), Form.CONTENT_TYPE), 400, "file: at most one");
        isRefused("two cases", post(form().field("caseID", open.caseId()).file("a.txt", "text/plain", "A").bytes(), Form.CONTENT_TYPE), 400, "caseID: at most one");
        isRefused("no file", post(form().bytes(), Form.CONTENT_TYPE), 400, "file: is required");
        isRefused("long fields", post(form().field("more", "x".repeat(70_000)).bytes(), Form.CONTENT_TYPE), 400, "body: fields of more than 65536 bytes");
        isRefused("fields behind a file of megabytes", post(new Form().file("a.txt", "text/plain", "A".repeat(3_000_000)).bytes(), Form.CONTENT_TYPE),
                400, "caseID: is required");
        isRefused("no text", post(new Form().part("Content-Disposition: form-data; name=\"caseID\"", new byte[] {(byte) 0xc3, 0x28}).bytes(),
                Form.CONTENT_TYPE), 400, "body: not valid UTF-8");
        isRefused("NUL", post(new Form().field("description", "a\u0000b").bytes(), Form.CONTENT_TYPE), 400,
                "description: must not contain the character NUL");
    }

    @Test
    void programsEmptyFilesAndLiesAreRefused() throws IOException {
        Map<String, String> programs = Map.of("elf", "ELF", "pe", "Windows or DOS", "macho", "Mach-O", "script", "script");
        for (Map.Entry<String, String> program : programs.entrySet()) {
            isRefused(program.getKey(), form().file("notes.txt", "text/plain", SampleFiles.named(program.getKey())).post(platform, open.claimant().token()),
                    415, "The file is a program (%s); programs are not taken as evidence.".formatted(program.getValue()));
        }
        isRefused("a name", form().file("notes.bat", "text/plain", "echo").post(platform, open.claimant().token()), 415,
                "The file is a program (its name ends in .bat); programs are not taken as evidence.");
        isRefused("empty", form().file("a.txt", "text/plain", "").post(platform, open.claimant().token()), 400, "file: must not be empty");
        isRefused("a lie", form().file("a.txt", "text/plain", SampleFiles.pdf()).post(platform, open.claimant().token()), 415,
                "The file is declared as text/plain, but its content is application/pdf.");
        isRefused("not of the category", form().file("a.pdf", "application/pdf", SampleFiles.pdf()).post(platform, open.claimant().token()), 415,
                "Evidence of this type cannot be application/pdf, only text/plain, text/csv, application/json, application/zip.");
        byte[] late = "All is well. ".repeat(50_000).getBytes(StandardCharsets.US_ASCII);
        late[600_000] = 0;
        isRefused("text that turns into something else", form().file("a.txt", "text/plain", late).post(platform, open.claimant().token()), 415,
                "The file is declared as text/plain, but its content is not text.");
    }

    @Test
    void aFileNameOfAnyKindIsMadeHarmlessAndComesBackOnOneLine() throws IOException {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("../../../etc/passwd", "passwd");
        names.put("C:\\\\secret\\\\a.txt", "a.txt");
        names.put("say \\\"hi\\\".txt", "say hi .txt");
        names.put("a\nSet-Cookie: x=y.txt", "a Set-Cookie x=y.txt");
        names.put("invoice\u202Etxt.exe.txt", "invoice txt.exe.txt");
        names.put("доказ 1 — 契約.txt", "доказ 1 — 契約.txt");
        names.put("", "file");
        names.put("%00.txt", "%00.txt");
        for (Map.Entry<String, String> name : names.entrySet()) {
            Answer answer = form().file(name.getKey(), "text/plain", "Agreed.").post(platform, open.claimant().token());
            assertThat(answer.status()).as("%s: %s", name.getKey(), answer.body()).isEqualTo(200);
            JsonObject named = new JsonObject().put("uploadID", answer.object().getString("uploadID"));
            assertThat(open.on("/api/evidence/uploads/view", open.claimant(), named).object().getString("fileName")).isEqualTo(name.getValue());
            Answer down = open.on("/api/evidence/uploads/download", open.claimant(), named);
            assertThat(down.body()).isEqualTo("Agreed.");
            assertThat(down.header("Content-Disposition")).startsWith("attachment; filename=\"").doesNotContain("\n").doesNotContain("\u202E");
            assertThat(down.header("Set-Cookie")).isNull();
        }
    }

    @Test
    void aZipBombIsKeptAsWhatItIs() throws IOException {
        byte[] bomb = SampleFiles.zip("zeros", "\0".repeat(30_000_000));
        assertThat(bomb).hasSizeLessThan(100_000);
        Answer answer = form().file("bomb.zip", "application/zip", bomb).post(platform, open.claimant().token());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        JsonObject named = new JsonObject().put("uploadID", answer.object().getString("uploadID"));
        assertThat(open.on("/api/evidence/uploads/view", open.claimant(), named).object().getInteger("bytes")).isEqualTo(bomb.length);
        assertThat(open.on("/api/evidence/uploads/download", open.claimant(), named).response().body()).isEqualTo(bomb);
    }

    /** Sends a head and a body as they are, and reads the answer; empty when the server only closes. */
    private String raw(String head, byte[] body, boolean end) throws IOException {
        URI server = URI.create(platform.url());
        try (Socket socket = new Socket("127.0.0.1", server.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(("POST " + Form.PATH + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + open.claimant().token()
                    + "\r\nContent-Type: " + Form.CONTENT_TYPE + "\r\n" + head + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            if (end) {
                socket.shutdownOutput();
            }
            InputStream in = socket.getInputStream();
            StringBuilder answer = new StringBuilder();
            for (int b = in.read(); b >= 0; b = in.read()) {
                answer.append((char) b);
                // The sentence ends the answer.
                if (answer.toString().contains("\r\n\r\n\"") && b == '"' && !answer.toString().endsWith("\r\n\r\n\"")) {
                    break;
                }
            }
            return answer.toString();
        }
    }

    @Test
    void aContentLengthThatLiesEndsInARefusalOrInNothing() throws IOException {
        byte[] body = form().file("a.txt", "text/plain", "A".repeat(1000)).bytes();
        assertThat(raw("Content-Length: " + (body.length - 200), Arrays.copyOf(body, body.length - 200), false)).as("too short")
                .startsWith("HTTP/1.1 400").contains("\"body: ends before its last boundary\"");
        assertThat(raw("Content-Length: " + (body.length + 1000), body, true)).as("too long: what is missing never comes").doesNotContain("200 OK");
        assertThat(raw("Content-Length: 99999999999999", new byte[0], false)).as("more than is taken")
                .startsWith("HTTP/1.1 413").contains("\"The file is larger than 2147483648 bytes.\"");
        assertThat(raw("Content-Length: -5", new byte[0], false)).as("negative").startsWith("HTTP/1.1 400");
        assertThat(raw("Transfer-Encoding: chunked", "zz\r\n".getBytes(StandardCharsets.US_ASCII), false)).as("no chunk").doesNotContain("200 OK");
    }

    @Test
    void aFileOverTheLimitIsRefusedWhereItPassesIt() throws IOException {
        try (RunningPlatform small = RunningPlatform.start(TestFolders.create("limit-"), Map.of("ACP_EVIDENCE_UPLOAD_BYTES_MAX", "2000"))) {
            OpenCase there = OpenCase.on(small);
            List<Integer> statuses = java.util.stream.IntStream.of(1999, 2000, 2001, 400_000).mapToObj(length ->
                    Form.of(there.caseId(), "dataFile", "").file("a.txt", "text/plain", "A".repeat(length)).post(small, there.claimant().token()).status()).toList();
            assertThat(statuses).containsExactly(200, 200, 413, 413);
            small.awaitObjects(2);
        }
    }
}
