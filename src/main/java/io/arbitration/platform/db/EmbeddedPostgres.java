package io.arbitration.platform.db;

import io.arbitration.platform.FreePort;
import io.arbitration.platform.StartFailure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetSocketAddress;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL 18 run by the platform itself, its data kept under the data folder. It stops with the platform; when the
 * platform was killed, the next start ends the server left behind and PostgreSQL recovers from its log. When the server alone
 * dies, it is started again at the same port, {@value #REVIVALS_MAX} times at most. Blocks.
 */
public final class EmbeddedPostgres implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);
    private static final Duration STOP_WAIT = Duration.ofSeconds(30);
    private static final long STOP_POLL_MILLIS = 10;
    private static final String USER = "postgres";
    private static final String PASSWORD_FILE = "postgres.password";
    private static final String NODE_USER = "platform_node";
    private static final String NODE_PASSWORD_FILE = "platform_node.password";

    private static final String DATA = "postgres";
    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("unix_socket_directories", ""),
            Map.entry("listen_addresses", "127.0.0.1"),
            Map.entry("timezone", "UTC"),
            Map.entry("fsync", "on"),
            Map.entry("synchronous_commit", "on"),
            Map.entry("full_page_writes", "on"),
            Map.entry("max_connections", "100"),
            Map.entry("shared_buffers", "128MB"),
            Map.entry("jit", "off"));
    /** A server that has lived for less when it dies waits before it is started again, longer each time, up to {@link #PAUSE_MAX}. */
    private static final Duration SETTLED = Duration.ofMinutes(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);
    /** Recovery writes new segments of the log, 16 MB each: on a full disk it fails again and again. */
    private static final long SPACE_BYTES = 64L << 20;
    private static final long ROOM_POLL_MILLIS = 1000;

    private final Path dataFolder;
    private final RandomAccessFile lockFile;
    private final String password;
    private PostgresServer server;
    private int deathsInARow;
    private long startedNanos = System.nanoTime();
    private boolean closed;

    private EmbeddedPostgres(Path dataFolder, PostgresServer server, RandomAccessFile lockFile, String password) {
        this.dataFolder = dataFolder;
        this.server = server;
        this.lockFile = lockFile;
        this.password = password;
    }

    /**
     * Starts the server, making its data at the first start.
     *
     * @param port 0 for any free port
     * @throws DataFolderInUse when another platform serves from the folder
     */
    public static EmbeddedPostgres start(Path dataFolder, int port) throws IOException {
        Files.createDirectories(dataFolder);
        RandomAccessFile lockFile = lock(dataFolder);
        try {
            Path data = dataFolder.toAbsolutePath().resolve(DATA);
            Path complete = dataFolder.toAbsolutePath().resolve("postgres.complete");
            endServerLeftBehind(data);
            if (!Files.exists(complete)) {
                // Without the mark the first start was cut off while making the data. Should the mark alone be lost, nothing else is.
                setAside(data);
            }
            if (port != 0) {
                checkFree(port);
            }
            String password = password(dataFolder, PASSWORD_FILE);
            PostgresServer server = launch(dataFolder, port == 0 ? FreePort.any() : port);
            if (!Files.exists(complete)) {
                Files.createFile(complete);
            }
            EmbeddedPostgres embedded = new EmbeddedPostgres(dataFolder, server, lockFile, password);
            embedded.watch();
            return embedded;
        } catch (IOException | RuntimeException failed) {
            lockFile.close();
            throw failed;
        }
    }

    private static PostgresServer launch(Path dataFolder, int port) throws IOException {
        Path data = dataFolder.toAbsolutePath().resolve(DATA);
        Path log = dataFolder.toAbsolutePath().resolve("postgres.log");
        PostgresPrograms programs = PostgresPrograms.in(programsFolder(dataFolder));
        if (!Files.exists(data.resolve("postgresql.conf"))) {
            PostgresServer.initialize(programs, data, USER, dataFolder.toAbsolutePath().resolve(PASSWORD_FILE), log);
        }
        return PostgresServer.start(programs, data, port, SETTINGS, log);
    }

    private void watch() {
        server.process().onExit().thenRunAsync(this::revive, task -> Thread.ofPlatform().name("database-revival").start(task));
    }

    /**
     * Starts the server again, as soon as its disk has room and as often as it takes. One that dies before it accepts connections
     * is tried again in the same way.
     */
    private synchronized void revive() {
        if (closed) {
            return;
        }
        int port = server.port();
        Path data = dataFolder.toAbsolutePath().resolve(DATA);
        LOG.warn("the embedded PostgreSQL died; starting it again");
        try {
            while (!closed) {
                deathsInARow = System.nanoTime() - startedNanos > SETTLED.toNanos() ? 0 : deathsInARow + 1;
                pause();
                awaitSpace();
                if (closed || startedAgain(data, port)) {
                    return;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            LOG.error("the embedded PostgreSQL is not started again: interrupted");
        }
    }

    private boolean startedAgain(Path data, int port) {
        try {
            endServerLeftBehind(data);
            startedNanos = System.nanoTime();
            server = launch(dataFolder, port);
            watch();
            return true;
        } catch (IOException | RuntimeException failed) {
            LOG.error("the embedded PostgreSQL did not start again; {}/postgres.log may say why", dataFolder, failed);
            return false;
        }
    }

    /** Gives the lock of this object back meanwhile, so that it can be closed. */
    private void pause() throws InterruptedException {
        if (deathsInARow > 1) {
            long millis = Math.min(PAUSE_MAX.toMillis(), 1000L << Math.min(deathsInARow - 2, 10));
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            for (long left = millis; left > 0 && !closed; left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
                wait(left);
            }
        }
    }

    private void awaitSpace() throws InterruptedException {
        boolean isLogged = false;
        while (!closed && dataFolder.toFile().getUsableSpace() < SPACE_BYTES) {
            if (!isLogged) {
                LOG.error("the embedded PostgreSQL is started again when {} has {} MB free", dataFolder, SPACE_BYTES >> 20);
                isLogged = true;
            }
            wait(ROOM_POLL_MILLIS);
        }
    }

    /** Where the server's programs are unpacked: a folder that only this user can write to, shared by all its data folders. */
    private static Path programsFolder(Path dataFolder) throws IOException {
        Path home = Path.of(System.getProperty("user.home", ""));
        Path folder = Files.isDirectory(home) && Files.isWritable(home)
                ? home.resolve(".cache/arbitration-platform")
                : dataFolder.toAbsolutePath().resolve("programs");
        return Files.createDirectories(folder);
    }

    /** A password of this data folder's server, made at the first start, in a file only its owner can read. */
    private static String password(Path dataFolder, String name) throws IOException {
        Path file = dataFolder.resolve(name);
        if (!Files.exists(file)) {
            byte[] random = new byte[32];
            new SecureRandom().nextBytes(random);
            Path fresh = Files.createTempFile(dataFolder, "postgres", ".password",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(fresh, HexFormat.of().formatHex(random));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return Files.readString(file);
    }

    private static RandomAccessFile lock(Path dataFolder) throws IOException {
        RandomAccessFile file = new RandomAccessFile(dataFolder.resolve("platform.lock").toFile(), "rw");
        try {
            FileLock lock = file.getChannel().tryLock();
            if (lock != null) {
                return file;
            }
        } catch (OverlappingFileLockException sameProcess) {
            LOG.debug("locked by this process", sameProcess);
        }
        file.close();
        throw new DataFolderInUse(dataFolder);
    }

    /**
     * The lock is ours, so a server on this data belongs to a platform that was killed. Its note of itself goes only when the
     * last of its processes has: PostgreSQL reads there whether somebody still writes to the data, and one that did under a
     * new server would ruin it.
     */
    private static void endServerLeftBehind(Path data) throws IOException {
        Path pidFile = data.resolve("postmaster.pid");
        if (!Files.exists(pidFile)) {
            return;
        }
        List<String> lines = Files.readAllLines(pidFile);
        Optional<ProcessHandle> left = lines.isEmpty() ? Optional.empty() : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
        // The number may have gone to another process since: only a postgres is ended.
        Optional<ProcessHandle> server = left.filter(EmbeddedPostgres::isPostgres);
        if (server.isPresent()) {
            LOG.info("ending the database server that a killed platform left behind, pid {}", server.get().pid());
            server.get().destroy();
            if (!areGone(List.of(server.get()))) {
                LOG.warn("the database server did not stop in {}; killing it, it recovers at its next start", STOP_WAIT);
                server.get().destroyForcibly();
            }
        }
        // Sessions outlive a server that was killed until they notice.
        List<ProcessHandle> sessions = ProcessHandle.allProcesses().filter(EmbeddedPostgres::isPostgres).filter(process -> worksIn(process, data)).toList();
        if (!areGone(sessions)) {
            throw new IOException("processes of the last database server still write to %s: %s".formatted(
                    data, sessions.stream().filter(ProcessHandle::isAlive).map(ProcessHandle::pid).toList()));
        }
        Files.deleteIfExists(pidFile);
    }

    private static boolean isPostgres(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("postgres");
    }

    /** Every process of a server works in its data folder. Where there is no proc file system nothing is known, and none found. */
    private static boolean worksIn(ProcessHandle process, Path data) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", String.valueOf(process.pid()), "cwd")).equals(data.toRealPath());
        } catch (IOException gone) {
            return false;
        }
    }

    /** Looks often: the JDK itself looks only every other second at processes that are not its children. */
    private static boolean areGone(List<ProcessHandle> processes) throws IOException {
        long deadline = System.nanoTime() + STOP_WAIT.toNanos();
        while (processes.stream().anyMatch(ProcessHandle::isAlive)) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(STOP_POLL_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException(interrupted);
            }
        }
        return true;
    }

    private static void setAside(Path data) throws IOException {
        if (Files.exists(data)) {
            Path aside = data.resolveSibling("postgres.unfinished-" + System.currentTimeMillis());
            LOG.warn("{} was not finished by the start that made it; it is kept as {}", data, aside);
            Files.move(data, aside);
        }
    }

    private static void checkFree(int port) {
        try {
            FreePort.check(new InetSocketAddress("127.0.0.1", port));
        } catch (IOException taken) {
            throw new StartFailure(StartFailure.FAILED, "database.embeddedPort: %d cannot be listened on: %s; 0 takes any free port"
                    .formatted(port, taken.getMessage()), taken);
        }
    }

    /** How its owner reaches it: the superuser, who migrates. */
    public synchronized DatabaseUrl url() {
        return url(server.port(), USER, password);
    }

    /**
     * How a node reaches it to work, under a role that owns nothing; the role and its rights are made where they are missing.
     *
     * @param migrated whether there may be tables that the role knows nothing of
     */
    public synchronized DatabaseUrl nodeUrl(boolean migrated) throws IOException {
        boolean isNew = !Files.exists(dataFolder.resolve(NODE_PASSWORD_FILE));
        String nodePassword = password(dataFolder, NODE_PASSWORD_FILE);
        try {
            if (isNew) {
                NodeRole.create(url(), NODE_USER, nodePassword);
            }
            if (isNew || migrated) {
                NodeRole.grant(url(), NODE_USER);
            }
        } catch (RuntimeException failed) {
            // The next start tries again.
            Files.deleteIfExists(dataFolder.resolve(NODE_PASSWORD_FILE));
            throw failed;
        }
        return url(server.port(), NODE_USER, nodePassword);
    }

    /** How to reach the server that a platform runs on this data folder and port, or is going to. */
    public static DatabaseUrl url(Path dataFolder, int port) throws IOException {
        return url(port, USER, password(Files.createDirectories(dataFolder), PASSWORD_FILE));
    }

    private static DatabaseUrl url(int port, String user, String password) {
        return new DatabaseUrl("127.0.0.1", port, "postgres", user, password, "disable", "");
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        notifyAll();
        try {
            server.stop();
        } finally {
            lockFile.close();
        }
    }
}
