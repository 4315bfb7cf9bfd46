package io.arbitration.command.bench;

import static io.arbitration.command.bench.Attacks.inOwnCase;

import com.sun.net.httpserver.HttpServer;
import io.arbitration.command.bench.Attack.Node;
import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.arbitration.platform.browser.Chromium;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/** Work of which a node does little at once: pages, files, forms, awards, exports. */
final class WorkAttacks {

    private static final int AT_ONCE = 16;
    static final int PART_BYTES = 1_000_000;

    private WorkAttacks() {}

    static List<Attack> all() {
        List<Attack> attacks = new ArrayList<>(List.of(
                new Attack("exports unread", "one user asks for exports and reads nothing", WorkAttacks::exportUnread).beside(Alike.EXPORT),
                new Attack("uploads that stall", "one user begins uploads and does not go on", WorkAttacks::stallUploads).beside(Alike.UPLOAD),
                new Attack("uploads without end", "one user uploads until its quota is used up, and goes on trying",
                        stage -> stage.together(AT_ONCE, () -> upload(stage, "x".repeat(PART_BYTES)))).beside(Alike.UPLOAD),
                new Attack("case filled by one side", "one side uploads until its case accepts nothing more from it, and goes on trying; the other side uploads too",
                        stage -> stage.together(AT_ONCE, () -> upload(stage, "x".repeat(PART_BYTES)))).prepared(WorkAttacks::fillCase).beside(Alike.OTHER_SIDE),
                new Attack("files first", "one user sends long files before the fields that say where they go, and never sends these", WorkAttacks::sendFilesFirst).beside(Alike.UPLOAD),
                new Attack("uploads to a full disk", "one user uploads to a node whose disk is low, over and over",
                        stage -> stage.together(AT_ONCE, () -> upload(stage, "x".repeat(1000)))).on(Node.TLS),
                new Attack("downloads unread", "one user asks for a large file of its own over and over and reads nothing", WorkAttacks::downloadUnread)
                        .prepared(stage -> upload(stage, "x".repeat(8 * PART_BYTES))).beside(Alike.DOWNLOAD),
                new Attack("long forms", "a stranger fills forms with as much text as they take",
                        stage -> stage.together(AT_ONCE, () -> stage.post("/pdfs/templates/fill", null, longForm()))).beside(Alike.FILL),
                new Attack("webhook tests", "one organization tests a webhook that never answers", WorkAttacks::testWebhooks),
                new Attack("awards", "one user asks for draft awards of a model that never answers", WorkAttacks::draftAwards).given(WorkAttacks::storeForAnAward),
                new Attack("analyses", "one user dockets and drafts what the model has to analyse, over and over", WorkAttacks::docketMuch).given(WorkAttacks::analyseAll)));
        if (Chromium.find(Optional.empty()).isPresent()) {
            attacks.add(new Attack("captures beside proofs", "one user captures pages without an end, and another has proofs of service made",
                    WorkAttacks::captureEndless).beside(Alike.PROOF));
            attacks.add(new Attack("proofs of service", "one user has the proof of a notice made over and over", WorkAttacks::proveMuch)
                    .given(WorkAttacks::serveANotice).beside(Alike.PROOF));
            attacks.add(new Attack("captures", "one user captures pages without an end", WorkAttacks::captureEndless).beside(Alike.CAPTURE));
            attacks.add(new Attack("captures that compute", "one user captures pages that compute in as many threads as they may have",
                    WorkAttacks::captureComputing).beside(Alike.CAPTURE));
            attacks.add(new Attack("captures that fill", "one user captures pages that fill the memory of the browser itself",
                    WorkAttacks::captureFilling).beside(Alike.CAPTURE));
        }
        return List.copyOf(attacks);
    }

    private static String authorized(AttackStage stage) {
        return "Authorization: Bearer " + stage.attacker().token() + "\r\n";
    }

    private static void exportUnread(AttackStage stage) throws Exception {
        ask(stage, stage.many() / 2, "/cases/cases/export", inOwnCase(stage));
    }

    private static void downloadUnread(AttackStage stage) throws Exception {
        JsonArray uploads = stage.asked("/api/evidence/uploads/list", inOwnCase(stage)).getJsonArray("uploads");
        ask(stage, stage.many(), "/api/evidence/uploads/download", inOwnCase(stage).put("uploadID", uploads.getJsonObject(0).getString("uploadID")));
    }

    /** Asks on so many connections and reads nothing. */
    static void ask(AttackStage stage, int connections, String path, JsonObject request) throws InterruptedException {
        String body = request.encode();
        stage.together(connections, () -> {
            try (Socket socket = stage.connect()) {
                socket.setReceiveBufferSize(4096);
                AttackStage.send(socket, "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + authorized(stage)
                        + "Content-Length: " + body.length() + "\r\n\r\n" + body);
                stage.pause(Duration.ofSeconds(30));
            }
        });
    }

    static void upload(AttackStage stage, String content) throws IOException, InterruptedException {
        stage.postFile("/api/evidence/uploads/create", Map.of("caseID", stage.caseId(), "categoryID", "other", "description", "Something"), "a.txt", "text/plain", content);
    }

    /** As many bytes as a case of this benchmark takes. */
    private static void fillCase(AttackStage stage) throws Exception {
        for (int i = 0; i < 20; i++) {
            upload(stage, "x".repeat(PART_BYTES));
        }
    }

