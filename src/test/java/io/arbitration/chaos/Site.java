package io.arbitration.chaos;

import io.arbitration.Await;
import io.arbitration.PlatformProcess;
import io.arbitration.PlatformProgram;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.kafka.KafkaBroker;
import io.arbitration.webhooks.Receiver;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Nodes as processes with addresses of their own, with one PostgreSQL, one Kafka broker and one receiver of webhooks. */
final class Site implements AutoCloseable {

    private static final String SECRET = "a secret of thirty-two characters or more";
    private static final long WAIT_SECONDS = 240;

    private final Path folder;
    private final Network network;
    private final int count;
    private final int databasePort = FreePort.any();
    private final List<Integer> httpPorts = new ArrayList<>();
    private final List<Integer> managementPorts = new ArrayList<>();
    private final List<Integer> clusterPorts = new ArrayList<>();
    private final List<Integer> busPorts = new ArrayList<>();
    private final List<PlatformProcess> nodes = new ArrayList<>();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(1)).build();
    private EmbeddedPostgres database;
    private KafkaBroker kafka;
    private Receiver receiver;

    private Site(Path folder, Network network, int count) throws IOException {
        this.folder = folder;
        this.network = network;
        this.count = count;
    }

    static Site open(Path folder, int count) throws Exception {
        Site site = new Site(folder, Network.open(count), count);
        try {
            site.start();
            return site;
        } catch (Throwable failed) {
            site.close();
            throw failed;
        }
    }

    private void start() throws Exception {
        startDatabase();
        Files.writeString(folder.resolve("postgres/pg_hba.conf"), "host all all %s/24 trust%n".formatted(network.here()), StandardOpenOption.APPEND);
        try (Connection sql = sql(); Statement statement = sql.createStatement()) {
            statement.execute("select pg_reload_conf()");
        }
        kafka = KafkaBroker.start(Files.createDirectories(folder.resolve("kafka")), network.here());
        receiver = new Receiver(new InetSocketAddress(InetAddress.getByName(network.here()), 0));
        for (int node = 0; node < count; node++) {
            httpPorts.add(FreePort.any());
            managementPorts.add(FreePort.any());
            clusterPorts.add(FreePort.any());
            busPorts.add(FreePort.any());
            nodes.add(null);
        }
        // The first node migrates the schema and makes the keyset that the others get.
        nodes.set(0, process(0));
        CompletableFuture.allOf(IntStream.range(1, count).mapToObj(node -> CompletableFuture.runAsync(() -> start(node), Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new)).join();
        awaitWell();
    }

    /** Starts a node again at its former address. */
    void start(int node) {
        try {
            nodes.set(node, process(node));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private PlatformProcess process(int node) throws IOException {
        Map<String, String> settings = new HashMap<>(Map.of("ACP_HTTP_HOST", "0.0.0.0", "ACP_HTTP_PORT", port(httpPorts, node),
                "ACP_MANAGEMENT_HOST", "0.0.0.0", "ACP_MANAGEMENT_PORT", port(managementPorts, node), "ACP_HTTP_PUBLIC_URL", "https://chaos.example",
                "ACP_DATABASE_URL", "postgresql://postgres:x@%s:%d/postgres?sslmode=disable".formatted(network.here(), databasePort),
                "ACP_KEYS_KEYSET_FILE", folder.resolve("keyset.json").toAbsolutePath().toString(), "ACP_HTTP_DRAIN_SECONDS", "5"));
        settings.putAll(Map.of("ACP_CLUSTER_ENABLED", "true", "ACP_CLUSTER_HOST", network.address(node), "ACP_CLUSTER_PORT", port(clusterPorts, node),
                "ACP_CLUSTER_BUS_PORT", port(busPorts, node), "ACP_CLUSTER_SECRET", SECRET, "ACP_EVENT_BUS_EVENTS", "true",
                "ACP_KAFKA_BOOTSTRAP_SERVERS", kafka.openAddress(), "ACP_OUTBOUND_ALLOWED_PRIVATE", network.here() + "/32"));
        List<String> members = new ArrayList<>();
        for (int member = 0; member < count; member++) {
            members.add(network.address(member) + ":" + clusterPorts.get(member));
        }
        settings.put("ACP_CLUSTER_MEMBERS", String.join(",", members));
        return PlatformProcess.start(folder.resolve("node-" + node), settings, PlatformProgram.USUAL_HEAP_MEGABYTES, network.within(node));
    }

    private static String port(List<Integer> ports, int node) {
        return String.valueOf(ports.get(node));
    }

    private void startDatabase() throws IOException {
        database = EmbeddedPostgres.builder().setDataDirectory(folder.resolve("postgres")).setCleanDataDirectory(false).setPort(databasePort)
                .setServerConfig("listen_addresses", "*").setServerConfig("max_connections", "60")
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(folder.resolve("postgres.log").toFile()))
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(folder.resolve("postgres.log").toFile())).start();
    }

    /** Stops the database server, which closes all connections, and starts it again. */
    void restartDatabase() throws IOException {
        database.close();
        startDatabase();
    }

    Connection sql() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:%d/postgres".formatted(databasePort), "postgres", "x");
    }

    int count() {
        return count;
    }

    PlatformProcess node(int node) {
        return nodes.get(node);
    }

    String url(int node) {
        return "http://%s:%d".formatted(network.address(node), httpPorts.get(node));
    }

    Network network() {
        return network;
    }

    KafkaBroker kafka() {
        return kafka;
    }

    Receiver receiver() {
        return receiver;
    }

    /** Waits until every node is ready and sees all others. */
    void awaitWell() {
        for (int node = 0; node < count; node++) {
            int one = node;
            Await.until("node %d is well".formatted(node), Duration.ofSeconds(WAIT_SECONDS), () -> isWell(one));
        }
    }

    private boolean isWell(int node) {
        URI ready = URI.create("http://%s:%d/health/ready".formatted(network.address(node), managementPorts.get(node)));
        try {
            HttpResponse<String> answer = client.send(HttpRequest.newBuilder(ready).timeout(Duration.ofSeconds(2)).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() == 200 && new JsonObject(answer.body()).getJsonObject("parts").getString("cluster").equals("UP");
        } catch (IOException away) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        nodes.stream().filter(java.util.Objects::nonNull).forEach(node -> {
            node.kill();
            node.awaitEnd();
        });
        client.close();
        if (receiver != null) {
            receiver.close();
        }
        if (kafka != null) {
            kafka.close();
        }
        try {
            if (database != null) {
                database.close();
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } finally {
            network.close();
        }
    }
}
