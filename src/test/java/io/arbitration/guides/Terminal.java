package io.arbitration.guides;

import io.arbitration.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A reader's terminals: one whose variables last from block to block, and one more for whatever keeps running. All end with it. */
final class Terminal implements AutoCloseable {

    private static final Duration BLOCK_WAIT = Duration.ofSeconds(90);
    private static final Duration END_WAIT = Duration.ofSeconds(40);
    private static final String END = "--- end of block ";
    private static final String GONE = "--- the shell has ended";

    private final Path folder;
    private final Map<String, String> environment;
    private final Process shell;
    private final Writer input;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<Background> background = new ArrayList<>();
    private int count;

    /** What keeps running, and where what it prints goes. */
    record Background(Process process, Path output) {

        String printed() {
            try {
                return Files.readString(output);
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    /** @param code 0 when the block ended well */
    record Ended(int code, String printed) {}

    Terminal(Path folder, Map<String, String> environment) throws IOException {
        this.folder = folder;
        this.environment = environment;
        this.shell = start("bash", "--norc").redirectErrorStream(true).start();
        this.input = shell.outputWriter();
        Thread.ofVirtual().start(this::read);
        send("set -eu -o pipefail");
    }

    private ProcessBuilder start(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ACP_") || name.equals("JAVA_TOOL_OPTIONS"));
        builder.environment().putAll(environment);
        return builder;
    }

    private void read() {
        try (BufferedReader output = shell.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException killed) {
            lines.add(killed.toString());
        } finally {
            lines.add(GONE);
        }
    }

    private void send(String line) throws IOException {
        input.write(line + "\n");
        input.flush();
    }

    /** Runs a block; the first command that fails ends it, and with it the shell. */
    Ended run(String script) throws IOException, InterruptedException {
        Path file = written(script);
        send(". %s </dev/null; printf '\\n%s%%s\\n' 0".formatted(file, END));
        return ended();
    }

    /** Runs a block that may fail in a shell of its own, which knows what this one knows. */
    Ended runAside(String script) throws IOException, InterruptedException {
        Path file = written(script);
        send("set +e; (set -e; . %s) </dev/null; printf '\\n%s%%s\\n' $?; set -e".formatted(file, END));
        return ended();
    }

    private Path written(String script) throws IOException {
        return Files.writeString(Files.createDirectories(folder.resolve(".blocks")).resolve(++count + ".sh"), script).toAbsolutePath();
    }

    private Ended ended() throws InterruptedException {
        StringBuilder printed = new StringBuilder();
        long end = System.nanoTime() + BLOCK_WAIT.toNanos();
        while (true) {
            String line = lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                return new Ended(-1, printed + "… and did not end in " + BLOCK_WAIT.toSeconds() + " s");
            }
            if (line.equals(GONE)) {
                lines.add(GONE);
                return new Ended(1, printed.toString());
            }
            if (line.startsWith(END)) {
                return new Ended(Integer.parseInt(line.substring(END.length())), printed.toString());
            }
            printed.append(line).append('\n');
        }
    }

    /** Starts a block in a terminal of its own. */
    Background runOn(String script) throws IOException {
        Path output = folder.resolve(".blocks-" + ++count + ".out");
        Background started = new Background(start("bash", "-c", script).redirectErrorStream(true).redirectOutput(output.toFile())
                .redirectInput(Path.of("/dev/null").toFile()).start(), output);
        background.add(started);
        return started;
    }

    /** Waits until what a background block printed is as expected; false when it never is. */
    static boolean await(Background started, Predicate<String> expected) {
        long end = System.nanoTime() + BLOCK_WAIT.toNanos();
        Await.until("an end of the wait", BLOCK_WAIT.multipliedBy(2),
                () -> expected.test(started.printed()) || !started.process.isAlive() || System.nanoTime() > end);
        return expected.test(started.printed());
    }

    @Override
    public void close() {
        // What a shell runs is told to end, not what that runs in turn: a platform stops its database itself.
        List<ProcessHandle> told = new ArrayList<>();
        for (Process process : background.reversed().stream().map(Background::process).toList()) {
            boolean isShell = process.info().command().filter(command -> command.endsWith("bash")).isPresent();
            (isShell ? process.children().toList() : List.of(process.toHandle())).forEach(one -> {
                one.destroy();
                told.add(one);
            });
        }
        long end = System.nanoTime() + END_WAIT.toNanos();
        Await.until("an end of the wait", END_WAIT.multipliedBy(2), () -> told.stream().noneMatch(ProcessHandle::isAlive) || System.nanoTime() > end);
        background.forEach(one -> {
            one.process.descendants().forEach(ProcessHandle::destroyForcibly);
            one.process.destroyForcibly();
        });
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly();
    }
}
