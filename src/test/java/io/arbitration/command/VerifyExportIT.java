package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.arbitration.Exported;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.domain.docket.EntryHash;
import io.arbitration.mainapi.filings.Filed;
import io.arbitration.platform.archive.ZipWriter;
import io.arbitration.platform.reading.SamplePdfs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an export proves by itself, and what is told of one that somebody changed. */
class VerifyExportIT {

    private static final int FLIPS = 400;
    private static Exported exported;
    private static String published;
    private static ECKey ownKey;

    @TempDir
    private Path folder;

    @BeforeAll
    static void exportACase() throws Exception {
        RunningPlatform platform = RunningPlatform.shared();
        OpenCase open = OpenCase.on(platform);
        String first = open.docketed(new JsonObject().put("title", "First — 第一"));
        open.docketed(new JsonObject().put("supersedes", first));
        open.docketed(new JsonObject().put("parentEntryID", first));
        Filed filed = new Filed(open);
        String filing = open.draft(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
        filed.taken(open.claimant(), filing, "claim.pdf", SamplePdfs.saying("A claim."));
        filed.taken(open.claimant(), filing, "annex.pdf", SamplePdfs.saying("An annex."));
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        for (String name : List.of("a.txt", "b ünïcode.txt")) {
            assertThat(Form.of(open.caseId(), "other", "d").file(name, "text/plain", "Exhibit " + name.repeat(100)).post(platform, open.claimant().token())
                    .status()).isEqualTo(200);
        }
        exported = Exported.of(open, open.manager());
        published = platform.get("/auth/.well-known/jwks.json").body();
        ownKey = new ECKeyGenerator(Curve.P_256).keyID("own").generate();
    }

    private List<String> problems(byte[] zip) throws IOException {
        return problems(zip, published);
    }

    private List<String> problems(byte[] zip, String keys) throws IOException {
        ExportVerification verification = new ExportVerification(Optional.of(Files.writeString(folder.resolve("keys.json"), keys).toString()));
        verification.verify(Files.write(folder.resolve("export.zip"), zip));
        return verification.problems();
    }

    @Test
    void anExportAsThePlatformWroteItHolds() throws IOException {
        assertThat(problems(exported.zip())).isEmpty();
    }

    @Test
    void anExportWithASealedEntryAndARedactedFileHoldsForWhoMayNotSeeThem() throws Exception {
        OpenCase open = OpenCase.on(RunningPlatform.shared());
        String sealed = open.docketed(new JsonObject().put("title", "A protected witness"));
        JsonObject seal = new JsonObject().put("entryID", sealed).put("visibleTo", new JsonArray()).put("reason", "It names a protected witness.");
        assertThat(open.on("/api/docket/entries/seal", open.manager(), seal).status()).isEqualTo(200);
        Filed filed = new Filed(open);
        String filing = open.draft(open.claimant(), OpenCase.UNAPPROVED_DOCUMENT);
        filed.taken(open.claimant(), filing, "claim.pdf", SamplePdfs.saying("A claim."));
        String annex = filed.taken(open.claimant(), filing, "annex.pdf", SamplePdfs.saying("The witness is Nora of Hull.")).getString("fileID");
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        assertThat(new Form().field("caseID", open.caseId()).field("entryID", open.view(open.claimant(), filing).getString("entryID")).field("fileID", annex)
                .field("reason", "It names a protected witness.").file("annex.pdf", "application/pdf", SamplePdfs.saying("The witness is withheld."))
                .postTo(open.platform(), "/api/docket/entries/redact", open.manager().token()).status()).isEqualTo(200);

        ExportVerification verification = new ExportVerification(Optional.of(Files.writeString(folder.resolve("keys.json"), published).toString()));
        verification.verify(Files.write(folder.resolve("export.zip"), Exported.of(open, open.respondent()).zip()));
        assertThat(verification.problems()).isEmpty();
        assertThat(verification.docket().withheld()).isEqualTo(1);
        assertThat(verification.docket().redacted()).isEqualTo(1);
    }

    @Test
    void exitCodesTellWhatHoldsFromWhatDoesNotAndWhatCouldNotBeChecked() throws IOException {
        String keys = Files.writeString(folder.resolve("keys.json"), published).toString();
        String good = Files.write(folder.resolve("good.zip"), exported.zip()).toString();
        byte[] changed = exported.zip().clone();
        changed[200] ^= 1;
        String bad = Files.write(folder.resolve("bad.zip"), changed).toString();
        assertThat(ArbitrationCommand.execute("verify-export", good, "--keys", keys)).isZero();
        assertThat(ArbitrationCommand.execute("verify-export", bad, "--keys", keys)).isEqualTo(1);
        assertThat(ArbitrationCommand.execute("verify-export", good, "--keys", folder.resolve("none").toString())).isEqualTo(2);
        assertThat(ArbitrationCommand.execute("verify-export", folder.resolve("none.zip").toString(), "--keys", keys)).isEqualTo(2);
    }

    @Test
    void everyFlippedByteOfTheArchiveIsNoticed() throws IOException {
        Random random = new Random();
        long seed = random.nextLong();
        random.setSeed(seed);
        for (int i = 0; i < FLIPS; i++) {
            byte[] changed = exported.zip().clone();
            int at = random.nextInt(changed.length);
            changed[at] ^= (byte) (1 << random.nextInt(8));
            assertThat(problems(changed)).as("seed %d, byte %d", seed, at).isNotEmpty();
        }
    }

    @Test
    void everyFlippedByteOfAnyFileIsNoticedAndTheFileNamed() throws Exception {
        Random random = new Random();
        long seed = random.nextLong();
        random.setSeed(seed);
        List<String> paths = exported.files().keySet().stream().filter(path -> !path.startsWith("manifest")).toList();
        for (String path : paths) {
            byte[] content = exported.files().get(path).clone();
            int at = random.nextInt(content.length);
            content[at] ^= (byte) (1 << random.nextInt(8));
            assertThat(problems(zipped(files -> files.put(path, content)))).as("seed %d, %s, byte %d", seed, path, at)
                    .contains("altered: %s is not what manifest.json lists".formatted(path));
        }
    }

    @Test
    void aMissingAnExtraAndADoubleFileAreNamed() throws Exception {
        assertThat(problems(zipped(files -> files.remove("exhibits/C-1 a.txt")))).contains("missing: exhibits/C-1 a.txt");
        assertThat(problems(zipped(files -> files.remove("docket/entries/000002.pdf")))).contains("missing: docket/entries/000002.pdf");
        Map<String, byte[]> more = new LinkedHashMap<>();
        more.put("exhibits/C-9 planted.txt", new byte[] {1});
        exported.files().forEach(more::put);
        assertThat(problems(zip(more))).contains("extra: exhibits/C-9 planted.txt is not in manifest.json");
        assertThat(problems(doubled())).contains("extra: case.json is there twice");
        assertThat(problems(zipped(files -> files.remove("manifest.jws")))).containsExactly("missing: an export ends with manifest.json and manifest.jws");
    }

    @Test
    void anArchiveCutAnywhereIsNoExport() throws IOException {
        for (int length : new int[] {0, 10, exported.zip().length / 2, exported.zip().length - 1}) {
            assertThat(problems(java.util.Arrays.copyOf(exported.zip(), length))).singleElement().asString().startsWith("altered: it is no zip");
        }
    }

    @Test
    void whatAnotherKeySignedOrAnotherStatementSaysDoesNotPass() throws Exception {
        assertThat(problems(resealed(manifest -> { }))).anySatisfy(problem -> assertThat(problem).startsWith("signature: key own is not among"));
        byte[] receiptAsSignature = zipped(files -> files.put("manifest.jws", files.get("docket/entries/000001.receipt.jws")));
        assertThat(problems(receiptAsSignature)).anySatisfy(problem -> assertThat(problem).startsWith("signature: of type filing-receipt+jws"));
        assertThat(problems(zipped(files -> files.put("manifest.jws", "nonsense".getBytes(StandardCharsets.US_ASCII))), published))
                .anySatisfy(problem -> assertThat(problem).contains("not a signed statement"));
    }

    /** Somebody who has a signing key that the verifier trusts, but lies about what is inside. */
    @Test
    void aSignatureDoesNotExcuseABrokenChainOrAnIndexThatLies() throws Exception {
        assertThat(lying(files -> files.put("docket/entries/000002.json", entry(2).put("title", "Another").encode().getBytes(StandardCharsets.UTF_8))))
                .contains("chain broken at 2: the content of the entry does not have the hash that the entry states",
                        "docket/index.json: differs from entry 2 itself");
        JsonObject rehashed = entry(2).put("title", "Another");
        rehashed.put("contentHash", EntryHash.ofContent(rehashed.getMap()));
        rehashed.put("hash", EntryHash.of(rehashed.getMap()));
        assertThat(lying(files -> files.put("docket/entries/000002.json", rehashed.encode().getBytes(StandardCharsets.UTF_8))))
                .contains("chain broken at 3: it does not follow the entry before it", "docket/entries/000002.receipt.jws: is the receipt of another filing");
        assertThat(lying(files -> {
            List.of("json", "pdf", "receipt.jws").forEach(kind -> files.remove("docket/entries/000004." + kind));
            JsonObject index = exported.json("docket/index.json");
            index.getJsonArray("entries").remove(3);
            files.put("docket/index.json", index.encode().getBytes(StandardCharsets.UTF_8));
        })).contains("chain broken at 4: the docket has 4 entries");
        assertThat(lying(files -> files.put("exhibits/index.json", exported.text("exhibits/index.json").replace("C-2 b", "C-2 c").getBytes(StandardCharsets.UTF_8))))
                .contains("missing: exhibits/C-2 c ünïcode.txt, the exhibit C-2", "exhibits/index.json: does not name exhibits/C-2 b ünïcode.txt");
        String claim = "docket/files/000004-001 claim.pdf";
        String annex = "docket/files/000004-002 annex.pdf";
        assertThat(lying(files -> files.put(claim, SamplePdfs.saying("Another claim.")))).containsExactly("docket/index.json: the files of entry 4 are not those that were filed");
        assertThat(lying(files -> files.put("docket/index.json", exported.text("docket/index.json").replace(claim, "x").replace(annex, claim).replace("\"x\"", '"' + annex + '"')
                .getBytes(StandardCharsets.UTF_8)))).containsExactly("docket/index.json: the files of entry 4 are not those that were filed");
        assertThat(lying(files -> files.remove(annex))).contains("missing: %s, a file of docket entry 4".formatted(annex));
        assertThat(lying(files -> files.put("docket/files/000004-003 planted.pdf", new byte[] {1}))).containsExactly("docket/index.json: does not name docket/files/000004-003 planted.pdf");
        assertThat(lying(files -> files.put("audit.jsonl", "{}\n".getBytes(StandardCharsets.US_ASCII)))).anySatisfy(
                problem -> assertThat(problem).startsWith("audit.jsonl: has 1 lines"));
        assertThat(lying(files -> files.put("docket/index.json", "{\"entries\":[{]}".getBytes(StandardCharsets.US_ASCII))))
                .contains("docket/index.json: is not JSON");
    }

    @Test
    void pathsThatLeadElsewhereAreUnsafeAndNotPrintedRaw() throws Exception {
        for (String path : List.of("../evil.txt", "/etc/passwd", "a/../../b", "C:\\evil", "a//b", "a/./b", "x\u001b[31m", "dir/")) {
            Map<String, byte[]> more = new LinkedHashMap<>();
            more.put(path, new byte[] {1});
            exported.files().forEach(more::put);
            List<String> problems = problems(zip(more));
            assertThat(problems).as(path).anySatisfy(problem -> assertThat(problem).startsWith("unsafe: "));
            assertThat(problems).noneMatch(problem -> problem.chars().anyMatch(Character::isISOControl));
        }
    }

    @Test
    void aZipOfAnotherProgramIsNotTakenForTheOriginal() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : exported.files().entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
        assertThat(problems(out.toByteArray())).singleElement().asString().contains("not as the platform writes it");
    }

