package io.arbitration.mainapi.evidence;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.TestFolders;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A file that is larger than the heap goes up and down, and out in the export of its case. How large, with which heap: {@code -Dlarge.megabytes=2048 -Dlarge.heap=256}. */
class LargeFileIT {

    private static final long BYTES = Long.getLong("large.megabytes", 300) * 1024 * 1024;
    private static final long PICTURE_BYTES = BYTES - 4096;
    private static final int HEAP_MEGABYTES = Integer.getInteger("large.heap", 128);

    /** Bounds that fit such a heap. */
    private static final Map<String, String> SMALL = Map.ofEntries(entry("ACP_HTTP_CONNECTIONS_MAX", "500"), entry("ACP_HTTP_BODIES_BYTES_MAX", "1048576"),
            entry("ACP_DOCKET_CACHE_BYTES_MAX", "1048576"), entry("ACP_EVIDENCE_TRANSFERS_MAX", "4"), entry("ACP_EXPORT_BYTES_MAX", "17825792"),
            entry("ACP_PDFS_TEMPLATES_BYTES_MAX", "8388608"), entry("ACP_WEBHOOKS_IN_FLIGHT", "64"), entry("ACP_PUSH_IN_FLIGHT", "64"),
            entry("ACP_HTTP_ANSWERS_BYTES_MAX", "1048576"), entry("ACP_DATABASE_POOL_CONNECTIONS", "4"), entry("ACP_HTTP_STREAMS_MAX", "100"),
            entry("ACP_LIVE_STREAMS_MAX", "100"), entry("ACP_RATE_LIMIT_KEYS_MAX", "100"), entry("ACP_IDENTITY_REMEMBERED_MAX", "100"),
            entry("ACP_IDENTITY_REVOCATIONS_MAX", "1000"));

    private static Path folder;
    private static PlatformProcess process;

    @BeforeAll
    static void start() throws Exception {
        folder = TestFolders.create("large-");
        process = PlatformProcess.start(folder, SMALL, HEAP_MEGABYTES);
    }

    @AfterAll
    static void stop() {
        process.close();
    }

