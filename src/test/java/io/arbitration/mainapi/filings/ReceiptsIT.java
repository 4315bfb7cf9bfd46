package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.OpenCase;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.command.ArbitrationCommand;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReceiptsIT {

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);

    @TempDir
    private Path folder;
    private Path keys;

    @BeforeEach
    void saveKeys() throws IOException {
        keys = Files.writeString(folder.resolve("keys.json"), platform.get("/auth/.well-known/jwks.json").body());
    }

    private Answer receiptOf(String filingId, RunningPlatform.Person by) {
        return open.on("/api/filings/receipt", by, new JsonObject().put("filingID", filingId));
    }

    private String submitted(String documentId) {
        String filing = open.draft(open.claimant(), documentId);
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        return filing;
    }

    private Path saved(String receipt) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "receipt", ".jws"), receipt);
    }

    private int verify(Path receipt, String... more) {
        return ArbitrationCommand.execute(java.util.stream.Stream.concat(
                java.util.stream.Stream.of("verify-receipt", receipt.toString(), "--keys", keys.toString()),
                java.util.stream.Stream.of(more)).toArray(String[]::new));
    }

    private static JsonObject part(String receipt, int index) {
        return new JsonObject(new String(Base64.getUrlDecoder().decode(receipt.split("\\.")[index]), StandardCharsets.UTF_8));
    }

    @Test
    void aReceiptStatesTheFilingAndItsDocketEntryAndVerifiesOffline() throws IOException {
        String filing = submitted(OpenCase.UNAPPROVED_DOCUMENT);
        String receipt = receiptOf(filing, open.claimant()).object().getString("receipt");

        JsonObject header = part(receipt, 0);
        assertThat(header.getString("alg")).isEqualTo("ES256");
        assertThat(header.getString("typ")).isEqualTo("filing-receipt+jws");
        JsonObject view = open.view(open.claimant(), filing);
        JsonObject entry = open.on("/api/docket/entries/view", open.claimant(), new JsonObject().put("entryID", view.getString("entryID"))).object();
        JsonObject payload = part(receipt, 1);
        assertThat(payload.fieldNames()).containsExactlyInAnyOrder("iss", "filingID", "caseID", "documentID", "contentHash", "files", "submittedAt",
                "issuedAt", "entryID", "number", "entryHash");
        assertThat(payload.getString("filingID")).isEqualTo(filing);
        assertThat(payload.getString("caseID")).isEqualTo(open.caseId());
        assertThat(payload.getString("submittedAt")).isEqualTo(view.getString("submittedAt"));
        assertThat(payload.getString("entryHash")).isEqualTo(entry.getString("hash"));
        assertThat(payload.getInteger("number")).isEqualTo(entry.getInteger("number"));

        Path filed = Files.writeString(folder.resolve("filing.json"), view.encode());
        assertThat(verify(saved(receipt), "--filing", filed.toString())).isZero();
        assertThat(verify(saved(new JsonObject().put("receipt", receipt).encode()))).isZero();
    }

    @Test
    void theContentHashIsThatOfTheCanonicalFiling() {
        String receipt = receiptOf(submitted(OpenCase.APPROVED_DOCUMENT), open.claimant()).object().getString("receipt");
        // Written out by hand, so that nothing of the platform computes what it is compared with.
        String canonical = "{\"documentID\":\"letterToTribunal\",\"fields\":{\"body\":\"We are available in May.\",\"subject\":\"Availability\"},"
                + "\"parentEntryID\":null,\"supersedes\":null,\"title\":\"Letter to the tribunal\"}";
        assertThat(part(receipt, 1).getString("contentHash")).isEqualTo(sha256(canonical));
        assertThat(part(receipt, 1).fieldNames()).doesNotContain("entryID", "number", "entryHash");
    }

    @Test
    void aReceiptOfOtherContentIsToldApart() throws IOException {
        String filing = submitted(OpenCase.APPROVED_DOCUMENT);
        String receipt = receiptOf(filing, open.claimant()).object().getString("receipt");
        JsonObject changed = open.view(open.claimant(), filing).put("title", "Another title");
        assertThat(verify(saved(receipt), "--filing", Files.writeString(folder.resolve("changed.json"), changed.encode()).toString())).isEqualTo(1);
    }

    @Test
    void onlyASubmittedFilingHasAReceiptAndOnlyForThoseWhoSeeIt() {
        String draft = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        Answer early = receiptOf(draft, open.claimant());
        assertThat(early.status()).isEqualTo(409);
        assertThat(early.header("Error-Code")).isEqualTo("filing.not-submitted");
        assertThat(receiptOf(draft, open.respondent()).status()).isEqualTo(404);
        assertThat(receiptOf(draft, open.outsider()).status()).isEqualTo(403);
        assertThat(receiptOf("nothing", open.claimant()).sentence()).isEqualTo("document not found");

        open.document("submit", open.claimant(), draft);
        assertThat(receiptOf(draft, open.manager()).status()).isEqualTo(200);
        assertThat(receiptOf(draft, open.respondent()).status()).isEqualTo(404);

        open.reject(open.manager(), draft, "Please name the contract.");
        assertThat(receiptOf(draft, open.claimant()).status()).isEqualTo(200);
        open.update(open.claimant(), draft, new JsonObject().put("title", "Changed since"));
        assertThat(receiptOf(draft, open.claimant()).status()).isEqualTo(409);
    }

    @Test
    void whatWasChangedOrSignedByAnotherOrIsNoReceiptDoesNotVerify() throws IOException {
        String receipt = receiptOf(submitted(OpenCase.APPROVED_DOCUMENT), open.claimant()).object().getString("receipt");
        String[] parts = receipt.split("\\.");
        String forged = Base64.getUrlEncoder().withoutPadding().encodeToString(
                part(receipt, 1).put("submittedAt", "2020-01-01T00:00:00.000Z").encode().getBytes(StandardCharsets.UTF_8));
        String unsigned = Base64.getUrlEncoder().withoutPadding().encodeToString(
                part(receipt, 0).put("alg", "none").encode().getBytes(StandardCharsets.UTF_8));
        for (String bad : List.of(parts[0] + "." + forged + "." + parts[2], unsigned + "." + parts[1] + ".", "nonsense", "",
                parts[0] + "." + parts[1] + "." + parts[2].substring(2), open.claimant().token())) {
            assertThat(verify(saved(bad))).as(bad).isEqualTo(1);
        }
        Path noKeys = Files.writeString(folder.resolve("none.json"), "{\"keys\":[]}");
        assertThat(ArbitrationCommand.execute("verify-receipt", saved(receipt).toString(), "--keys", noKeys.toString())).isEqualTo(1);
        assertThat(ArbitrationCommand.execute("verify-receipt", folder.resolve("missing").toString())).isEqualTo(1);
    }

    @Test
    void aReceiptIsNoAccessToken() {
        String receipt = receiptOf(submitted(OpenCase.APPROVED_DOCUMENT), open.claimant()).object().getString("receipt");
        assertThat(platform.post("/auth/users/me", (JsonObject) null, receipt).status()).isEqualTo(401);
    }

    @Test
    void theGuidesNodeSnippetVerifies() throws Exception {
        assumeTrue(OtherRuntimes.runs("node", "--version"), "skipped: no node here");
        snippetTellsTrueFromFalse("js", "snippet.mjs", "node");
    }

    @Test
    void theGuidesPythonSnippetVerifies() throws Exception {
        Optional<Path> python = OtherRuntimes.python("jwcrypto==1.5.6");
        assumeTrue(python.isPresent(), "no python3 with jwcrypto");
        snippetTellsTrueFromFalse("python", "snippet.py", python.get().toString());
    }

    private void snippetTellsTrueFromFalse(String language, String name, String runtime) throws Exception {
        String guide = Files.readString(Path.of("docs/guides/verify-a-receipt.md"));
        String code = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(guide).results().findFirst().orElseThrow().group(1);
        Path snippet = Files.writeString(folder.resolve(name), code);
        String receipt = receiptOf(submitted(OpenCase.APPROVED_DOCUMENT), open.claimant()).object().getString("receipt");
        assertThat(OtherRuntimes.runs(runtime, snippet.toString(), saved(receipt).toString(), keys.toString())).isTrue();
        int payload = receipt.indexOf('.') + 5;
        String changed = receipt.substring(0, payload) + (receipt.charAt(payload) == 'A' ? 'B' : 'A') + receipt.substring(payload + 1);
        assertThat(OtherRuntimes.runs(runtime, snippet.toString(), saved(changed).toString(), keys.toString())).isFalse();
        assertThat(OtherRuntimes.runs(runtime, snippet.toString(), saved(open.claimant().token()).toString(), keys.toString())).isFalse();
    }

    private static String sha256(String text) {
        try {
            return java.util.HexFormat.of().formatHex(java.security.MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