    @Test
    void bombsAndImpossibleCountsEndEarly() throws Exception {
        // A megabyte of zeros that the directory says to be ten bytes long.
        Map<String, byte[]> more = new LinkedHashMap<>();
        more.put("bomb", new byte[50_000_000]);
        exported.files().forEach(more::put);
        assertThat(problems(zip(more))).anySatisfy(problem -> assertThat(problem).startsWith("extra: bomb"));
        byte[] counts = exported.zip().clone();
        ByteBuffer.wrap(counts).order(ByteOrder.LITTLE_ENDIAN).putShort(counts.length - 12, (short) 65_000).putShort(counts.length - 14, (short) 65_000);
        assertThat(problems(counts)).singleElement().asString().contains("its end is not as the platform writes it");
        ByteBuffer.wrap(counts).order(ByteOrder.LITTLE_ENDIAN).putShort(counts.length - 12, (short) -1);
        assertThat(problems(counts)).singleElement().asString().contains("its end is not as the platform writes it");
    }

    private static JsonObject entry(int number) {
        return exported.json("docket/entries/%06d.json".formatted(number));
    }

    private List<String> lying(Consumer<Map<String, byte[]>> change) throws Exception {
        Map<String, byte[]> files = new LinkedHashMap<>(exported.files());
        change.accept(files);
        List<String> problems = problems(sealed(files, manifest -> { }), keysWithOwn());
        assertThat(problems).noneMatch(problem -> problem.startsWith("altered") || problem.startsWith("signature"));
        return problems;
    }

