package io.arbitration.platform.kafka;

import io.arbitration.Await;
import io.arbitration.platform.FreePort;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** Brokers of Kafka in processes of their own, which hold each record twice and take none that only one of them would have. */
final class KafkaProcesses implements AutoCloseable {

    private final Path folder;
    private final List<Integer> ports = new ArrayList<>();
    private final List<Integer> controllerPorts = new ArrayList<>();
    private final List<Process> brokers = new ArrayList<>();

    private KafkaProcesses(Path folder) {
        this.folder = folder;
    }

    /** The log of each broker is in a folder of its own in this folder, which may be a disk of its own: log-0, log-1 … */
    static KafkaProcesses start(Path folder, int count) throws Exception {
        KafkaProcesses all = new KafkaProcesses(folder);
        try {
            for (int broker = 0; broker < count; broker++) {
                all.ports.add(FreePort.any());
                all.controllerPorts.add(FreePort.any());
            }
            String cluster = Uuid.randomUuid().toString();
            for (int broker = 0; broker < count; broker++) {
                String log = all.log(broker);
                new Formatter().setPrintStream(new PrintStream(OutputStream.nullOutputStream())).setClusterId(cluster).setNodeId(broker + 1).addDirectory(log)
                        .setReleaseVersion(MetadataVersion.latestProduction()).setControllerListenerName("CONTROLLER").setMetadataLogDirectory(log).run();
                all.brokers.add(all.process(broker));
            }
            all.awaitAll();
            return all;
        } catch (Exception | AssertionError failed) {
            all.close();
            throw failed;
        }
    }

    private String log(int broker) {
        return folder.resolve("log-" + broker).resolve("kafka").toString();
    }

    private Process process(int broker) throws IOException {
        String voters = IntStream.range(0, ports.size()).mapToObj(one -> "%d@127.0.0.1:%d".formatted(one + 1, controllerPorts.get(one))).collect(Collectors.joining(","));
        Path properties = Files.writeString(folder.resolve("broker-%d.properties".formatted(broker)), """
                process.roles=broker,controller
                node.id=%d
                log.dirs=%s
                controller.quorum.voters=%s
                controller.listener.names=CONTROLLER
                listeners=OPEN://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
                listener.security.protocol.map=OPEN:PLAINTEXT,CONTROLLER:PLAINTEXT
                inter.broker.listener.name=OPEN
                default.replication.factor=3
                min.insync.replicas=2
                offsets.topic.replication.factor=3
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=3
                transaction.state.log.min.isr=2
                transaction.state.log.num.partitions=3
                num.partitions=3
                auto.create.topics.enable=false
                log.cleaner.enable=false
                broker.session.timeout.ms=6000
                """.formatted(broker + 1, log(broker), voters, ports.get(broker), controllerPorts.get(broker)));
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-cp", System.getProperty("java.class.path"), "kafka.Kafka", properties.toString())
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("broker-%d.log".formatted(broker)).toFile())).start();
    }

    private void awaitAll() {
        try (Admin admin = admin()) {
            Await.despiteFailures("all brokers are there, see " + folder, Await.BOUND.multipliedBy(2), () -> admin.describeCluster().nodes().get().size() == ports.size());
        }
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", addresses()));
    }

    String addresses() {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    int count() {
        return ports.size();
    }

    void kill(int broker) {
        brokers.get(broker).destroyForcibly().onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }

    boolean isRunning(int broker) {
        return brokers.get(broker).isAlive();
    }

    void startAgain(int... killed) throws IOException {
        for (int broker : killed) {
            brokers.set(broker, process(broker));
        }
        awaitAll();
    }

    @Override
    public void close() {
        brokers.forEach(Process::destroyForcibly);
        brokers.forEach(broker -> broker.onExit().orTimeout(60, TimeUnit.SECONDS).join());
    }
}
