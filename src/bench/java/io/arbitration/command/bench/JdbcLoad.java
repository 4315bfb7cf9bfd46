package io.arbitration.command.bench;

import io.arbitration.platform.db.DatabaseUrl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/** Where there is no pgbench: JDBC on a thread a connection. It costs more CPU than pgbench, so ratios to it flatter. */
final class JdbcLoad implements SqlLoad {

    @Override
    public String name() {
        return "JDBC (no pgbench here, ratios flatter)";
    }

    @Override
    public double perSecond(DatabaseUrl database, List<String> statements, Duration duration) {
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            long begin = System.nanoTime();
            long end = begin + duration.toNanos();
            List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(threads.submit(() -> run(database, statements, end)));
            }
            long ran = 0;
            for (Future<Long> one : running) {
                ran += one.get();
            }
            return ran * 1e9 / (System.nanoTime() - begin);
        } catch (ExecutionException failed) {
            throw new BenchFailed("a statement failed: " + failed.getCause().getMessage(), failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BenchFailed("interrupted");
        }
    }

    private static long run(DatabaseUrl database, List<String> statements, long end) throws SQLException {
        try (Connection connection = BenchDatabase.connect(database)) {
            List<PreparedStatement> prepared = new ArrayList<>();
            for (String statement : statements) {
                prepared.add(connection.prepareStatement(statement));
            }
            long ran = 0;
            while (System.nanoTime() < end) {
                prepared.get(ThreadLocalRandom.current().nextInt(prepared.size())).execute();
                ran++;
            }
            return ran;
        }
    }
}
