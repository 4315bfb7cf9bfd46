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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A headless Chromium with a profile of its own, which is deleted with it. Starting and stopping it block a worker. */
public final class Chromium {

    /** The first is made for this purpose: it takes a third of the time and processor of the others. */
    private static final List<String> NAMES = List.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome");
    private static final Pattern PROFILE = Pattern.compile("chromium-([0-9]{1,10})-[0-9]+");
    private static final Duration START_WAIT = Duration.ofSeconds(20);
    private static final Duration STOP_WAIT = Duration.ofSeconds(5);
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long SHARED_MEMORY_BYTES_LEAST = 512L << 20;
    private static final int OUTPUT_LINES_MAX = 20;
    /**
     * The browser reads commands from descriptor 3 and answers on 4; its own output is read as error messages. In a session of
     * its own it does not get Ctrl-C from the terminal of the platform, and all its processes are found by that session.
     */
    private static final String SHELL = """
            exec 3<&0 4>&1 </dev/null >&2
            command -v setsid >/dev/null 2>&1 && exec setsid "$@"
            exec "$@"
            """;
    private static final Logger LOG = LoggerFactory.getLogger(Chromium.class);

    private record Started(Process process, Path profile, Optional<NetworkNamespace> namespace, Output output) {}

    private final Vertx vertx;
    private final Started started;
    private final DevTools devTools;

    private Chromium(Vertx vertx, Started started, DevTools devTools) {
        this.vertx = vertx;
        this.started = started;
        this.devTools = devTools;
    }

    /** The browser to use: the configured one, else the first of the usual ones on the path. */
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

    /** Starts a browser with its profile in the folder for temporary files; the rest as below. */
    public static Future<Chromium> launch(Vertx vertx, Path binary, List<String> moreFlags, Duration within) {
        return launch(vertx, binary, moreFlags, Path.of(System.getProperty("java.io.tmpdir")), false, within);
    }

    /**
     * Starts a browser.
     *
     * @param moreFlags in addition to those that prevent background activity
     * @param profiles folder that its profile is made in
     * @param ownNamespace whether it runs in a {@link NetworkNamespace}, which must be possible here
     * @param within time for each command to it
     * @return fails with {@link BrowserFailure} if it does not start
     */
    static Future<Chromium> launch(Vertx vertx, Path binary, List<String> moreFlags, Path profiles, boolean ownNamespace, Duration within) {
        return vertx.executeBlocking(() -> start(binary, moreFlags, profiles, ownNamespace), false).compose(started -> {
            Pipe pipe = new Pipe(started.process.getInputStream(), started.process.getOutputStream());
            DevTools devTools = DevTools.over(vertx, pipe, within);
            started.process.onExit().thenRun(devTools::died);
            return devTools.call("", "Browser.getVersion", new JsonObject(), START_WAIT)
                    .map(version -> new Chromium(vertx, started, devTools))
                    .recover(failed -> {
                        devTools.close();
                        return vertx.executeBlocking(() -> {
                            throw new BrowserFailure("%s did not start: %s".formatted(binary, why(started)));
                        }, false);
                    });
        });
    }

