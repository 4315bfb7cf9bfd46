package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Exports of one large case: how long until the first byte, how long for all, and what heap they take. */
@Command(name = "export", description = "Exports of a case: first byte, whole, bytes a second, heap.", mixinStandardHelpOptions = true)
final class ExportBench implements Callable<Integer> {

    private static final Duration EXPORT_WAIT = Duration.ofMinutes(10);
    private static final String BOUNDARY = "bench-boundary";
    private static final byte[] END_OF_ZIP = {'P', 'K', 5, 6};
    private static final int END_BYTES = 22;
    private static final JsonObject FIELDS = new JsonObject().put("documentServed", "Statement of claim")
            .put("servedOn", "Respondent Cranes Ltd").put("serviceDate", "2026-05-04").put("signedBy", "Clara Claimant");

    @Mixin
    private BenchOptions options;

    @Option(names = "--entries", defaultValue = "1000", description = "Docket entries of the case (${DEFAULT-VALUE}).")
    private int entries;

    @Option(names = "--exhibits", defaultValue = "200", description = "Exhibits of the case (${DEFAULT-VALUE}).")
    private int exhibits;

    @Option(names = "--exhibit-kilobytes", defaultValue = "512", description = "Size of each (${DEFAULT-VALUE}).")
    private int exhibitKilobytes;

    /** One export. */
    private record Export(double firstByteSeconds, double seconds, long bytes) {}

    @Override
    public Integer call() {
        int ofEntries = options.quick ? Math.min(entries, 20) : entries;
        int ofExhibits = options.quick ? Math.min(exhibits, 5) : exhibits;
        try (BenchSite site = BenchSite.open(options.databaseText())) {
            OpenCase open;
            try (ServerProcess server = site.start(Map.of()); BenchPeople people = new BenchPeople(server.address(), site)) {
                open = fill(server.address(), people, ofEntries, ofExhibits);
            }
            int management = ServerProcess.freePort();
            // Another process than the one that took the case in: its first export finds nothing warm.
            try (ServerProcess server = site.start(Map.of("ACP_MANAGEMENT_PORT", String.valueOf(management)))) {
                measure(server, open, management, ofEntries, ofExhibits);
            }
        }
        return 0;
    }

    private OpenCase fill(URI server, BenchPeople people, int ofEntries, int ofExhibits) {
        Report.progress("preparing a case of %d entries and %d exhibits".formatted(ofEntries, ofExhibits));
        Person claimant = people.claimant(1);
        Person manager = people.signIn("manager@bench.example", "Maya", "Manager");
        OpenCase open = people.openCases(1, List.of(claimant), List.of(manager)).getFirst();
        people.all(ofEntries, i -> {
            String filingId = people.draft(open, "certificateOfService", "Certificate of service %04d: notice of the claim, by courier".formatted(i), FIELDS);
            people.post(BenchPeople.submit(open, filingId));
            return filingId;
        });
        byte[] content = new byte[exhibitKilobytes * 1024];
        new Random(1).nextBytes(content);
        try (HttpClient client = HttpClient.newHttpClient()) {
            IntStream.range(0, ofExhibits).forEach(i -> upload(client, server, open, i, content));
        }
        return open;
    }

