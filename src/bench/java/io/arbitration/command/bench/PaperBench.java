package io.arbitration.command.bench;

import io.arbitration.platform.browser.BrowserSettings;
import io.arbitration.platform.browser.Chromium;
import io.arbitration.platform.browser.Pages;
import io.arbitration.platform.outbound.AddressRules;
import io.arbitration.platform.outbound.Cidr;
import io.arbitration.platform.outbound.EgressProxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Filled forms, as {@link PdfBench} alone measures them. Then captures of a simple page, 800 by 600, against launching a browser for each, and against puppeteer-core on the same
 * binary, each in a context of its own, after its load and 100 ms of quiet, two at a time. Processor time is that of this
 * process and everything it started, the page's server included. Then many captures in a row, and what they leave.
 */
@Command(name = "paper", description = "Filled forms against PDFBox; captures of web pages against a browser for each and puppeteer-core.", mixinStandardHelpOptions = true)
final class PaperBench implements Callable<Integer> {

    private static final int WIDTH = 800;
    private static final int HEIGHT = 600;
    private static final int AT_ONCE = 2;
    private static final double PER_SECOND = 6;
    private static final double P50_MILLIS = 150;
    private static final double P99_MILLIS = 500;
    /** As a node has it unless it is set otherwise. */
    private static final int PAGES_MAX = 500;
    private static final double CPU_SECONDS = 0.25;
    private static final double TIMES_LAUNCHING = 5;
    private static final double TIMES_PUPPETEER = 1.3;
    private static final long MEGABYTE = 1 << 20;
    private static final Duration PROGRAM_LIMIT = Duration.ofMinutes(2);
    private static final String PAGE = """
            <!doctype html><title>Cranes for sale</title><style>body{font:16px sans-serif;margin:40px;background:#f4f4f0}h1{color:#803010}
            table{border-collapse:collapse}td{border:1px solid #999;padding:6px 14px}</style><h1>Cranes for sale</h1><img src="/logo.svg" width="120">
            <p>The finest cranes, made by the makers of the <b>Liftwell</b> mark since 1921.</p><table><tr><td>Model<td>Load<td>Price</tr>
            <tr><td>LW 12<td>12 t<td>€ 240,000<tr><td>LW 40<td>40 t<td>€ 910,000</table>""";
    private static final String LOGO = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 60"><rect width="120" height="60" fill="#803010"/><circle cx="60" cy="30" r="20" fill="#fff"/></svg>""";
    /** Options for node: browser, address, seconds to warm up and to measure, pages at once. Prints the milliseconds of each page. */
    private static final String PUPPETEER = """
            const puppeteer = require('puppeteer-core');
            const [binary, url, warm, seconds, atOnce] = process.argv.slice(2);
            (async () => {
              const args = process.getuid() === 0 ? ['--no-sandbox'] : [];
              const browser = await puppeteer.launch({executablePath: binary, args, pipe: true, headless: binary.endsWith('shell') ? 'shell' : true});
              const capture = async () => {
                const context = await browser.createBrowserContext();
                const page = await context.newPage();
                await page.setViewport({width: 800, height: 600});
                await page.goto(url, {waitUntil: 'load'});
                await page.waitForNetworkIdle({idleTime: 100});
                await page.screenshot({optimizeForSpeed: true});
                await context.close();
              };
              const until = async s => {
                const end = Date.now() + s * 1000, taken = [];
                await Promise.all(Array.from({length: Number(atOnce)}, async () => {
                  while (Date.now() < end) { const begin = process.hrtime.bigint(); await capture(); taken.push(Number(process.hrtime.bigint() - begin) / 1e6); }
                }));
                return taken;
              };
              await until(Number(warm));
              const fs = require('fs');
              const cpu = () => { // of node, and of all that came from it
                const stats = new Map();
                for (const pid of fs.readdirSync('/proc').filter(name => /^[0-9]+$/.test(name))) {
                  try { const stat = fs.readFileSync('/proc/' + pid + '/stat', 'latin1'); const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
                    stats.set(Number(pid), {parent: Number(rest[1]), ticks: [11, 12, 13, 14].reduce((sum, i) => sum + Number(rest[i]), 0)}); } catch (ended) { }
                }
                let ticks = 0;
                for (const [pid, stat] of stats) {
                  for (let at = pid; at && stats.has(at); at = stats.get(at).parent) if (at === process.pid) { ticks += stat.ticks; break; }
                }
                return ticks / 100;
              };
              const before = cpu();
              const taken = await until(Number(seconds));
              console.log([(cpu() - before) / taken.length, ...taken].join(' '));
              await browser.close();
            })().catch(failed => { console.error(failed); process.exit(1); });
            """;

    @Mixin
    private BenchOptions options;

    @Option(names = "--captures", defaultValue = "500", description = "Captures in a row at the end (${DEFAULT-VALUE}).")
    private int captures;

