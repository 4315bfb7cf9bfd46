package io.arbitration.command;

import io.arbitration.Platform;
import io.arbitration.Settings;
import io.arbitration.platform.config.AreaAddress;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.telemetry.Logs;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The platform that a command runs in its process. When the process gets a signal to stop, the platform is closed in order, even
 * while it starts.
 */
final class Node implements AutoCloseable {

    /** How long a stop waits for a start in progress: only then is it known what must be closed. */
    private static final Duration START_WAIT = Duration.ofSeconds(60);

    private final Settings settings;
    private final Platform platform;

    private Node(Settings settings, Platform platform) {
        this.settings = settings;
        this.platform = platform;
    }

    /** Starts a platform with the settings of {@code conf/} and an environment. */
    static Node start(Map<String, String> environment) {
        Settings settings = settings(environment);
        Logs.apply(settings.logs());
        CompletableFuture<Platform> started = new CompletableFuture<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            started.completeOnTimeout(null, START_WAIT.toSeconds(), TimeUnit.SECONDS)
                    .thenAccept(platform -> Optional.ofNullable(platform).ifPresent(Platform::close))
                    .join();
            Logs.flush();
        }, "shutdown"));
        try {
            Platform platform = Platform.start(settings, Clock.systemUTC());
            started.complete(platform);
            return new Node(settings, platform);
        } catch (RuntimeException | Error failed) {
            started.complete(null);
            throw failed;
        }
    }

    /** The settings of {@code conf/} and an environment. */
    static Settings settings(Map<String, String> environment) {
        Path home = Path.of(Optional.ofNullable(System.getenv("ACP_HOME")).orElse(".")).toAbsolutePath().normalize();
        return Settings.read(Configuration.load(home, environment), home);
    }

    /** The environment of the process, in which some variables are replaced. */
    static Map<String, String> environmentWith(Map<String, String> over) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(over);
        return environment;
    }

    Settings settings() {
        return settings;
    }

    /** Address of the public server, as a client on this machine reaches it. */
    String url() {
        return "http%s://localhost:%d".formatted(settings.server().tls().isPresent() ? "s" : "", platform.port());
    }

    /** Address of an area. */
    String url(String area) {
        String scheme = settings.server().tls().isPresent() ? "https" : "http";
        return switch (settings.areas().addresses().get(area)) {
            case null -> url() + "/" + area;
            case AreaAddress.HostName host -> "%s://%s:%d".formatted(scheme, host.name(), platform.port());
            case AreaAddress.Port port -> "%s://localhost:%d".formatted(scheme, port.number());
        };
    }

    /** Prints that the node is ready, how long that took since the process began, and its addresses. */
    void printReady() {
        long millis = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
        System.out.printf("ready in %d.%03d s, profile %s%n", millis / 1000, millis % 1000, settings.profile().name().toLowerCase(Locale.ROOT));
        printAddresses();
    }

    /** Prints the addresses of the node. */
    void printAddresses() {
        System.out.printf("  %-12s %s%n", "console", url() + "/console");
        platform.areaNames().forEach(area -> System.out.printf("  %-12s %s%n", area, url(area)));
        System.out.printf("  %-12s http://%s:%d/health/ready, /metrics%n", "management",
                settings.management().host(), platform.managementPort());
    }

    /** Serves until the process gets a signal to stop; it then ends by its shutdown hook, so this does not return. */
    void serve() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Override
    public void close() {
        platform.close();
    }
}
