package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.FaultyProxy.Fault;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the library beside the generated calls has to hold in every language: a program of the language ({@code src/test/clients}) does it and
 * prints what it saw, line by line; here is what it is given and what it should have seen. Decision 062 has the rules.
 */
final class ClientChecks {

    private static final String SECRET = "whsec_YSBzZWNyZXQgb2YgdGhpcnR5LXR3byBieXRlcywgb2s=";
    private static final String OTHER_SECRET = "whsec_" + Base64.getEncoder().encodeToString("another secret of some bytes, ok".getBytes(StandardCharsets.UTF_8));
    private static final String ID = "0b9d7a52-6d1c-4a57-8a6e-1c2f3d4e5f60";
    private static final long NOW = 1_795_253_400;
    private static final String FILED = "docket_filing of letterToTribunal";
    private static final int PEOPLE = 12;

    private final RunningPlatform platform;
    private final FaultyProxy proxy;
    private final String title;
    private final String caseId;
    private final Path large;
    private final Map<String, String> webhooks = new LinkedHashMap<>();

    /**
     * Prepares a case of the caller.
     *
     * @param language as it stands in titles
     * @param large the file that is uploaded, larger than the memory of the program
     */
    ClientChecks(RunningPlatform platform, FaultyProxy proxy, String language, Path large) {
        this.platform = platform;
        this.proxy = proxy;
        this.title = "Lost and found by " + language;
        this.large = large;
        this.caseId = platform.post("/cases/cases/create", new JsonObject().put("title", "Checks by " + language).put("ruleSet", "commercial"), claimant().token())
                .object().getString("caseID");
    }

    private RunningPlatform.Person claimant() {
        return platform.signIn("clara@clients.example", "Clara", "Claimant");
    }