    private static void upload(HttpClient client, URI server, OpenCase open, int number, byte[] content) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(content.length + 1024);
        Map.of("caseID", open.id(), "categoryID", "other", "description", "Exhibit " + number).forEach((name, value) -> body.writeBytes(
                "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n".formatted(BOUNDARY, name, value).getBytes(StandardCharsets.UTF_8)));
        body.writeBytes("--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"exhibit-%d.pdf\"\r\nContent-Type: application/pdf\r\n\r\n%%PDF-1.7\n"
                .formatted(BOUNDARY, number).getBytes(StandardCharsets.UTF_8));
        body.writeBytes(content);
        body.writeBytes("\r\n--%s--\r\n".formatted(BOUNDARY).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/api/evidence/uploads/create")).timeout(EXPORT_WAIT)
                .header("Authorization", "Bearer " + open.claimant().token())
                .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.toByteArray())).build();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new BenchFailed("an upload was answered %d: %s".formatted(answer.statusCode(), answer.body()));
            }
        } catch (IOException failed) {
            throw new BenchFailed("uploading failed: " + failed, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    private void measure(ServerProcess server, OpenCase open, int management, int ofEntries, int ofExhibits) {
        List<Export> all = new ArrayList<>();
        double cpu;
        double resident;
        try (HttpClient client = HttpClient.newHttpClient(); HeapWatch heap = new HeapWatch(management)) {
            Report.progress("the first export of the process");
            Export cold = export(client, server.address(), open);
            double before = server.cpuSeconds();
            for (int round = 1; round <= options.rounds(); round++) {
                Report.progress("export %d of %d".formatted(round, options.rounds()));
                all.add(export(client, server.address(), open));
            }
            cpu = (server.cpuSeconds() - before) / all.size();
            resident = server.residentMegabytes();
            double[] first = all.stream().mapToDouble(Export::firstByteSeconds).sorted().toArray();
            double[] whole = all.stream().mapToDouble(Export::seconds).sorted().toArray();
            double megabytes = all.getFirst().bytes() / 1e6;
            Report.title("Exports of a case of %d entries and %d exhibits of %d KB, for its case manager; %d exports, %d cores",
                    ofEntries, ofExhibits, exhibitKilobytes, all.size(), Runtime.getRuntime().availableProcessors());
            Report.target("first byte, first export of a process", cold.firstByteSeconds(), "≤", 1, "s (whole %.1f s)".formatted(cold.seconds()));
            Report.target("first byte, median", first[first.length / 2], "≤", 1, "s (most %.3f)".formatted(first[first.length - 1]));
            Report.line("%-40s %12.3f  s (most %.3f)", "whole, median", whole[whole.length / 2], whole[whole.length - 1]);
            Report.line("%-40s %12.1f  MB", "archive", megabytes);
            Report.line("%-40s %12.1f  MB/s", "speed", megabytes / whole[whole.length / 2]);
            Report.line("%-40s %12.2f  s", "server CPU, an export", cpu);
            Report.line("%-40s %12.0f  MB in use at most, %.0f committed; RSS %.0f", "heap", heap.usedMegabytesMax(), heap.committedMegabytesMax(), resident);
        }
    }

    private static Export export(HttpClient client, URI server, OpenCase open) {
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/cases/cases/export")).timeout(EXPORT_WAIT)
                .header("Authorization", "Bearer " + open.manager().token()).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(new JsonObject().put("caseID", open.id()).encode())).build();
        long begin = System.nanoTime();
        try {
            HttpResponse<InputStream> answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                byte[] buffer = new byte[256 * 1024];
                byte[] end = new byte[END_BYTES];
                int count = body.read(buffer);
                double firstByte = (System.nanoTime() - begin) / 1e9;
                if (answer.statusCode() != 200) {
                    throw new BenchFailed("an export was answered %d: %s".formatted(answer.statusCode(), new String(buffer, 0, Math.max(0, count), StandardCharsets.UTF_8)));
                }
                long bytes = 0;
                for (; count >= 0; count = body.read(buffer)) {
                    bytes += count;
                    int kept = Math.min(count, END_BYTES);
                    System.arraycopy(end, kept, end, 0, END_BYTES - kept);
                    System.arraycopy(buffer, count - kept, end, END_BYTES - kept, kept);
                }
                if (!Arrays.equals(end, 0, END_OF_ZIP.length, END_OF_ZIP, 0, END_OF_ZIP.length)) {
                    throw new BenchFailed("an export has no end");
                }
                return new Export(firstByte, (System.nanoTime() - begin) / 1e9, bytes);
            }
        } catch (IOException failed) {
            throw new BenchFailed("an export broke off: " + failed, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }
}