    private static String keysWithOwn() {
        JsonObject keys = new JsonObject(published);
        keys.getJsonArray("keys").add(new JsonObject(new JWKSet(ownKey).toPublicJWKSet().toString()).getJsonArray("keys").getJsonObject(0));
        return keys.encode();
    }

    private byte[] resealed(Consumer<JsonObject> change) throws Exception {
        return sealed(exported.files(), change);
    }

    /** Files with a manifest of their own, signed with the test's key. */
    private static byte[] sealed(Map<String, byte[]> files, Consumer<JsonObject> change) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipWriter zip = new ZipWriter(out, Instant.EPOCH)) {
            JsonObject manifest = exported.json("manifest.json");
            JsonArray list = new JsonArray();
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                if (!file.getKey().startsWith("manifest")) {
                    ZipWriter.Written written = zip.compressed(file.getKey(), to -> to.write(file.getValue()));
                    list.add(new JsonObject().put("path", written.path()).put("bytes", written.bytes()).put("sha256", written.sha256()));
                }
            }
            change.accept(manifest.put("files", list).put("archive", new JsonObject().put("bytes", zip.position()).put("sha256", zip.sha256())));
            ZipWriter.Written written = zip.stored("manifest.json", manifest.encode().getBytes(StandardCharsets.UTF_8));
            JWSObject signature = new JWSObject(
                    new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("own").type(new JOSEObjectType("case-export+jws")).build(),
                    new Payload(new JsonObject()
                            .put("iss", manifest.getString("iss")).put("caseID", manifest.getString("caseID"))
                            .put("exportedAt", manifest.getString("exportedAt")).put("userID", manifest.getJsonObject("exportedBy").getString("userID"))
                            .put("entries", manifest.getJsonObject("docket").getInteger("entries"))
                            .put("headHash", manifest.getJsonObject("docket").getString("headHash"))
                            .put("manifestBytes", written.bytes()).put("manifestHash", written.sha256()).encode()));
            signature.sign(new ECDSASigner(ownKey));
            zip.stored("manifest.jws", signature.serialize().getBytes(StandardCharsets.US_ASCII));
            zip.finish();
        }
        return out.toByteArray();
    }

    private static byte[] zipped(Consumer<Map<String, byte[]>> change) throws Exception {
        Map<String, byte[]> files = new LinkedHashMap<>(exported.files());
        change.accept(files);
        return zip(files);
    }

    private static byte[] doubled() throws Exception {
        return zip(Stream.concat(Stream.of(Map.entry("case.json", new byte[] {'{', '}'})), exported.files().entrySet().stream()).toList());
    }

    private static byte[] zip(Map<String, byte[]> files) throws Exception {
        return zip(List.copyOf(files.entrySet()));
    }

    /** Files in an archive as the platform's own writer would put them. */
    private static byte[] zip(List<Map.Entry<String, byte[]>> files) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipWriter zip = new ZipWriter(out, Instant.parse(exported.json("manifest.json").getString("exportedAt")))) {
            for (Map.Entry<String, byte[]> file : files) {
                if (file.getKey().startsWith("manifest")) {
                    zip.stored(file.getKey(), file.getValue());
                } else {
                    zip.compressed(file.getKey(), to -> to.write(file.getValue()));
                }
            }
            zip.finish();
        }
        return out.toByteArray();
    }
}