    /** Writes a text of so many bytes. */
    static Path write(Path file, int bytes) throws IOException {
        byte[] line = "A line of a long letter, which says nothing that has not been said.\n".repeat(1024).getBytes(StandardCharsets.US_ASCII);
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int left = bytes; left > 0; left -= line.length) {
                out.write(line, 0, Math.min(left, line.length));
            }
        }
        return file;
    }

    /** What the program is given. */
    JsonObject given(String limitedUrl, Path small) throws IOException, GeneralSecurityException {
        String token = claimant().token();
        String organizationId = platform.post("/auth/users/me", (JsonObject) null, token).object().getString("organizationID");
        JsonObject client = platform.post("/auth/clients/create",
                new JsonObject().put("name", "Checks").put("permissions", new JsonArray()).put("organizationID", organizationId), token).object();
        JsonArray refreshTokens = new JsonArray();
        for (int i = 0; i < PEOPLE; i++) {
            refreshTokens.add(claimant().refreshToken());
        }
        return new JsonObject().put("url", platform.url()).put("faulty", proxy.url()).put("limited", limitedUrl)
                .put("idToken", idToken(platform)).put("limitedIdToken", idToken(RunningPlatform.at(limitedUrl))).put("refreshTokens", refreshTokens)
                .put("clientID", client.getString("clientID")).put("clientSecret", client.getString("clientSecret"))
                .put("title", title).put("caseID", caseId).put("smallFile", small.toAbsolutePath().toString())
                .put("largeFile", large.toAbsolutePath().toString()).put("largeBytes", Long.toString(Files.size(large))).put("webhooks", webhooks());
    }

    private static String idToken(RunningPlatform of) {
        JsonObject person = new JsonObject().put("email", "clara@clients.example").put("first_name", "Clara").put("last_name", "Claimant");
        return of.post("/auth/demo/id-token", person, null).object().getString("idToken");
    }

    private JsonArray webhooks() throws GeneralSecurityException {
        String body = """
                {"id":"%s","timestamp":"2026-11-21T09:30:00.000Z","event":"docket_filing","data":{"entryID":"17","enteredAt":"2026-11-21T09:30:00.000Z",\
                "filingID":"23","caseID":"5f0c2b9e-8f5a-4c37-9a51-3a6d1f0e7b21","phaseID":"evidenceSubmissions","documentID":"letterToTribunal",\
                "userID":"1b671a64-40d5-491e-99b0-da01ff1f3341","organizationID":null,"partyID":"claimant","rootEntryID":null,"parentEntryID":null,"later":"added"}}\
                """.formatted(ID);
        String newer = body.replace("docket_filing", "a_newer_kind");
        String signed = signature(SECRET, ID, NOW, body);
        JsonArray all = new JsonArray();
        add(all, "good", ID + " false " + FILED, NOW, NOW, signed, body, SECRET);
        add(all, "sandbox", ID + " true " + FILED, NOW, NOW, signed, body, SECRET);
        all.getJsonObject(1).getJsonObject("headers").put("webhook-sandbox", "true");
        add(all, "rotation", ID + " false " + FILED, NOW, NOW, signature(OTHER_SECRET, ID, NOW, body) + " " + signed, body, SECRET);
        add(all, "two secrets", ID + " false " + FILED, NOW, NOW, signed, body, OTHER_SECRET, SECRET);
        add(all, "at the edge", ID + " false " + FILED, NOW, NOW + 300, signed, body, SECRET);
        add(all, "newer kind", ID + " false other a_newer_kind", NOW, NOW, signature(SECRET, ID, NOW, newer), newer, SECRET);
        String test = "{\"id\":\"%s\",\"timestamp\":\"2026-11-21T09:30:00.000Z\",\"event\":\"test\",\"data\":{}}".formatted(ID);
        add(all, "test", ID + " false other test", NOW, NOW, signature(SECRET, ID, NOW, test), test, SECRET);
        add(all, "late", "time", NOW, NOW + 301, signed, body, SECRET);
        add(all, "early", "time", NOW, NOW - 301, signed, body, SECRET);
        add(all, "tampered body", "signature", NOW, NOW, signed, body.replace("claimant", "respondent"), SECRET);
        add(all, "tampered time", "signature", NOW + 1, NOW, signed, body, SECRET);
        add(all, "tampered id", "signature", NOW, NOW, signed, body, SECRET);
        all.getJsonObject(all.size() - 1).getJsonObject("headers").put("webhook-id", "another");
        add(all, "other secret", "signature", NOW, NOW, signed, body, OTHER_SECRET);
        add(all, "other version", "signature", NOW, NOW, signed.replace("v1,", "v2,"), body, SECRET);
        add(all, "no base64", "signature", NOW, NOW, "v1,*** v1, v1", body, SECRET);
        add(all, "too many", "signature", NOW, NOW, "v1,AAAA ".repeat(100) + signed, body, SECRET);
        add(all, "no signature", "headers", NOW, NOW, "", body, SECRET);
        add(all, "no id", "headers", NOW, NOW, signed, body, SECRET);
        all.getJsonObject(all.size() - 1).getJsonObject("headers").remove("webhook-id");
        add(all, "no time", "headers", NOW, NOW, signed, body, SECRET);
        all.getJsonObject(all.size() - 1).getJsonObject("headers").put("webhook-timestamp", "soon");
        for (String none : List.of("no event", "[]", "null", "{\"event\":\"docket_filing\"}")) {
            add(all, "body " + none, "body", NOW, NOW, signature(SECRET, ID, NOW, none), none, SECRET);
        }
        add(all, "no secret", "secret: true", NOW, NOW, signed, body, "whsec_***");
        add(all, "no prefix", "secret: true", NOW, NOW, signed, body, SECRET.substring("whsec_".length()));
        return all;
    }

    private void add(JsonArray all, String name, String expected, long timestamp, long now, String signatures, String body, String... secrets) {
        webhooks.put(name, expected);
        all.add(new JsonObject().put("name", name).put("now", now).put("secrets", new JsonArray(List.of(secrets)))
                .put("body", Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8)))
                .put("headers", new JsonObject().put("webhook-id", ID).put("webhook-timestamp", Long.toString(timestamp)).put("webhook-signature", signatures)));
    }

    private static String signature(String secret, String id, long timestamp, String body) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal("%s.%d.%s".formatted(id, timestamp, body).getBytes(StandardCharsets.UTF_8)));
    }

    /** Compares what the program printed, what came to the proxy, and what the platform has, with what should be. */
    void assertHeld(String output) throws IOException, GeneralSecurityException {
        Map<String, List<String>> seen = new LinkedHashMap<>();
        output.lines().filter(line -> line.contains(": ")).forEach(line ->
                seen.computeIfAbsent(line.substring(0, line.indexOf(": ")), name -> new ArrayList<>()).add(line.substring(line.indexOf(": ") + 2)));

        assertThat(seen.get("signed in")).as(output).containsExactly("20 answers, stored 1");
        assertThat(proxy.count(Fault.NONE, "sign-in", "/auth/authenticate/demo")).as("exchanges of 20 calls at once").isEqualTo(1);
        assertThat(seen.get("renewed")).as(output).containsExactly("20 answers, stored 3");
        assertThat(proxy.count(Fault.REFUSE, "renew", "/auth/sessions/refresh")).as("one for the first token, one after it was refused to 20 calls").isEqualTo(2);
        assertThat(proxy.count(Fault.NONE, "aging", "/auth/sessions/refresh")).as("one an hour, in its last minute").isEqualTo(3);
        assertThat(seen.get("ended")).as(output).hasSize(2).allMatch(line -> line.startsWith("ended 401 session.invalid-refresh-token known=true"));
        assertThat(proxy.count(Fault.NONE, "ended", "/auth/sessions/refresh")).as("asked no more").isEqualTo(1);
        assertThat(seen.get("tokens shown")).as(output).containsExactly("false");
        assertThat(seen.get("stored")).as(output).containsExactly("failed, answered, offered 2");
        assertThat(proxy.count(Fault.NONE, "store", "/auth/sessions/refresh")).as("offered again, not renewed").isEqualTo(1);
        assertThat(seen.get("events")).as(output).containsExactly("true in order true");
        assertThat(seen.get("machine").getFirst()).as(output).startsWith("refused 401 invalid_client known=false");

        assertThat(seen.get("lost")).as(output).containsExactly("answered");
        assertThat(proxy.count(Fault.LOSE, "answers", "/cases/cases/create")).isEqualTo(2);
        assertThat(platform.rows("select 1 from cases.cases where title = ?", title)).as("cases made by both attempts").hasSize(1);
        assertThat(seen.get("without key")).as(output).containsExactly("failed");
        assertThat(proxy.count(Fault.LOSE, "no-key", "/pdfs/templates/fill")).as("not repeated").isEqualTo(1);
        assertThat(seen.get("busy")).as(output).containsExactly("answered");
        assertThat(proxy.count(Fault.BUSY, "list", "/cases/cases/list")).isEqualTo(2);

        assertThat(seen.get("unreached")).as(output).containsExactly("answered");

        assertThat(seen.get("limited")).as(output).containsExactly("20 answers");
        assertThat(seen.get("refused")).as(output).containsExactly("refused 429 rate.limited known=true 'Too many requests.' retry=true request=true");
        String later = "refused 429 rate.limited known=true 'by the proxy' retry=true request=false";
        assertThat(seen.get("later")).as(output).containsExactly(later);
        assertThat(proxy.count(Fault.LATER, "hour", "/cases/cases/list")).as("an hour is not waited for").isEqualTo(1);
        assertThat(seen.get("refused page")).as(output).containsExactly(later);
        assertThat(seen.get("loop")).as(output).containsExactly("repeated cursor");
        assertThat(proxy.count(Fault.LOOP, "cases", "/cases/cases/list")).isEqualTo(2);

        webhooks.forEach((name, expected) -> assertThat(seen.get("webhook " + name)).as("webhook %s in %s", name, output).containsExactly(expected));

        String upload = seen.get("upload").getFirst();
        assertThat(upload).endsWith(", rises true, pieces true, ends with all true");
        JsonObject stored = platform.post("/api/evidence/uploads/view", new JsonObject().put("caseID", caseId).put("uploadID", upload.replaceAll(",.*", "")),
                claimant().token()).object();
        assertThat(stored.getString("fileName")).isEqualTo("größer.txt");
        assertThat(stored.getString("description")).isEqualTo("Large 開庭通知");
        assertThat(stored.getString("sha256")).isEqualTo(sha256(large));
        // A program whose memory cannot be bounded from outside says itself how much it held of the file.
        assertThat(seen.getOrDefault("held", List.of("a part"))).as(output).containsExactly("a part");
        assertThat(seen.get("upload again")).as(output).containsExactly("answered, told 2 times");
        assertThat(seen.get("no file")).as(output).containsExactly("failed");
        assertThat(seen.get("refused file").getFirst()).as(output).startsWith("refused 404 case.not-found known=true 'case not found'");
        assertThat(seen.get("newer code")).as(output).containsExactly("true");
    }

    private static String sha256(Path file) throws IOException, GeneralSecurityException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (var in = Files.newInputStream(file)) {
            byte[] piece = new byte[64 * 1024];
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                digest.update(piece, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
