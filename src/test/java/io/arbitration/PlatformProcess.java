package io.arbitration;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A platform as a process of its own, with its embedded database, that can be killed. */
public final class PlatformProcess implements AutoCloseable {

    private static final long START_SECONDS_MAX = 240;
    private static final Pattern ADDRESS = Pattern.compile("\\s+api\\s+(http://localhost:\\d+)/api");

    /** Of tests that failed: none outlives this process. */
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> RUNNING.forEach(Process::destroy)));
    }

    private final Path dataFolder;
    private final Process process;
    private final RunningPlatform platform;

    private PlatformProcess(Path dataFolder, Process process, RunningPlatform platform) {
        this.dataFolder = dataFolder;
        this.process = process;
        this.platform = platform;
    }

    /** Starts it in the demo profile on any free port and waits until it serves. */
    public static PlatformProcess start(Path dataFolder) throws IOException {
        return start(dataFolder, Map.of());
    }

    /** The same with more settings, as the environment would give them. */
    public static PlatformProcess start(Path dataFolder, Map<String, String> settings) throws IOException {
        return start(dataFolder, settings, PlatformProgram.USUAL_HEAP_MEGABYTES);
    }

    /** The same with so many megabytes of heap. */
    public static PlatformProcess start(Path dataFolder, Map<String, String> settings, int heapMegabytes) throws IOException {
        return start(dataFolder, settings, heapMegabytes, List.of());
    }

    /** The same with a command before that of Java, which gives way to it. */
    public static PlatformProcess start(Path dataFolder, Map<String, String> settings, int heapMegabytes, List<String> within) throws IOException {
        if (!settings.containsKey("ACP_DATABASE_URL")) {
            PreparedDatabase.into(dataFolder);
        }
        return begin(dataFolder, settings, within, PlatformProgram.command(heapMegabytes));
    }

    /** Starts it where there is no database yet: the platform makes it, as at its first start. */
    public static PlatformProcess startFromNothing(Path dataFolder) throws IOException {
        return begin(dataFolder, Map.of(), List.of(), PlatformProgram.command(PlatformProgram.USUAL_HEAP_MEGABYTES));
    }

    /** Another build of the platform: its jar, with libraries and configuration where {@code ./acp build} has them. */
    public static PlatformProcess startJar(Path jar, Path dataFolder, Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("ACP_HOME", jar.toAbsolutePath().getParent().getParent().toString());
        List<String> program = PlatformProgram.java(PlatformProgram.USUAL_HEAP_MEGABYTES);
        program.addAll(List.of("-jar", jar.toAbsolutePath().toString()));
        return begin(dataFolder, all, List.of(), program);
    }

    private static PlatformProcess begin(Path dataFolder, Map<String, String> settings, List<String> within, List<String> program) throws IOException {
        Files.createDirectories(dataFolder);
        List<String> command = new ArrayList<>(within);
        command.addAll(program);
        command.add("run");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("ACP_") || name.equals("JAVA_TOOL_OPTIONS"));
        builder.environment().putAll(Map.of("ACP_PROFILE", "demo", "ACP_HTTP_PORT", "0", "ACP_MANAGEMENT_PORT", "0",
                "ACP_DATA_FOLDER", dataFolder.toAbsolutePath().toString()));
        builder.environment().putAll(settings);
        Process process = builder.redirectError(ProcessBuilder.Redirect.appendTo(dataFolder.resolve("platform.log").toFile())).start();
        RUNNING.add(process);
        process.onExit().thenAccept(RUNNING::remove);
        CompletableFuture<String> address = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> read(process, address));
        try {
            return new PlatformProcess(dataFolder, process, RunningPlatform.at(address.orTimeout(START_SECONDS_MAX, TimeUnit.SECONDS).join()));
        } catch (RuntimeException failed) {
            process.destroyForcibly();
            throw new IllegalStateException("no start, its log ends with%n%s".formatted(logEnd(dataFolder.resolve("platform.log"))), failed);
        }
    }

    private static String logEnd(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    }

    private static void read(Process process, CompletableFuture<String> address) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = ADDRESS.matcher(line);
                if (matcher.matches()) {
                    address.complete(matcher.group(1));
                }
            }
            address.completeExceptionally(new IllegalStateException("it ended before it served"));
        } catch (IOException killed) {
            address.completeExceptionally(killed);
        }
    }

    public RunningPlatform platform() {
        return platform;
    }

    /** Kills the process as a power cut would, without a chance to put anything in order. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Waits for the process to be gone. */
    public void awaitEnd() {
        process.onExit().orTimeout(START_SECONDS_MAX, TimeUnit.SECONDS).join();
    }

    /** Its memory in RAM, in megabytes. */
    public double residentMegabytes() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/%d/status".formatted(process.pid())))) {
            return lines.filter(line -> line.startsWith("VmRSS:")).mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElseThrow() / 1024.0;
        }
    }

    /** Stops the process from running, as a pause of its machine would, until it is resumed. */
    public void suspend() throws IOException, InterruptedException {
        signal("STOP");
    }

    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException("kill -%s answered %d".formatted(name, exit));
        }
    }

    /** Starts another process on the database of this one, with the same keys. */
    public PlatformProcess sibling(Path siblingFolder, Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("ACP_DATABASE_URL", "postgresql://postgres:%s@127.0.0.1:%s/postgres?sslmode=disable".formatted(
                Files.readString(dataFolder.resolve("postgres.password")), postmasterFile().get(3).strip()));
        all.put("ACP_KEYS_KEYSET_FILE", dataFolder.toAbsolutePath().resolve("keys/keyset.json").toString());
        return start(siblingFolder, all);
    }

    /** Kills the database server the same way. */
    public void killDatabase() throws IOException {
        postmaster().destroyForcibly();
    }

    /** Kills one of the database's server processes, on which the server itself throws all others out and recovers. */
    public void killDatabaseSession() throws IOException, SQLException {
        try (Connection sql = sql(); var statement = sql.createStatement();
                var rows = statement.executeQuery("select pg_backend_pid()")) {
            rows.next();
            long session = rows.getLong(1);
            postmaster().children().filter(child -> child.pid() == session).forEach(ProcessHandle::destroyForcibly);
        }
    }

    private ProcessHandle postmaster() throws IOException {
        return ProcessHandle.of(Long.parseLong(postmasterFile().getFirst().strip())).orElseThrow();
    }

    /** PostgreSQL's own note on itself: process id in the first line, port in the fourth. */
    private List<String> postmasterFile() throws IOException {
        return Files.readAllLines(dataFolder.resolve("postgres/postmaster.pid"));
    }

    public Connection sql() throws SQLException, IOException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + postmasterFile().get(3).strip() + "/postgres", "postgres",
                Files.readString(dataFolder.resolve("postgres.password")));
    }

    /**
     * Ends what a process that was killed before holds of a queue, as if its time were over.
     *
     * @param started before this process: what it holds itself is held longer
     * @param lease how long one that claims an item holds it
     */
    public void endLeases(String queue, Instant started, Duration lease) {
        try (Connection sql = sql(); var ends = sql.prepareStatement("update platform.queue_items set due = now() where queue = ? and claim is not null and due < ?")) {
            ends.setString(1, queue);
            ends.setObject(2, started.plus(lease).atOffset(ZoneOffset.UTC));
            ends.executeUpdate();
        } catch (SQLException | IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Stops it in order. */
    @Override
    public void close() {
        process.destroy();
        if (!process.onExit().completeOnTimeout(null, START_SECONDS_MAX, TimeUnit.SECONDS).thenApply(ended -> ended != null).join()) {
            process.destroyForcibly();
            throw new IllegalStateException("it did not stop in %d s".formatted(START_SECONDS_MAX));
        }
    }
}