    private static Started start(Path binary, List<String> moreFlags, Path profiles, boolean ownNamespace) throws IOException {
        Path profile;
        Optional<NetworkNamespace> namespace;
        try {
            Files.createDirectories(profiles);
            profile = Files.createTempDirectory(profiles, "chromium-%d-".formatted(ProcessHandle.current().pid()));
            namespace = ownNamespace ? Optional.of(NetworkNamespace.of(profile)) : Optional.empty();
        } catch (IOException full) {
            throw new BrowserFailure("%s did not start: no folder for its profile in %s: %s".formatted(binary, profiles, full.getMessage()));
        }
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SHELL, "sh"));
        namespace.ifPresent(own -> command.addAll(own.before()));
        command.addAll(List.of(binary.toString(), "--headless", "--remote-debugging-pipe",
                "--user-data-dir=" + profile, "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
                "--disable-component-update", "--disable-default-apps", "--disable-domain-reliability", "--disable-extensions", "--disable-sync",
                "--metrics-recording-only", "--mute-audio", "--hide-scrollbars", "--password-store=basic"));
        if (isRoot()) {
            // Its sandbox does not work for root; Chromium would not start.
            command.add("--no-sandbox");
        }
        if (!isRoomyMemory()) {
            // Containers have 64 MB there unless configured otherwise, and a page without shared memory crashes.
            command.add("--disable-dev-shm-usage");
        }
        command.addAll(moreFlags);
        command.add("about:blank");
        try {
            Process process = new ProcessBuilder(command).start();
            return new Started(process, profile, namespace, Output.of(process));
        } catch (IOException failed) {
            remove(profile, namespace);
            throw new BrowserFailure("%s did not start: %s".formatted(binary, failed.getMessage()));
        }
    }

    /** The output of a browser that does not answer; it has ended afterwards. */
    private static String why(Started started) throws InterruptedException {
        boolean ended = started.process.waitFor(STOP_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        stop(started);
        return ended ? "it ended: " + started.output.printed() : "it did not answer within %d s".formatted(START_WAIT.toSeconds());
    }

    private static boolean isRoomyMemory() throws IOException {
        return Files.isDirectory(SHARED_MEMORY) && Files.getFileStore(SHARED_MEMORY).getUsableSpace() >= SHARED_MEMORY_BYTES_LEAST;
    }

    private static boolean isRoot() throws IOException {
        return Files.isDirectory(Path.of("/proc/self")) && Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    /** The error output of a browser, read to the end, so that the browser is never blocked by it. */
    private record Output(List<String> lines, Thread reader) {

        static Output of(Process process) {
            List<String> lines = new CopyOnWriteArrayList<>();
            return new Output(lines, Thread.ofPlatform().daemon().name("browser-output").start(() -> read(process, lines)));
        }

        private static void read(Process process, List<String> printed) {
            try (BufferedReader lines = process.errorReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (printed.size() < OUTPUT_LINES_MAX) {
                        printed.add(line);
                    }
                    LOG.debug("{}", line);
                }
            } catch (IOException ended) {
                LOG.debug("the browser's output ended: {}", ended.getMessage());
            }
        }

        String printed() throws InterruptedException {
            reader.join(STOP_WAIT);
            return String.join(" | ", lines);
        }
    }

    /** The connection to the browser, for commands and events that belong to no page. */
    public DevTools devTools() {
        return devTools;
    }

    /** A new page, in a context of its own: it shares no cookies, storage or workers with the others. */
    public Future<PageSession> open() {
        return devTools.call("Target.createBrowserContext", new JsonObject().put("disposeOnDetach", true))
                .compose(context -> devTools.call("Target.createTarget", new JsonObject().put("url", "about:blank")
                        .put("browserContextId", context.getString("browserContextId"))))
                .compose(target -> attach(target.getString("targetId")));
    }

    /** A session with a page or worker that is there already. */
    public Future<PageSession> attach(String targetId) {
        return devTools.call("Target.attachToTarget", new JsonObject().put("targetId", targetId).put("flatten", true))
                .map(attached -> new PageSession(devTools, targetId, attached.getString("sessionId")));
    }

    /** The network namespace, if the browser has one. */
    Optional<NetworkNamespace> namespace() {
        return started.namespace;
    }

    /** Whether its process is running. */
    public boolean isAlive() {
        return started.process.isAlive();
    }

    /** Ends it and all of its processes, and deletes its profile. */
    public Future<Void> close() {
        devTools.close();
        return vertx.executeBlocking(() -> {
            stop(started);
            return null;
        }, false);
    }

    /** All running processes of the browser, including its main process. */
    List<BrowserProcess> processes() {
        return BrowserProcess.ofSession(started.process.pid());
    }

    /** Its main process. */
    long pid() {
        return started.process.pid();
    }

    /**
     * The browser ends by itself when its pipe is closed; processes that remain after a while, or after the main process was
     * killed, are killed.
     */
    private static void stop(Started started) throws InterruptedException {
        started.process.waitFor(STOP_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        List<ProcessHandle> left = Stream.concat(BrowserProcess.ofSession(started.process.pid()).stream().map(BrowserProcess::handle).flatMap(Optional::stream),
                Stream.concat(started.process.descendants(), Stream.of(started.process.toHandle()))).distinct().toList();
        left.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle one : left) {
            try {
                one.onExit().get(STOP_WAIT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException late) {
                LOG.warn("the process {} of a browser that was killed is still there", one.pid());
            }
        }
        remove(started.profile, started.namespace);
    }

    private static void remove(Path profile, Optional<NetworkNamespace> namespace) {
        remove(profile);
        // It may be inside the profile.
        namespace.map(NetworkNamespace::folder).filter(Files::exists).ifPresent(Chromium::remove);
    }

    /** Deletes the profiles that a killed platform has left in a folder. */
    static void sweep(Path profiles) {
        if (!Files.isDirectory(profiles)) {
            return;
        }
        try (Stream<Path> all = Files.list(profiles)) {
            all.filter(Chromium::isAbandoned).forEach(Chromium::remove);
        } catch (IOException | UncheckedIOException unreadable) {
            LOG.warn("the folder {} cannot be swept: {}", profiles, unreadable.getMessage());
        }
    }

    /** In a container the platform has the same process ID after each start; its own profiles are created after sweeping. */
    private static boolean isAbandoned(Path profile) {
        Matcher name = PROFILE.matcher(profile.getFileName().toString());
        if (!name.matches()) {
            return false;
        }
        long owner = Long.parseLong(name.group(1));
        return owner == ProcessHandle.current().pid() || ProcessHandle.of(owner).isEmpty();
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
