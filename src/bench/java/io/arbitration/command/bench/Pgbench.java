package io.arbitration.command.bench;

import io.arbitration.platform.db.DatabaseUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PostgreSQL's own load generator, with prepared statements. */
final class Pgbench implements SqlLoad {

    private static final int THREADS = 2;
    /** Instead of a phase of less than a second, which it does not know. */
    private static final int TRANSACTIONS_OF_SHORT_PHASE = 100;
    private static final Duration GRACE = Duration.ofSeconds(60);
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+) \\(without initial connection time\\)");
    private static final Pattern FAILED = Pattern.compile("number of failed transactions: ([1-9]\\d*)");

    private final Path pgbench;

    Pgbench(Path pgbench) {
        this.pgbench = pgbench;
    }

    @Override
    public String name() {
        return "pgbench";
    }

    @Override
    public double perSecond(DatabaseUrl database, List<String> statements, Duration duration) {
        try {
            Path folder = Files.createTempDirectory("acp-pgbench-");
            List<Path> scripts = new ArrayList<>();
            try {
                for (String statement : statements) {
                    scripts.add(Files.writeString(folder.resolve(scripts.size() + ".sql"), statement + ";\n"));
                }
                return read(Programs.run(command(database, scripts, duration), environment(database), duration.plus(GRACE)));
            } finally {
                for (Path script : scripts) {
                    Files.delete(script);
                }
                Files.delete(folder);
            }
        } catch (IOException failed) {
            throw new BenchFailed("cannot write the scripts of pgbench", failed);
        }
    }

    private List<String> command(DatabaseUrl database, List<Path> scripts, Duration duration) {
        List<String> command = new ArrayList<>(List.of(pgbench.toString(), "-n", "-M", "prepared",
                "-c", String.valueOf(CLIENTS), "-j", String.valueOf(THREADS), "-h", database.host(), "-p", String.valueOf(database.port()), "-U", database.user()));
        command.addAll(duration.toSeconds() < 1 ? List.of("-t", String.valueOf(TRANSACTIONS_OF_SHORT_PHASE)) : List.of("-T", BenchOptions.wholeSeconds(duration)));
        scripts.forEach(script -> command.addAll(List.of("-f", script.toString())));
        command.add(database.database());
        return command;
    }

    private static Map<String, String> environment(DatabaseUrl database) {
        return Map.of("PGPASSWORD", database.password(), "PGSSLMODE", database.sslMode());
    }

    private static double read(String printed) {
        Matcher rate = RATE.matcher(printed);
        if (!rate.find() || FAILED.matcher(printed).find()) {
            throw new BenchFailed("pgbench measured nothing:%n%s".formatted(printed));
        }
        return Double.parseDouble(rate.group(1));
    }
}
