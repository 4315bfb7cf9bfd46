package io.arbitration.command.bench;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A {@link BareServer} in a JVM of its own, with the options of this one, as the platform has them. */
final class BareProcess implements AutoCloseable {

    private static final long START_SECONDS_MAX = 30;
    /** The variable of the environment that tells it where the database is. */
    private static final String DATABASE = "BARE_DATABASE";

    private final Process process;
    private final URI address;
    private final Thread stopWithThisProcess;

    private BareProcess(Process process, URI address) {
        this.process = process;
        this.address = address;
        this.stopWithThisProcess = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(stopWithThisProcess);
    }

    /** @param database URL of one with a table {@code bench.kept} */
    static BareProcess start(Path folder, String database) {
        int port = ServerProcess.freePort();
        List<String> command = new ArrayList<>(ServerProcess.java());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BareServer.class.getName(), folder.toString(), String.valueOf(port), DATABASE));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("bare.log").toFile());
            builder.environment().put(DATABASE, database);
            Process process = builder.start();
            BareProcess bare = new BareProcess(process, URI.create("http://127.0.0.1:" + port));
            bare.awaitListening(port);
            return bare;
        } catch (IOException failed) {
            throw new BenchFailed("the bare server did not start", failed);
        }
    }

    private void awaitListening(int port) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (process.isAlive() && System.nanoTime() < end) {
            try (Socket connected = new Socket("127.0.0.1", port)) {
                return;
            } catch (IOException notYet) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
        close();
        throw new BenchFailed("the bare server does not listen");
    }

    /** CPU that it has used since its start. */
    double cpuSeconds() {
        return process.info().totalCpuDuration()
                .orElseThrow(() -> new BenchFailed("this system does not tell a process's CPU time")).toNanos() / 1e9;
    }

    URI address() {
        return address;
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(stopWithThisProcess);
        process.destroy();
        process.onExit().orTimeout(START_SECONDS_MAX, TimeUnit.SECONDS).join();
    }
}
