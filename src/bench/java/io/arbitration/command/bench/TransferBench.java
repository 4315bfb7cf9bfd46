package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.OpenCase;
import io.arbitration.command.bench.BenchPeople.Person;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Uploads and downloads against a bare Vert.x server that copies the same bytes to and from a file, in a process of its own with
 * the same options, over loopback and the same client. What is uploaded, and what the bare server does with it, is said by each
 * benchmark.
 */
abstract class TransferBench implements Callable<Integer> {

    static final String BOUNDARY = "acp-bench-boundary";
    private static final String MULTIPART = "Content-Type: multipart/form-data; boundary=" + BOUNDARY + "\r\n";
    static final int MEGABYTE = 1024 * 1024;
    private static final int WARMED_WITHOUT_BARE = 5;

    @Mixin
    private BenchOptions options;

    @Option(names = "--megabytes", defaultValue = "128", description = "Size of a large file (${DEFAULT-VALUE}).")
    private int megabytes;

    @Option(names = "--connections", defaultValue = "2", description = "Transfers at once, at most 8 (${DEFAULT-VALUE}).")
    private int connections;

    private final byte[] block = new byte[MEGABYTE];

    /** What goes up and down in a phase: files of one size on some connections. */
    record Size(String name, long bytes, int files, int connections) {}

    /** The paths of the platform. */
    abstract String upload();

    abstract String download();

    /** What is before each file of a round, made anew for it. */
    abstract List<byte[]> beginnings(URI server, OpenCase open, Size size);

    /** What is behind each file. */
    abstract byte[] end(Size size);

    /** Bytes of a file. */
    abstract long fileBytes(Size size);

    /** What names a file that was uploaded. */
    abstract JsonObject named(OpenCase open, int file, JsonObject uploaded);

    /** What the platform is compared with: paths of the bare server for an upload and a download. */
    abstract String barePathUp();

    abstract String barePathDown();

    /** What uploads have to reach of the bare server. */
    abstract double ratioMin();

    /** What downloads have to reach of the bare server. */
    double downloadRatioMin() {
        return ratioMin();
    }

    /** Whether only what else is measured is wanted. */
    boolean withoutTransfers() {
        return false;
    }

    /** Whether the platform is also compared with a server that commits as many rows for a file. */
    boolean recordsFiles() {
        return false;
    }

    /** Waits for work that the platform does after it has answered an upload, so that it is not charged to what is measured next. */
    void settle(BenchSite site) {}

    /** What else is measured on the same site, when all transfers are done. */
    void more(BenchSite site, BenchOptions chosen, BenchPeople people, ServerProcess server) {}

    @Override
    public Integer call() throws IOException {
        new Random(1).nextBytes(block);
        Path folder = Files.createTempDirectory("acp-bench-bare-");
        int managementPort = ServerProcess.freePort();
        try (BenchSite site = BenchSite.open(options.databaseText());
                ServerProcess server = site.start(Map.of("ACP_MANAGEMENT_PORT", String.valueOf(managementPort)));
                BareProcess bare = withRows(site, folder);
                BenchPeople people = new BenchPeople(server.address(), site);
                HeapWatch heap = new HeapWatch(managementPort)) {
            if (!withoutTransfers()) {
                measure(site, people, server, bare, List.of(folder, site.evidence()));
                Report.title("Memory of the platform meanwhile");
                Report.line("%-40s %12.0f MB of %.0f committed; %d MB at most; RSS %.0f MB", "heap in use, garbage included, at most",
                        heap.usedMegabytesMax(), heap.committedMegabytesMax(), Runtime.getRuntime().maxMemory() / MEGABYTE, server.residentMegabytes());
            }
            more(site, options, people, server);
        } finally {
            BenchSite.delete(folder);
        }
        return 0;
    }

    private static BareProcess withRows(BenchSite site, Path folder) {
        try (BenchDatabase database = BenchDatabase.open(site.database())) {
            database.run("create schema if not exists bench");
            database.run("create table if not exists bench.kept (name text not null, kept timestamptz not null)");
            database.run("create table if not exists bench.pending (name text primary key, touched timestamptz not null)");
            database.run("""
                    create table if not exists bench.recorded (
                      id bigint generated always as identity primary key, name text not null, place integer not null, content text not null, recorded timestamptz not null)
                    """);
        }
        return BareProcess.start(folder, site.databaseText());
    }

