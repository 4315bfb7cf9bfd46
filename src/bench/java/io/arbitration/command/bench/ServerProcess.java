package io.arbitration.command.bench;

import io.arbitration.platform.FreePort;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.HashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The platform in a JVM of its own, with the options that this one was started with. */
final class ServerProcess implements AutoCloseable {

    private static final Duration START_WAIT = Duration.ofSeconds(90);
    private static final Duration STOP_WAIT = Duration.ofSeconds(60);
    /** Names a folder: each platform that is started then writes a recording of its threads into it when it ends. */
    static final String RECORDINGS_VARIABLE = "BENCH_RECORDINGS_FOLDER";
    private static final String FIRST_PATH = "/auth/.well-known/jwks.json";
    /** The generations, of the serial collector as of the parallel one; not the metaspace, which stands outside of the heap. */
    private static final Pattern HEAP_USED = Pattern.compile("total \\d+K, used (\\d+)K");
    private static final Pattern CLASS_LINE = Pattern.compile("(?m)^ *\\d+: +\\d+ +(\\d+) +(\\S+)");
    private static final long FIRST_ANSWER_POLL_MILLIS = 2;

    private final Process process;
    private final URI address;
    private final double firstAnswerSeconds;
    private final Thread stopWithThisProcess;

    private ServerProcess(Process process, URI address, double firstAnswerSeconds, Thread stopWithThisProcess) {
        this.process = process;
        this.address = address;
        this.firstAnswerSeconds = firstAnswerSeconds;
        this.stopWithThisProcess = stopWithThisProcess;
    }

    /**
     * Starts a platform and waits for its first answer.
     *
     * @param settings environment variables; without {@code ACP_HTTP_PORT} among them it is any free port
     * @param log file for what it prints
     */
    static ServerProcess start(Map<String, String> settings, Path log) {
        int port = settings.containsKey("ACP_HTTP_PORT") ? Integer.parseInt(settings.get("ACP_HTTP_PORT")) : freePort();
        URI address = URI.create("http%s://127.0.0.1:%d".formatted(settings.containsKey("ACP_HTTP_TLS_KEY_FILE") ? "s" : "", port));
        ProcessBuilder builder = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("ACP_") && !name.equals("ACP_HOME"));
        builder.environment().putAll(settings);
        builder.environment().put("ACP_HTTP_PORT", String.valueOf(port));
        builder.environment().putIfAbsent("ACP_MANAGEMENT_PORT", "0");
        long begin = System.nanoTime();
        try {
            Process process = builder.start();
            Thread stop = new Thread(process::destroy);
            Runtime.getRuntime().addShutdownHook(stop);
            awaitAnswer(process, address, log);
            return new ServerProcess(process, address, (System.nanoTime() - begin) / 1e9, stop);
        } catch (IOException failed) {
            throw new BenchFailed("the platform did not start: " + failed.getMessage(), failed);
        }
    }

    /** Java as this process was started. */
    static List<String> java() {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        return command;
    }

    private static List<String> command() {
        List<String> command = java();
        String recordings = System.getenv(RECORDINGS_VARIABLE);
        if (recordings != null) {
            command.add("-XX:FlightRecorderOptions=stackdepth=128");
            command.add("-XX:StartFlightRecording=settings=profile,dumponexit=true,filename=" + Path.of(recordings, System.nanoTime() + ".jfr"));
        }
        String path = System.getProperty("java.class.path");
        // As ./acp starts it, without this benchmark's own classes: else the start-up cache would not fit.
        String first = path.split(File.pathSeparator)[0];
        command.addAll(first.endsWith(".jar") && Path.of(first).endsWith("platform.jar") ? List.of("-jar", first) : List.of("-cp", path, "io.arbitration.Main"));
        command.add("run");
        return command;
    }

    static int freePort() {
        try {
            return FreePort.any();
        } catch (IOException failed) {
            throw new BenchFailed("no free port", failed);
        }
    }

    private static void awaitAnswer(Process process, URI address, Path log) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(address.resolve(FIRST_PATH)).timeout(START_WAIT).build();
        long end = System.nanoTime() + START_WAIT.toNanos();
        try (HttpClient client = HttpClient.newBuilder().sslContext(AnyCertificate.context()).build()) {
            while (System.nanoTime() < end && process.isAlive()) {
                try {
                    if (client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
                        return;
                    }
                } catch (IOException notYetListening) {
                    process.waitFor(FIRST_ANSWER_POLL_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        process.destroy();
        throw new BenchFailed("the platform did not answer; it printed:%n%s".formatted(Files.readString(log)));
    }

    URI address() {
        return address;
    }

    /** From the start of the process to the end of its first answer. */
    double firstAnswerSeconds() {
        return firstAnswerSeconds;
    }

    /** CPU that the JVM has used since its start, its compilers and collector included; the database's processes are not in it. */
    double cpuSeconds() {
        return process.info().totalCpuDuration()
                .orElseThrow(() -> new BenchFailed("this system does not tell a process's CPU time")).toNanos() / 1e9;
    }

    /** The same by what its threads do. */
    ThreadTimes threadTimes() {
        return ThreadTimes.of(process.pid());
    }

    /** Memory of the JVM that is in RAM now; the database's processes are not in it. */
    double residentMegabytes() {
        try (var lines = Files.lines(Path.of("/proc/%d/status".formatted(process.pid())))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst().orElseThrow() / 1024.0;
        } catch (IOException noProc) {
            throw new BenchFailed("this system does not tell a process's memory", noProc);
        }
    }

    /** Heap in use after a full collection. */
    double liveHeapMegabytes() {
        jcmd("GC.run");
        Matcher used = HEAP_USED.matcher(jcmd("GC.heap_info"));
        double kilobytes = 0;
        while (used.find()) {
            kilobytes += Double.parseDouble(used.group(1));
        }
        if (kilobytes == 0) {
            throw new BenchFailed("this JVM does not tell its heap in a way that is known");
        }
        return kilobytes / 1024;
    }

    /** Bytes of the heap in use, by class; called after a full collection it counts what is alive. */
    Map<String, Long> liveBytesByClass() {
        Map<String, Long> bytes = new HashMap<>();
        CLASS_LINE.matcher(jcmd("GC.class_histogram")).results().forEach(line -> bytes.merge(line.group(2), Long.parseLong(line.group(1)), Long::sum));
        return bytes;
    }

    /** How many classes are loaded whose names begin so; by beginning, in the order given. */
    Map<String, Long> loadedClasses(List<String> beginnings) {
        List<String> names = jcmd("VM.class_hierarchy").lines().map(line -> line.replaceFirst("^[|\\- ]+", "").replaceFirst("/.*", "")).toList();
        Map<String, Long> counts = new LinkedHashMap<>();
        beginnings.forEach(beginning -> counts.put(beginning, names.stream().filter(name -> name.startsWith(beginning)).count()));
        return counts;
    }

    private String jcmd(String command) {
        try {
            Process asking = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), String.valueOf(process.pid()), command)
                    .redirectErrorStream(true).start();
            String printed = new String(asking.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (asking.waitFor() != 0) {
                throw new BenchFailed("jcmd %s: %s".formatted(command, printed));
            }
            return printed;
        } catch (IOException failed) {
            throw new BenchFailed("jcmd " + command, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(stopWithThisProcess);
        process.destroy();
        try {
            process.onExit().get(STOP_WAIT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException stuck) {
            process.destroyForcibly();
            throw new BenchFailed("the platform did not stop within %s".formatted(STOP_WAIT), stuck);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        } catch (java.util.concurrent.ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