    /** What one test has stored is not on the disk while the other one stores. */
    @AfterEach
    void deleteFiles() throws IOException {
        Files.deleteIfExists(folder.resolve("export.zip"));
        try (var files = Files.walk(folder.resolve("objects"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    /** So many random bytes behind the start of a PDF. */
    private static InputStream file() {
        return new SequenceInputStream(new ByteArrayInputStream("%PDF-1.7\n".getBytes(StandardCharsets.US_ASCII)), random(BYTES - 9));
    }

    private static InputStream random(long bytes) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        byte[] block = new byte[1 << 20];
        random.nextBytes(block);
        InputStream rest = new InputStream() {
            private long left = bytes;

            @Override
            public int read() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int read(byte[] into, int from, int length) {
                if (left == 0) {
                    return -1;
                }
                int at = (int) (left % (block.length - 1));
                int count = (int) Math.min(Math.min(length, left), block.length - at);
                System.arraycopy(block, at, into, from, count);
                left -= count;
                return count;
            }
        };
        return rest;
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aFileLargerThanTheHeapGoesUpAndDownAndOutWithItsCase() throws Exception {
        OpenCase open = OpenCase.on(process.platform());
        String before = new String(Form.of(open.caseId(), "contract", "").bytes(), StandardCharsets.UTF_8).replace("--" + Form.BOUNDARY + "--\r\n", "")
                + "--" + Form.BOUNDARY + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\nContent-Type: application/pdf\r\n\r\n";
        String after = "\r\n--" + Form.BOUNDARY + "--\r\n";
        MessageDigest sent = MessageDigest.getInstance("SHA-256");
        long start = System.nanoTime();
        Answer answer = process.platform().post(Form.PATH, HttpRequest.BodyPublishers.ofInputStream(() -> new SequenceInputStream(
                Collections.enumeration(List.of(bytes(before), new DigestInputStream(file(), sent), bytes(after))))), Form.CONTENT_TYPE, open.claimant().token());
        double up = (System.nanoTime() - start) / 1e9;
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        String hash = HexFormat.of().formatHex(sent.digest());
        JsonObject named = new JsonObject().put("uploadID", answer.object().getString("uploadID"));
        JsonObject view = open.on("/api/evidence/uploads/view", open.claimant(), named).object();
        assertThat(view.getLong("bytes")).isEqualTo(BYTES);
        assertThat(view.getString("sha256")).isEqualTo(hash);

        MessageDigest received = MessageDigest.getInstance("SHA-256");
        start = System.nanoTime();
        assertThat(download(process, open, "/api/evidence/uploads/download", named, received)).isEqualTo(BYTES);
        double down = (System.nanoTime() - start) / 1e9;
        assertThat(HexFormat.of().formatHex(received.digest())).isEqualTo(hash);
        start = System.nanoTime();
        assertThat(exported(process, open, folder.resolve("export.zip"))).isEqualTo(hash);
        double out = (System.nanoTime() - start) / 1e9;
        System.out.printf("%d MB through a heap of %d MB: up in %.1f s, down in %.1f s, exported and looked at in %.1f s%n", BYTES >> 20, HEAP_MEGABYTES, up, down, out);
    }

    /** The hash of the largest file in the export of a case, which must be whole. */
    private static String exported(PlatformProcess process, OpenCase open, Path to) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(process.platform().url() + "/cases/cases/export"))
                .header("Authorization", "Bearer " + open.claimant().token()).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(new JsonObject().put("caseID", open.caseId()).encode())).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(client.send(request, HttpResponse.BodyHandlers.ofFile(to)).statusCode()).isEqualTo(200);
        }
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (ZipFile zip = new ZipFile(to.toFile())) {
            ZipEntry largest = zip.stream().max(Comparator.comparingLong(ZipEntry::getSize)).orElseThrow();
            try (InputStream in = new DigestInputStream(zip.getInputStream(largest), digest)) {
                assertThat(in.transferTo(OutputStream.nullOutputStream())).isEqualTo(BYTES);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** One page whose picture has nearly so many bytes: a scan that nobody packed, which is not longer than a file of a filing may be. */
    private static List<InputStream> scan() {
        String head = "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
                + "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</I 4 0 R>>>>>>endobj\n"
                + "4 0 obj<</Type/XObject/Subtype/Image/Width 2480/Height 3508/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length %d>>stream\n".formatted(PICTURE_BYTES);
        StringBuilder tail = new StringBuilder("\nendstream endobj\n");
        long table = head.length() + PICTURE_BYTES + tail.length();
        tail.append("xref\n0 5\n0000000000 65535 f \n");
        for (int number = 1; number <= 4; number++) {
            tail.append("%010d 00000 n \n".formatted(head.indexOf(number + " 0 obj")));
        }
        tail.append("trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n".formatted(table));
        return List.of(bytes(head), random(PICTURE_BYTES), bytes(tail.toString()));
    }

    @Test
    void aFileOfAFilingLargerThanTheHeapIsLookedThroughAndGoesUpAndDown() throws Exception {
        OpenCase open = OpenCase.on(process.platform());
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        String before = new String(new Form().field("caseID", open.caseId()).field("filingID", filing).bytes(), StandardCharsets.UTF_8)
                .replace("--" + Form.BOUNDARY + "--\r\n", "")
                + "--" + Form.BOUNDARY + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"scan.pdf\"\r\nContent-Type: application/pdf\r\n\r\n";
        MessageDigest sent = MessageDigest.getInstance("SHA-256");
        long start = System.nanoTime();
        Answer answer = process.platform().post("/api/filings/files/upload", HttpRequest.BodyPublishers.ofInputStream(() -> new SequenceInputStream(
                Collections.enumeration(List.of(bytes(before), new DigestInputStream(new SequenceInputStream(Collections.enumeration(scan())), sent),
                        bytes("\r\n--" + Form.BOUNDARY + "--\r\n"))))), Form.CONTENT_TYPE, open.claimant().token());
        double up = (System.nanoTime() - start) / 1e9;
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        String hash = HexFormat.of().formatHex(sent.digest());
        assertThat(answer.object().getString("sha256")).isEqualTo(hash);
        assertThat(answer.object().getInteger("pages")).isEqualTo(1);
        MessageDigest received = MessageDigest.getInstance("SHA-256");
        start = System.nanoTime();
        JsonObject named = new JsonObject().put("filingID", filing).put("fileID", answer.object().getString("fileID"));
        assertThat(download(process, open, "/api/filings/files/download", named, received)).isEqualTo(answer.object().getLong("bytes"));
        double down = (System.nanoTime() - start) / 1e9;
        assertThat(HexFormat.of().formatHex(received.digest())).isEqualTo(hash);
        System.out.printf("a file of a filing, %d MB through a heap of %d MB: up in %.1f s, down in %.1f s%n", BYTES >> 20, HEAP_MEGABYTES, up, down);
    }

    private static long download(PlatformProcess process, OpenCase open, String path, JsonObject named, MessageDigest digest) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(process.platform().url() + path))
                .header("Authorization", "Bearer " + open.claimant().token()).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(named.put("caseID", open.caseId()).encode())).build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            byte[] buffer = new byte[1 << 18];
            long length = 0;
            try (InputStream in = response.body()) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    digest.update(buffer, 0, count);
                    length += count;
                }
            }
            return length;
        }
    }
}
