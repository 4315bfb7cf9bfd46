package io.arbitration.command.bench;

import io.arbitration.command.bench.LoadGenerator.Request;
import io.arbitration.platform.db.DatabaseUrl;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The docket list as a service with Fastify and postgres.js on the same database, in two processes; {@code bench/peers/fastify}. */
final class FastifyPeer implements AutoCloseable {

    static final int PROCESSES = 2;
    private static final List<String> FILES = List.of("package.json", "server.mjs");
    private static final Duration INSTALL_MAX = Duration.ofMinutes(2);
    private static final Duration START_WAIT = Duration.ofSeconds(20);
    private static final long START_POLL_MILLIS = 50;

    private final Path folder;
    private final Process process;
    private final URI address;

    private FastifyPeer(Path folder, Process process, URI address) {
        this.folder = folder;
        this.process = process;
        this.address = address;
    }

    /**
     * Installs the packages from their registry and starts the peer; empty, and said why, where that is not possible.
     *
     * @param platform where the keys are that the tokens are signed with
     */
    static Optional<FastifyPeer> start(DatabaseUrl database, URI platform) {
        Optional<Path> node = Programs.find("node");
        Optional<Path> npm = Programs.find("npm");
        if (node.isEmpty() || npm.isEmpty()) {
            Report.progress("no Fastify peer: node and npm are not on the PATH");
            return Optional.empty();
        }
        try {
            Path folder = Files.createTempDirectory("acp-peer-");
            try {
                for (String file : FILES) {
                    try (InputStream content = FastifyPeer.class.getResourceAsStream("/bench/peers/fastify/" + file)) {
                        Files.copy(content, folder.resolve(file));
                    }
                }
                Programs.run(List.of(npm.get().toString(), "install", "--prefix", folder.toString(), "--no-audit", "--no-fund"), Map.of(), INSTALL_MAX);
            } catch (BenchFailed notInstalled) {
                Report.progress("no Fastify peer: " + notInstalled.getMessage().strip());
                delete(folder);
                return Optional.empty();
            }
            return Optional.of(run(node.get(), folder, database, platform));
        } catch (IOException failed) {
            throw new BenchFailed("the Fastify peer did not start: " + failed.getMessage(), failed);
        }
    }

    private static FastifyPeer run(Path node, Path folder, DatabaseUrl database, URI platform) throws IOException {
        int port = ServerProcess.freePort();
        ProcessBuilder builder = new ProcessBuilder(node.toString(), "server.mjs").directory(folder.toFile())
                .redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile());
        builder.environment().putAll(Map.of(
                "PEER_PORT", String.valueOf(port),
                "PEER_PROCESSES", String.valueOf(PROCESSES),
                "PEER_CONNECTIONS", String.valueOf(SqlLoad.CLIENTS / PROCESSES),
                "PEER_DATABASE", "postgres://%s:%s@%s:%d/%s".formatted(
                        database.user(), database.password(), database.host(), database.port(), database.database()),
                "PEER_KEYS", platform.resolve("/auth/.well-known/jwks.json").toString(),
                "PEER_ISSUER", BenchSite.PUBLIC_URL + "/auth",
                "PEER_AUDIENCE", "arbitration-platform"));
        return new FastifyPeer(folder, builder.start(), URI.create("http://127.0.0.1:" + port));
    }

    URI address() {
        return address;
    }

    /** Waits until the peer answers this request; fails when it answers anything else than the platform does. */
    void mustAnswerAs(URI platform, Request request) {
        String expected = body(platform, request).orElseThrow(() -> new BenchFailed("the platform does not answer"));
        long end = System.nanoTime() + START_WAIT.toNanos();
        Optional<String> answered = Optional.empty();
        while (answered.isEmpty() && process.isAlive() && System.nanoTime() < end) {
            answered = body(address, request);
        }
        if (!answered.equals(Optional.of(expected))) {
            throw new BenchFailed("the Fastify peer does not answer as the platform does: %s; it printed: %s"
                    .formatted(answered.orElse("nothing"), log()));
        }
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    private static Optional<String> body(URI server, Request request) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return Optional.of(client.send(HttpRequest.newBuilder(server.resolve(request.path()))
                    .header("Authorization", "Bearer " + request.token())
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(request.body())).build(), HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException notYetListening) {
            pause();
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(START_POLL_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    @Override
    public void close() {
        // Its workers end with the channel to it.
        process.destroy();
        process.onExit().join();
        try {
            delete(folder);
        } catch (IOException failed) {
            throw new BenchFailed("cannot delete " + folder, failed);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
