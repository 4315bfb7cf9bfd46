package io.arbitration.command.bench;

import io.arbitration.platform.db.DatabaseUrl;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What every benchmark lets its caller choose. */
final class BenchOptions {

    private static final Duration QUICK_PHASE = Duration.ofMillis(200);

    @Option(names = "--quick", description = "Phases of 0.2 s and one round: shows that the benchmark runs, its figures mean little.")
    boolean quick;

    @Option(names = "--database", paramLabel = "URL",
            description = "postgresql://… of a database that may be filled; else the embedded PostgreSQL on a temporary folder.")
    private String database;

    @Option(names = "--rounds", defaultValue = "5", description = "Rounds; in each, everything compared runs once (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--seconds", defaultValue = "8", description = "Seconds of one phase of a round (${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--warm-up", paramLabel = "SECONDS", defaultValue = "40",
            description = "Seconds of load before anything is measured: the JVM compiles what is hot first (${DEFAULT-VALUE}).")
    private int warmUpSeconds;

    @Option(names = "--generator", defaultValue = "auto",
            description = "wrk, jvm, or auto: wrk when it is on the PATH (${DEFAULT-VALUE}).")
    private Generator generator;

    enum Generator { auto, wrk, jvm }

    int rounds() {
        return quick ? 1 : rounds;
    }

    Duration phase() {
        return quick ? QUICK_PHASE : Duration.ofSeconds(seconds);
    }

    Duration warmUp() {
        return quick ? QUICK_PHASE : Duration.ofSeconds(warmUpSeconds);
    }

    /** How many there are in a phase at so many a second. */
    long inPhase(long perSecond) {
        return count(perSecond, phase());
    }

    static long count(long perSecond, Duration duration) {
        return Math.max(1, perSecond * duration.toMillis() / 1000);
    }

    /** For programs that take whole seconds, of which there is at least one. */
    static String wholeSeconds(Duration duration) {
        return String.valueOf(Math.max(1, duration.toSeconds()));
    }

    /** Of a phase, as it is printed. */
    double phaseSeconds() {
        return phase().toMillis() / 1e3;
    }

    Optional<DatabaseUrl> database() {
        return Optional.ofNullable(database).map(DatabaseUrl::parse);
    }

    /** The text of the URL, password included, as the platform takes it. */
    Optional<String> databaseText() {
        return Optional.ofNullable(database);
    }

    LoadGenerator loadGenerator() {
        return switch (generator) {
            case auto -> Programs.find("wrk").<LoadGenerator>map(WrkLoad::new).orElseGet(JvmLoad::new);
            case wrk -> new WrkLoad(Programs.find("wrk").orElseThrow(() -> new BenchFailed("wrk is not on the PATH (Debian: apt install wrk)")));
            case jvm -> new JvmLoad();
        };
    }
}