    /** What one way did in all rounds. */
    private static final class Way {
        private final Rounds rounds = new Rounds();
        private double cpuSeconds;
        private long answers;

        void add(Load load, double cpu) {
            rounds.add(load);
            cpuSeconds += cpu;
            answers += load.answers();
        }

        double cpuSecondsEach() {
            return cpuSeconds / answers;
        }
    }

    /** Something that takes one picture, and blocks until it is there. */
    private interface Capture {
        void take() throws IOException;
    }

    @Override
    public Integer call() throws IOException {
        new PdfBench(options).call();
        Path shell = Chromium.find(Optional.empty()).orElseThrow(() -> new BenchFailed("there is no Chromium (Debian: apt install chromium-headless-shell)"));
        Optional<Path> full = Programs.find("chromium");
        Path folder = Files.createTempDirectory("acp-bench-");
        Vertx vertx = Vertx.vertx();
        try {
            String url = "http://127.0.0.1:%d/".formatted(site(vertx).actualPort());
            // The time of a browser that is replaced counts with nobody.
            Pages pages = pages(vertx, shell, folder, Integer.MAX_VALUE);
            Map<String, Way> ways = new LinkedHashMap<>();
            Report.progress("warming up");
            load(() -> picture(pages, url), AT_ONCE, options.warmUp());
            for (int round = 1; round <= options.rounds(); round++) {
                Report.progress("round %d of %d".formatted(round, options.rounds()));
                measure(ways, "this platform, two at once", () -> picture(pages, url), AT_ONCE);
                measure(ways, "this platform, one at once", () -> picture(pages, url), 1);
                measure(ways, "launching " + shell.getFileName(), () -> launch(shell, url, folder), AT_ONCE);
                full.filter(binary -> !binary.equals(shell)).ifPresent(binary ->
                        measure(ways, "launching " + binary.getFileName(), () -> launch(binary, url, folder), AT_ONCE));
                puppeteer(ways, shell, url);
            }
            await(pages.close());
            report(ways, shell, full);
            inARow(vertx, shell, url, folder);
            return 0;
        } finally {
            await(vertx.close());
            remove(folder);
        }
    }

    private static HttpServer site(Vertx vertx) {
        return await(vertx.createHttpServer().requestHandler(request -> {
            boolean logo = request.path().equals("/logo.svg");
            request.response().putHeader("Content-Type", logo ? "image/svg+xml" : "text/html; charset=utf-8").end(logo ? LOGO : PAGE);
        }).listen(0, "127.0.0.1"));
    }

    private static Pages pages(Vertx vertx, Path binary, Path folder, int pagesMax) {
        EgressProxy egress = new EgressProxy(vertx, new AddressRules(List.of(Cidr.parse("127.0.0.1")), () -> 0), List.of(), new EgressProxy.Bounds(128, 64 * MEGABYTE));
        return Pages.open(vertx, new BrowserSettings(Optional.of(binary.toString()), folder.resolve("profiles"), AT_ONCE, 32, Duration.ofSeconds(15), pagesMax,
                768 * MEGABYTE, 1536 * MEGABYTE, 64 * MEGABYTE, 128, true), egress, new SimpleMeterRegistry());
    }

    private static void picture(Pages pages, String url) {
        await(pages.picture(new Object(), url, WIDTH, HEIGHT));
    }

    private static void launch(Path binary, String url, Path folder) throws IOException {
        Path profile = Files.createTempDirectory(folder, "launch-");
        try {
            Programs.run(List.of(binary.toString(), "--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=%d,%d".formatted(WIDTH, HEIGHT),
                    "--user-data-dir=" + profile, "--screenshot=" + profile.resolve("page.png"), url), Map.of(), PROGRAM_LIMIT);
            if (!Files.exists(profile.resolve("page.png"))) {
                throw new BenchFailed(binary + " made no picture");
            }
        } finally {
            remove(profile);
        }
    }

    private void measure(Map<String, Way> ways, String name, Capture capture, int atOnce) {
        double before = ProcessFamily.cpuSeconds();
        Load load = load(capture, atOnce, options.phase()).faultless(name);
        ways.computeIfAbsent(name, unknown -> new Way()).add(load, ProcessFamily.cpuSeconds() - before);
    }

