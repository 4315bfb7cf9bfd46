package io.arbitration;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.Settings;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/** Starts a node and keeps it until it is told to stop. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        Path home = Path.of(Optional.ofNullable(System.getenv("ACP_HOME")).orElse(".")).toAbsolutePath().normalize();
        Settings settings = Settings.parse(Configuration.load(home, System.getenv()), home);
        Platform platform = Platform.start(settings, Clock.systemUTC());
        Runtime.getRuntime().addShutdownHook(new Thread(platform::close, "shutdown"));
        System.out.println("ready on port " + platform.port());
    }
}