    /** What was written goes again, so that nobody writes into more memory of the machine than the others do. */
    private static void deleteFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).filter(file -> !file.toString().endsWith(".log")).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new BenchFailed("cannot delete what was stored", failed);
        }
    }

    private void measure(BenchSite site, BenchPeople people, ServerProcess server, BareProcess bare, List<Path> folders) {
        Person manager = people.signIn("manager@bench.example", "Maya", "Manager");
        OpenCase open = people.openCases(1, List.of(people.claimant(0)), List.of(manager)).getFirst();
        long bytes = (options.quick ? 4L : megabytes) * MEGABYTE;
        List<Size> sizes = List.of(
                new Size("large", bytes, options.quick ? 2 : 8, connections),
                new Size("small", MEGABYTE, options.quick ? 4 : 200, Math.min(8, 4 * connections)));
        Report.progress("warming up for %d s".formatted(options.warmUp().toSeconds()));
        long end = System.nanoTime() + options.warmUp().toNanos();
        int warmed = 0;
        do {
            if (warmed++ % WARMED_WITHOUT_BARE == 0) {
                sizes.forEach(size -> new Compared(site, size, open, server, bare, folders).round());
            } else {
                // The platform has many times the code, most of which runs once for a file: the bare server is compiled after few rounds.
                new Compared(site, sizes.getLast(), open, server, bare, folders).platform(beginnings(server.address(), open, sizes.getLast()));
            }
        } while (System.nanoTime() < end);
        for (Size size : sizes) {
            Compared compared = new Compared(site, size, open, server, bare, folders);
            for (int round = 1; round <= options.rounds(); round++) {
                Report.progress("%s files, round %d of %d".formatted(size.name, round, options.rounds()));
                compared.round();
            }
            compared.report();
        }
    }

    /** The same transfers by everything compared. */
    private final class Compared {

        private final BenchSite site;
        private final Size size;
        private final OpenCase open;
        private final ServerProcess server;
        private final BareProcess bare;
        private final List<Path> folders;
        private final String head;
        private final byte[] after;
        private final Rounds bareUp = new Rounds();
        private final Rounds bareForced = new Rounds();
        private final Rounds bareKept = new Rounds();
        private final Rounds bareProved = new Rounds();
        private final Rounds bareRecorded = new Rounds();
        private final Rounds up = new Rounds();
        private final Rounds bareDown = new Rounds();
        private final Rounds kernelDown = new Rounds();
        private final Rounds down = new Rounds();

        Compared(BenchSite site, Size size, OpenCase open, ServerProcess server, BareProcess bare, List<Path> folders) {
            this.site = site;
            this.folders = folders;
            this.size = size;
            this.open = open;
            this.server = server;
            this.bare = bare;
            this.head = "Authorization: Bearer " + open.claimant().token() + "\r\n";
            this.after = end(size);
        }

        private long formBytes(byte[] before) {
            return before.length + size.bytes + after.length;
        }

        void round() {
            List<byte[]> before = beginnings(server.address(), open, size);
            bareUp.add(bare, () -> transfers(bare.address(), (client, i) -> client.send(barePathUp() + i, MULTIPART, before.get(i), block, size.bytes, after)));
            deleteFiles(folders.getFirst());
            if (!recordsFiles()) {
                bareForced.add(bare, () -> transfers(bare.address(), (client, i) -> client.send("/force/" + i, MULTIPART, before.get(i), block, size.bytes, after)));
                deleteFiles(folders.getFirst());
            }
            bareProved.add(bare, () -> transfers(bare.address(), (client, i) -> client.send("/prove/" + i, MULTIPART, before.get(i), block, size.bytes, after)));
            deleteFiles(folders.getFirst());
            if (recordsFiles()) {
                bareRecorded.add(bare, () -> transfers(bare.address(), (client, i) -> client.send("/record/" + i, MULTIPART, before.get(i), block, size.bytes, after)));
                deleteFiles(folders.getFirst());
            }
            bareKept.add(bare, () -> transfers(bare.address(), (client, i) -> client.send("/keep/" + i, MULTIPART, before.get(i), block, size.bytes, after)));
            // The bare server has stored the whole form: that much more, less than one in a thousand.
            bareDown.add(bare, () -> transfers(bare.address(), (client, i) -> client.fetch(barePathDown() + i, "", "", formBytes(before.get(i)))));
            kernelDown.add(bare, () -> transfers(bare.address(), (client, i) -> client.fetch("/kernel/" + i, "", "", formBytes(before.get(i)))));
            platform(before);
        }

        /** What the platform does of a round. */
        void platform(List<byte[]> before) {
            JsonObject[] uploads = new JsonObject[size.files];
            up.add(server, () -> transfers(server.address(), (client, i) -> uploads[i] = new JsonObject(
                    client.send(upload(), head + MULTIPART, before.get(i), block, size.bytes, after))));
            settle(site);
            down.add(server, () -> transfers(server.address(), (client, i) -> client.fetch(download(),
                    head + "Content-Type: application/json\r\n", named(open, i, uploads[i]).encode(), fileBytes(size))));
            settle(site);
            folders.forEach(TransferBench::deleteFiles);
        }

        /** All files, so many at once; an answer is a file. */
        private Load transfers(URI to, Transfer transfer) {
            long[] nanos = new long[size.files];
            AtomicInteger next = new AtomicInteger();
            long start = System.nanoTime();
            try (ExecutorService threads = Executors.newFixedThreadPool(size.connections)) {
                CompletableFuture.allOf(IntStream.range(0, size.connections).mapToObj(connection -> CompletableFuture.runAsync(() -> {
                    try (FileClient client = new FileClient(to)) {
                        for (int i = next.getAndIncrement(); i < size.files; i = next.getAndIncrement()) {
                            long begin = System.nanoTime();
                            transfer.run(client, i);
                            nanos[i] = System.nanoTime() - begin;
                        }
                    }
                }, threads)).toArray(CompletableFuture[]::new)).join();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return Load.of(nanos, 0, LongStream.of(nanos).count() * size.bytes, seconds);
        }

        void report() {
            Report.title("%s files: %d of %.0f MB a round, %d at once; %d rounds; %d cores", size.name, size.files,
                    (double) size.bytes / MEGABYTE, size.connections, options.rounds(), Runtime.getRuntime().availableProcessors());
            Report.line("%-40s %8s  %-22s %9s %9s %12s", "", "MB/s", "ratio (least–most)", "p50 ms", "p99 ms", "CPU s/GB");
            row("upload, bare server" + (barePathUp().equals("/store/") ? "" : ", hashed and forced"), bareUp, bareUp);
            if (!recordsFiles()) {
                row("upload, bare server, forced to disk", bareForced, bareUp);
            }
            row("upload, bare server, with name and row", bareKept, bareUp);
            row("upload, bare server, row and both hashes", bareProved, bareUp);
            if (recordsFiles()) {
                row("upload, bare server, the rows of a file", bareRecorded, bareUp);
            }
            row("upload, platform", up, bareUp);
            row("download, bare server" + (barePathDown().equals("/copy/") ? "" : ", hashed"), bareDown, bareDown);
            row("download, bare server, by the kernel", kernelDown, bareDown);
            row("download, platform", down, bareDown);
            Report.target("upload, ratio to name and row", up.ratio(bareKept), "≥", ratioMin(), "× the bare server");
            Report.line("%-46s %.2f × the bare server", "upload, ratio to name, row and both hashes", up.ratio(bareProved));
            if (recordsFiles()) {
                Report.target("upload, ratio to the rows of a file", up.ratio(bareRecorded), "≥", ratioMin(), "× the bare server");
            }
            if (recordsFiles() || size.name.equals("large")) {
                Report.target("upload, ratio", up.ratio(bareUp), "≥", ratioMin(), "× the bare server");
                Report.target("download, ratio", down.ratio(bareDown), "≥", downloadRatioMin(), "× the bare server");
            }
        }

        private void row(String name, Rounds rounds, Rounds reference) {
            double megabytes = (double) size.bytes / MEGABYTE;
            Report.line("%-40s %8.0f  %-22s %9.2f %9.2f %12.2f", name, rounds.perSecond() * megabytes,
                    "%.2f (%.2f–%.2f)".formatted(rounds.ratio(reference), rounds.ratioLeast(reference), rounds.ratioMost(reference)),
                    rounds.p50Millis(), rounds.p99Millis(),
                    rounds.cpuSecondsPerThousand() / 1000 / megabytes * 1024);
        }
    }

    @FunctionalInterface
    private interface Transfer {
        void run(FileClient client, int file);
    }
}