    private static void stallUploads(AttackStage stage) throws Exception {
        String part = "--b\r\nContent-Disposition: form-data; name=\"";
        String form = part + "caseID\"\r\n\r\n" + stage.caseId() + "\r\n" + part + "categoryID\"\r\n\r\ncontract\r\n" + part + "description\"\r\n\r\nA contract\r\n"
                + part + "file\"; filename=\"a.pdf\"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7\n" + " ".repeat(100_000);
        stage.hold(stage.many() * 2, "POST /api/evidence/uploads/create HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                + authorized(stage) + "Content-Length: 100000000\r\n\r\n" + form, " ", Duration.ofMillis(200));
    }

    private static void sendFilesFirst(AttackStage stage) throws Exception {
        stage.hold(AT_ONCE, "POST /api/evidence/uploads/create HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                + authorized(stage) + "Content-Length: 1000000000\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\n", "x".repeat(PART_BYTES), Duration.ofMillis(50));
    }

    private static String longForm() {
        JsonObject placeholders = new JsonObject();
        for (String name : List.of("facts", "reasons")) {
            placeholders.put(name, "Word ".repeat(9900) + new Random().nextInt());
        }
        return new JsonObject().put("documentID", "award").put("placeholders", placeholders).encode();
    }

    private static void testWebhooks(AttackStage stage) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1000)) {
            JsonObject url = new JsonObject().put("url", "http://127.0.0.1:%d/hook".formatted(silent.getLocalPort()));
            stage.post("/auth/organizations/create", new JsonObject().put("name", "Silent"));
            stage.post("/webhooks/urls/create", url);
            stage.together(AT_ONCE, () -> stage.post("/webhooks/urls/test", url));
        }
    }

    /** A text in the bucket, which is nobody's evidence. */
    private static String storeForAnAward(BenchPeople people, OpenCase own) {
        return people.store("award-of-" + own.id() + ".txt", "The crane was delivered on 3 March. ".repeat(100));
    }

    private static void draftAwards(AttackStage stage) throws Exception {
        JsonObject wanted = new JsonObject().put("exhibits", new JsonArray()).put("documents", new JsonArray()
                .add(new JsonObject().put("gsUrl", stage.given()).put("contentType", "text/plain")));
        stage.together(AT_ONCE, () -> stage.post("/ai/generate-award", wanted));
    }

    private static String analyseAll(BenchPeople people, OpenCase own) {
        people.post(new Request("/ai/prompts/create", people.administrator().token(), new JsonObject().put("documentID", "noticeOfRepresentation")
                .put("ruleSet", "commercial").put("prompt", "Who represents whom?").put("active", true).put("triggerOnDocket", true).put("triggerOnDraft", true)
                .put("includeEvidence", false).put("includeFullCase", true).encode()));
        return "";
    }

    private static void docketMuch(AttackStage stage) throws Exception {
        JsonObject notice = inOwnCase(stage).put("documentID", "noticeOfRepresentation").put("fields", new JsonObject().put("counselName", "Lena Law").put("counselEmail", "lena@law.example"));
        AtomicReference<String> draft = new AtomicReference<>();
        stage.together(4, () -> {
            if (draft.get() == null) {
                String filingId = stage.asked("/api/filings/create", notice).getString("filingID");
                if (stage.post("/api/filings/documents/submit", inOwnCase(stage).put("filingID", filingId)) == 409) {
                    // The phase takes no more of them: from then on a draft is changed, each version of which is to be analysed.
                    draft.set(filingId);
                }
            } else {
                stage.post("/api/filings/update", inOwnCase(stage).put("filingID", draft.get())
                        .put("fields", notice.getJsonObject("fields").copy().put("counselName", "Lena " + UUID.randomUUID())));
            }
        });
    }

    private static String serveANotice(BenchPeople people, OpenCase own) {
        String entryId = RequestAttacks.docket(people, own, "We can in May. ".repeat(1000));
        return ((JsonObject) people.post(new Request("/api/service-of-notice/send", own.claimant().token(), Attacks.notice(own.id(), entryId).encode()))).getString("noticeID");
    }

    private static void proveMuch(AttackStage stage) throws Exception {
        stage.together(AT_ONCE, () -> stage.post("/api/service-of-notice/proof", inOwnCase(stage).put("noticeID", stage.given())));
    }

    /** A page that goes on and on, and computes beside. */
    private static void captureEndless(AttackStage stage) throws Exception {
        capture(stage, "<script>setInterval(() => { const end = Date.now() + 40; while (Date.now() < end); }, 50)</script>");
    }

    private static void captureComputing(AttackStage stage) throws Exception {
        capture(stage, """
                <script>const code = URL.createObjectURL(new Blob(['for (;;) {}'])); for (let i = 0; i < 32; i++) new Worker(code);</script>""");
    }

    /** Blobs are in the browser's main process, which all pages share. */
    private static void captureFilling(AttackStage stage) throws Exception {
        capture(stage, """
                <script>const kept = []; const more = () => { kept.push(new Blob([new Uint8Array(8 << 20).fill(kept.length + 1)]));
                if (kept.length < 300) setTimeout(more, 1); }; more();</script>""");
    }

    /** A page that begins like this, and does not end. */
    private static void capture(AttackStage stage, String beginning) throws Exception {
        HttpServer site = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        site.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        site.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(beginning.getBytes(StandardCharsets.US_ASCII));
                while (!stage.isOver()) {
                    out.write("<p>and on</p>".getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    stage.pause(Duration.ofMillis(50));
                }
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        });
        site.start();
        try {
            JsonObject wanted = new JsonObject().put("mailType", "claimNotice").put("url", "http://127.0.0.1:%d/".formatted(site.getAddress().getPort()));
            stage.together(AT_ONCE, () -> stage.post("/api/service-of-notice/attachments/create", wanted));
        } finally {
            site.stop(0);
        }
    }
}