    private static Load load(Capture capture, int atOnce, Duration duration) {
        List<Long> nanos = new ArrayList<>();
        long begin = System.nanoTime();
        List<Thread> threads = Stream.generate(() -> Thread.ofPlatform().start(() -> {
            while (System.nanoTime() - begin < duration.toNanos()) {
                long start = System.nanoTime();
                try {
                    capture.take();
                } catch (IOException failed) {
                    throw new BenchFailed("a page was not captured: " + failed.getMessage(), failed);
                }
                synchronized (nanos) {
                    nanos.add(System.nanoTime() - start);
                }
            }
        })).limit(atOnce).toList();
        threads.forEach(PaperBench::join);
        return Load.of(nanos.stream().mapToLong(Long::longValue).toArray(), 0, 0, (System.nanoTime() - begin) / 1e9);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    private void puppeteer(Map<String, Way> ways, Path binary, String url) throws IOException {
        Optional<Path> node = Programs.find("node");
        if (node.isEmpty()) {
            return;
        }
        Path script = Files.createTempFile("acp-bench-", ".cjs");
        try {
            Files.writeString(script, PUPPETEER);
            double[] printed = Stream.of(Programs.run(List.of(node.get().toString(), script.toString(), binary.toString(), url, "2",
                    BenchOptions.wholeSeconds(options.phase()), String.valueOf(AT_ONCE)), Map.of(), PROGRAM_LIMIT).strip().split(" ")).mapToDouble(Double::parseDouble).toArray();
            long[] nanos = java.util.Arrays.stream(printed).skip(1).mapToLong(millis -> (long) (millis * 1e6)).toArray();
            // The time that two loops took together, halved.
            double seconds = java.util.Arrays.stream(nanos).sum() / 1e9 / AT_ONCE;
            ways.computeIfAbsent("puppeteer-core, two at once", unknown -> new Way()).add(Load.of(nanos, 0, 0, seconds), printed[0] * nanos.length);
        } catch (BenchFailed notThere) {
            Report.progress("puppeteer-core was left out; node does not find it (npm install puppeteer-core, and NODE_PATH to its node_modules), or: "
                    + notThere.getMessage().lines().limit(6).toList());
        } finally {
            Files.delete(script);
        }
    }

    private static void report(Map<String, Way> ways, Path shell, Optional<Path> full) {
        Report.title("Captures of a simple page, %d by %d, by %s", WIDTH, HEIGHT, shell);
        Report.line("%-38s %12s %10s %10s %12s", "", "captures/s", "p50 ms", "p99 ms", "CPU s each");
        ways.forEach((name, way) -> Report.line("%-38s %12.2f %10.1f %10.1f %12.3f", name, way.rounds.perSecond(), way.rounds.p50Millis(), way.rounds.p99Millis(),
                way.cpuSecondsEach()));
        Way two = ways.get("this platform, two at once");
        Report.target("captures a second", two.rounds.perSecond(), "≥", PER_SECOND, "");
        Way one = ways.get("this platform, one at once");
        Report.target("p50, one at once", one.rounds.p50Millis(), "≤", P50_MILLIS, "ms");
        Report.target("p99, one at once", one.rounds.p99Millis(), "≤", P99_MILLIS, "ms");
        Report.target("CPU seconds each", two.cpuSecondsEach(), "≤", CPU_SECONDS, "s");
        full.map(binary -> ways.get("launching " + binary.getFileName())).ifPresent(launching ->
                Report.target("ratio to launching the full browser", two.rounds.ratio(launching.rounds), "≥", TIMES_LAUNCHING, "×"));
        Optional.ofNullable(ways.get("puppeteer-core, two at once")).ifPresent(puppeteer -> {
            Report.target("ratio to puppeteer-core", two.rounds.ratio(puppeteer.rounds), "≥", TIMES_PUPPETEER, "× (%.2f–%.2f)".formatted(
                    two.rounds.ratioLeast(puppeteer.rounds), two.rounds.ratioMost(puppeteer.rounds)));
            Report.target("CPU of each, ratio to puppeteer-core", two.cpuSecondsEach() / puppeteer.cpuSecondsEach(), "≤", 1, "×");
        });
    }

    private void inARow(Vertx vertx, Path binary, String url, Path folder) throws IOException {
        int count = options.quick ? 20 : captures;
        Report.title("%d captures in a row, two at a time", count);
        Pages pages = pages(vertx, binary, folder, PAGES_MAX);
        int step = Math.max(1, count / 5);
        Report.line("%10s %12s %22s %14s", "captures", "processes", "browser's own MB", "heap MB");
        for (int done = 0; done < count; done += step) {
            List<Future<?>> both = new ArrayList<>();
            for (int i = 0; i < step; i++) {
                both.add(pages.picture(new Object(), url, WIDTH, HEIGHT));
                if (both.size() == AT_ONCE || i == step - 1) {
                    await(Future.join(both));
                    both.clear();
                }
            }
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            Report.line("%10d %12d %22.0f %14.1f", done + step, ProcessFamily.children(), ProcessFamily.childrenMegabytes(),
                    (runtime.totalMemory() - runtime.freeMemory()) / (double) MEGABYTE);
        }
        await(pages.close());
        try (Stream<Path> files = Files.walk(folder.resolve("profiles"))) {
            Report.line("left: %d processes, %d files", ProcessFamily.children(), files.count() - 1);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
