package io.arbitration.platform.browser;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A headless Chromium with a profile of its own, which goes with it. Starting and stopping it wait on a worker. */
public final class Chromium {

    /** The first is made for this: a third of the time and processor of the others. */
    private static final List<String> NAMES = List.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome");
    private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final Duration START_WAIT = Duration.ofSeconds(20);
    private static final Duration STOP_WAIT = Duration.ofSeconds(5);
    private static final int OUTPUT_LINES_TOLD = 20;
    private static final Logger LOG = LoggerFactory.getLogger(Chromium.class);

    private record Started(Process process, Path profile, String url) {}

    private final Vertx vertx;
    private final Started started;
    private final DevTools devTools;

    private Chromium(Vertx vertx, Started started, DevTools devTools) {
        this.vertx = vertx;
        this.started = started;
        this.devTools = devTools;
    }

    /** The browser to use: the one that is configured, else the first of the usual ones on the path. */
    public static Optional<Path> find(Optional<String> configured) {
        if (configured.isPresent()) {
            return configured.map(Path::of).filter(Files::isExecutable);
        }
        List<String> folders = List.of(Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin").split(File.pathSeparator));
        return NAMES.stream()
                .flatMap(name -> folders.stream().filter(folder -> !folder.isBlank()).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts a browser.
     *
     * @param moreFlags beside those that keep it quiet and alone
     * @param within time for each command to it
     * @return fails with {@link BrowserFailure} when it does not start
     */
    public static Future<Chromium> launch(Vertx vertx, Path binary, List<String> moreFlags, Duration within) {
        return vertx.executeBlocking(() -> start(binary, moreFlags), false)
                .compose(started -> DevTools.connect(vertx, started.url, within)
                        .map(devTools -> new Chromium(vertx, started, devTools))
                        .recover(failed -> vertx.executeBlocking(() -> {
                            stop(started);
                            throw new BrowserFailure("the browser cannot be spoken to: " + failed.getMessage());
                        }, false)));
    }

    private static Started start(Path binary, List<String> moreFlags) throws IOException, InterruptedException {
        Path profile = Files.createTempDirectory("chromium-");
        List<String> command = new ArrayList<>(List.of(binary.toString(), "--headless", "--remote-debugging-port=0", "--user-data-dir=" + profile,
                "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
                "--disable-domain-reliability", "--disable-extensions", "--disable-sync", "--disable-dev-shm-usage", "--metrics-recording-only",
                "--mute-audio", "--hide-scrollbars", "--password-store=basic"));
        if (isRoot()) {
            // Its sandbox does not work for root; Chromium would not start.
            command.add("--no-sandbox");
        }
        command.addAll(moreFlags);
        command.add("about:blank");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CompletableFuture<String> url = new CompletableFuture<>();
        Thread.ofVirtual().name("chromium-output").start(() -> read(process, url));
        try {
            return new Started(process, profile, url.get(START_WAIT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException failed) {
            stop(new Started(process, profile, ""));
            throw new BrowserFailure("%s did not start: %s".formatted(binary,
                    failed instanceof TimeoutException ? "it said nothing within %d s".formatted(START_WAIT.toSeconds()) : failed.getCause().getMessage()));
        }
    }

    private static boolean isRoot() throws IOException {
        return Files.isDirectory(Path.of("/proc/self")) && Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    /** Reads to the end, so that the browser never waits for somebody to read what it says. */
    private static void read(Process process, CompletableFuture<String> url) {
        List<String> told = new ArrayList<>();
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher listening = LISTENING.matcher(line);
                if (listening.find()) {
                    url.complete(listening.group(1));
                }
                if (told.size() < OUTPUT_LINES_TOLD && !url.isDone()) {
                    told.add(line);
                }
                LOG.debug("{}", line);
            }
        } catch (IOException ended) {
            LOG.debug("the browser's output ended: {}", ended.getMessage());
        }
        url.completeExceptionally(new BrowserFailure("it ended: " + String.join(" | ", told)));
    }

    /** The connection to the browser, for commands and events that belong to no page. */
    public DevTools devTools() {
        return devTools;
    }

    /** A new page, in a context of its own: it shares no cookies, storage or workers with the others. */
    public Future<Tab> open() {
        return devTools.call("Target.createBrowserContext", new JsonObject().put("disposeOnDetach", true))
                .compose(context -> devTools.call("Target.createTarget", new JsonObject().put("url", "about:blank")
                        .put("browserContextId", context.getString("browserContextId"))))
                .compose(target -> attach(target.getString("targetId")));
    }

    /** A session with a page or worker that is there already. */
    public Future<Tab> attach(String targetId) {
        return devTools.call("Target.attachToTarget", new JsonObject().put("targetId", targetId).put("flatten", true))
                .map(attached -> new Tab(devTools, targetId, attached.getString("sessionId")));
    }

    /** Whether its process still runs. */
    public boolean isAlive() {
        return started.process.isAlive();
    }

    /** Ends it and all of its processes, and removes its profile. */
    public Future<Void> close() {
        return devTools.close().eventually(() -> vertx.executeBlocking(() -> {
            stop(started);
            return null;
        }, false));
    }

    /** The binary may be a script whose child is the browser. */
    private static void stop(Started started) throws InterruptedException {
        List<ProcessHandle> all = Stream.concat(started.process.descendants(), Stream.of(started.process.toHandle())).toList();
        all.forEach(ProcessHandle::destroy);
        long end = System.nanoTime() + STOP_WAIT.toNanos();
        for (ProcessHandle one : all) {
            try {
                one.onExit().get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException late) {
                one.destroyForcibly();
            }
        }
        remove(started.profile);
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException left) {
            LOG.warn("the profile {} of a browser that ended could not be removed: {}", folder, left.getMessage());
        }
    }
}
