package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Uploads and downloads of files of filings against a bare server that hashes the same bytes and writes them to the same disk with
 * the same flush. The files are PDFs of one scanned page, and each is looked through before it is taken. Then docket lists with and
 * without sealed entries.
 */
@Command(name = "files", description = "Uploads and downloads of files of filings against a bare server that hashes and writes the same bytes; docket lists with sealed entries against those without.",
        mixinStandardHelpOptions = true)
final class FilesBench extends TransferBench {

    /** A filing carries twenty files. */
    private static final int FILES_OF_FILING = 20;
    private static final Duration SEARCHED_WAIT = Duration.ofSeconds(60);
    private static final List<String> OBJECTS = List.of("1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n", "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n",
            "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</I 4 0 R>>>>>>endobj\n");

    @Option(names = "--without-lists", description = "Leaves the docket lists out.")
    private boolean withoutLists;

    @Option(names = "--without-transfers", description = "Leaves uploads and downloads out.")
    private boolean withoutTransfers;

    private List<String> filings = List.of();

    @Override
    String upload() {
        return "/api/filings/files/upload";
    }

    @Override
    String download() {
        return "/api/filings/files/download";
    }

    /** The file up to the bytes of its picture, which nobody has to understand: a JPEG is handed on as it is. */
    private static String head(Size size) {
        return "%PDF-1.7\n" + String.join("", OBJECTS) + ("4 0 obj<</Type/XObject/Subtype/Image/Width 2480/Height 3508/ColorSpace/DeviceRGB"
                + "/BitsPerComponent 8/Filter/DCTDecode/Length %d>>stream\n").formatted(size.bytes());
    }

    private static String tail(Size size) {
        String head = head(size);
        StringBuilder table = new StringBuilder("\nendstream endobj\n");
        long at = head.length() + size.bytes() + table.length();
        table.append("xref\n0 5\n0000000000 65535 f \n");
        for (int number = 1; number <= 4; number++) {
            table.append("%010d 00000 n \n".formatted(head.indexOf(number + " 0 obj")));
        }
        return table.append("trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n".formatted(at)).toString();
    }

    @Override
    List<byte[]> beginnings(URI server, OpenCase open, Size size) {
        String authorization = "Authorization: Bearer " + open.claimant().token() + "\r\nContent-Type: application/json\r\n";
        byte[] draft = new JsonObject().put("caseID", open.id()).put("documentID", "letterToTribunal").put("fields", new JsonObject()).encode().getBytes(StandardCharsets.UTF_8);
        List<String> made = new ArrayList<>();
        withdrawAll(server, open, authorization);
        try (FileClient client = new FileClient(server)) {
            for (int file = 0; file < size.files(); file += FILES_OF_FILING) {
                made.add(new JsonObject(client.send("/api/filings/create", authorization, draft, new byte[0], 0, new byte[0])).getString("filingID"));
            }
        }
        filings = List.copyOf(made);
        List<byte[]> beginnings = new ArrayList<>();
        for (int file = 0; file < size.files(); file++) {
            beginnings.add(("--%1$s\r\nContent-Disposition: form-data; name=\"caseID\"\r\n\r\n%2$s\r\n--%1$s\r\nContent-Disposition: form-data; name=\"filingID\"\r\n\r\n%3$s\r\n"
                    + "--%1$s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"scan.pdf\"\r\nContent-Type: application/pdf\r\n\r\n%4$s")
                    .formatted(BOUNDARY, open.id(), filing(file), head(size)).getBytes(StandardCharsets.US_ASCII));
        }
        return beginnings;
    }

    /** A party has a bounded number of drafts: those of the round before go. */
    private void withdrawAll(URI server, OpenCase open, String authorization) {
        try (FileClient client = new FileClient(server)) {
            filings.forEach(filing -> client.send("/api/filings/documents/withdraw", authorization,
                    new JsonObject().put("caseID", open.id()).put("filingID", filing).encode().getBytes(StandardCharsets.UTF_8), new byte[0], 0, new byte[0]));
        }
        filings = List.of();
    }

    private String filing(int file) {
        return filings.get(file / FILES_OF_FILING);
    }

    @Override
    byte[] end(Size size) {
        return (tail(size) + "\r\n--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    long fileBytes(Size size) {
        return head(size).length() + size.bytes() + tail(size).length();
    }

    @Override
    JsonObject named(OpenCase open, int file, JsonObject uploaded) {
        return new JsonObject().put("caseID", open.id()).put("filingID", filing(file)).put("fileID", uploaded.getString("fileID"));
    }

    @Override
    String barePathUp() {
        return "/hash/";
    }

    @Override
    String barePathDown() {
        return "/proved/";
    }

    @Override
    boolean withoutTransfers() {
        return withoutTransfers;
    }

    @Override
    boolean recordsFiles() {
        return true;
    }

    /** All files are read for the search. */
    @Override
    void settle(BenchSite site) {
        long end = System.nanoTime() + SEARCHED_WAIT.toNanos();
        try (BenchDatabase database = BenchDatabase.open(site.database())) {
            while (database.number("select count(*) from search.sources where wanted > coalesce(indexed, 0)") > 0) {
                if (System.nanoTime() > end) {
                    throw new BenchFailed("the search has not read all files within %s".formatted(SEARCHED_WAIT));
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    @Override
    void more(BenchSite site, BenchOptions chosen, BenchPeople people, ServerProcess server) {
        if (!withoutLists) {
            new SealedListsBench(site, chosen, people).run(server);
        }
    }

    @Override
    double ratioMin() {
        return 0.8;
    }
}
