package io.arbitration.platform.reading;

import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of a node that open files of strangers. One is started when it is needed, serves one task at a time, is used again while it
 * behaves, and ends when nothing was asked of it for a while. As many run at once as are asked at once: whoever asks bounds that.
 */
public final class ReadingProcesses implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReadingProcesses.class);
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofSeconds(10);
    /** What a process has gathered by then goes with it. */
    private static final int TASKS_MAX = 10_000;
    private static final long GRACE_MILLIS = 5000;

    private final Deque<Serving> idle = new ArrayDeque<>();
    private boolean closed;

    public ReadingProcesses(Vertx vertx) {
        vertx.setPeriodic(LOOK.toMillis(), timer -> endIdle());
    }

    private static final class Serving {

        private final Process process;
        private final BufferedReader answers;
        private final AtomicBoolean late = new AtomicBoolean();
        private long idleSince;
        private int tasks;

        Serving() throws IOException {
            ProcessBuilder builder = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx384m", "-Xss2m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError", "-Xlog:disable",
                    // PDFBox would find and start the log of the node, which takes 40 % of the start. What it says of a file is read by nobody.
                    "-Dorg.apache.commons.logging.LogFactory=org.apache.commons.logging.impl.LogFactoryImpl",
                    "-Dorg.apache.commons.logging.Log=org.apache.commons.logging.impl.NoOpLog",
                    "-Djava.awt.headless=true", "-cp", System.getProperty("java.class.path"), ReadingProcess.class.getName())
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            // The process reads files of strangers: it must not see the passwords and keys in the environment of the node.
            builder.environment().clear();
            process = builder.start();
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        }

        /** Null when the process has ended over it. */
        String serve(ReadingTask task, Duration time) {
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> {
                late.set(true);
                process.destroyForcibly();
            }, CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS));
            try {
                tasks++;
                process.getOutputStream().write((ReadingMessages.line(task) + "\n").getBytes(StandardCharsets.UTF_8));
                process.getOutputStream().flush();
                String line = answers.readLine();
                // The virtual machine says on the same stream that its memory is used up.
                return line != null && line.startsWith("{") ? line : null;
            } catch (IOException ended) {
                return null;
            } finally {
                end.cancel(false);
            }
        }

        void end() {
            process.destroyForcibly();
        }

        /** Waits a moment for a process that is about to end by itself, so that it can say why. */
        int exitValue() {
            try {
                if (!process.waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly();
                }
                return process.waitFor();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                return -1;
            }
        }
    }

    /**
     * Checks a PDF for everything that {@link PdfFault} names. Blocks for as long as that takes.
     *
     * @param file is read and left as it is
     */
    public PdfCheck check(Path file, int pagesMax, Duration time) throws IOException {
        Path folder = Files.createTempDirectory("acp-checking-");
        try {
            ReadingAnswer answer = ask(ReadingTask.Kind.CHECK, file, folder, pagesMax, 0, false, time);
            return new PdfCheck(answer.pages(), Optional.ofNullable(answer.fault()));
        } finally {
            remove(folder);
        }
    }

    /**
     * Looks for text that a redacted PDF still holds, which has been checked. Blocks for as long as that takes.
     *
     * @param file is read and left as it is
     * @param filed the PDF before its redaction, likewise; empty where it was no PDF
     */
    PdfCoverCheck covered(Path file, Optional<Path> filed, int pagesMax, Duration time) throws IOException {
        Path folder = Files.createTempDirectory("acp-checking-");
        try {
            ReadingAnswer answer = ask(new ReadingTask(ReadingTask.Kind.COVERED, file.toAbsolutePath().toString(), null,
                    filed.map(one -> one.toAbsolutePath().toString()).orElse(null), folder.toAbsolutePath().toString(), pagesMax, 0, false, time.toMillis() + GRACE_MILLIS), time);
            return new PdfCoverCheck(Optional.ofNullable(answer.fault()), Optional.ofNullable(answer.covered()), Optional.ofNullable(answer.remains()));
        } finally {
            remove(folder);
        }
    }

    ReadingAnswer ask(ReadingTask.Kind kind, Path file, Path folder, int pagesMax, int charactersMax, boolean pictures, Duration time) throws IOException {
        return ask(new ReadingTask(kind, file.toAbsolutePath().toString(), null, null, folder.toAbsolutePath().toString(), pagesMax, charactersMax, pictures,
                time.toMillis() + GRACE_MILLIS), time);
    }

    /**
     * Reads the text of a file that is no PDF. Blocks for as long as that takes.
     *
     * @param folder for the text
     * @throws Unreadable when it has none that can be read within the bounds
     */
    String words(ReadingTask.Kind kind, Path file, String contentType, Path folder, int charactersMax, Duration time) throws IOException {
        ReadingAnswer answer = ask(new ReadingTask(kind, file.toAbsolutePath().toString(), contentType, null, folder.toAbsolutePath().toString(), 0, charactersMax, false,
                time.toMillis() + GRACE_MILLIS), time);
        if (answer.fault() != null) {
            throw Unreadable.of(answer.fault());
        }
        if (answer.unreadable() != null) {
            throw new Unreadable(answer.unreadable());
        }
        return Files.readString(folder.resolve(ReadingProcess.WORDS));
    }

    private ReadingAnswer ask(ReadingTask task, Duration time) throws IOException {
        while (true) {
            Serving serving = acquire();
            boolean used = serving.tasks > 0;
            String line = serving.serve(task, time);
            if (line != null) {
                release(serving);
                return ReadingMessages.answer(line);
            }
            int exit = serving.exitValue();
            if (serving.late.get()) {
                return new ReadingAnswer(0, PdfFault.TOO_SLOW);
            }
            if (exit == ReadingProcess.OUT_OF_MEMORY) {
                return new ReadingAnswer(0, PdfFault.BOMB);
            }
            if (!used) {
                LOG.warn("a process that reads files ended with {}", exit);
                return new ReadingAnswer(0, PdfFault.DAMAGED);
            }
            // It may have ended before it saw this task: a fresh one decides.
        }
    }

    private Serving acquire() throws IOException {
        synchronized (this) {
            if (closed) {
                throw new IOException("the node stops");
            }
            while (!idle.isEmpty()) {
                Serving serving = idle.pop();
                if (serving.process.isAlive()) {
                    return serving;
                }
            }
        }
        return new Serving();
    }

    private synchronized void release(Serving serving) {
        if (closed || serving.tasks >= TASKS_MAX || serving.late.get()) {
            serving.end();
        } else {
            serving.idleSince = System.nanoTime();
            idle.push(serving);
        }
    }

    private synchronized void endIdle() {
        long now = System.nanoTime();
        idle.removeIf(serving -> {
            boolean ends = now - serving.idleSince > IDLE.toNanos();
            if (ends) {
                serving.end();
            }
            return ends;
        });
    }

    /** Ends those that wait for work. One that works ends when its task does. */
    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(Serving::end);
        idle.clear();
    }

    /** Removes a folder. When that fails, it is logged: the file has been read all the same. */
    static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.deleteIfExists(path);
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
        } catch (IOException | UncheckedIOException failed) {
            LOG.warn("{} could not be removed: {}", folder, failed.getMessage());
        }
    }
}
