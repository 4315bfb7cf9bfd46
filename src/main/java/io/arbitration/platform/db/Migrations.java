package io.arbitration.platform.db;

import io.arbitration.platform.PartState;
import io.arbitration.platform.StartFailure;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the schema up to date; several nodes may do so at once, Flyway's advisory lock lets one work. Blocks. */
public final class Migrations {

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
    private static final Duration CONNECT_PAUSE = Duration.ofSeconds(1);

    private Migrations() {}

    /** Gives a role what a node needs to work, and no more; to be run by the owner of the tables, after the migrations. */
    public static void grant(DatabaseUrl owner, String role) {
        NodeRole.grant(owner, role);
    }

    /** Runs what has not run yet on a database that is up. */
    public static int run(DatabaseUrl url) {
        return run(url, Duration.ZERO);
    }

    /**
     * Runs what has not run yet.
     *
     * @param connectWait how long to wait for a database that does not answer yet
     * @return how many migrations ran
     * @throws StartFailure when the database cannot be reached, refuses the user, or holds another schema
     */
    public static int run(DatabaseUrl url, Duration connectWait) {
        long end = System.nanoTime() + connectWait.toNanos();
        boolean isLogged = false;
        while (true) {
            try {
                if (isFitAndCurrent(url)) {
                    return 0;
                }
                return flyway(url).migrate().migrationsExecuted;
            } catch (SQLException | FlywayException failed) {
                Optional<SQLException> database = databaseError(failed);
                if (!database.map(Migrations::mayBecomeAvailable).orElse(false) || System.nanoTime() > end) {
                    throw failure(url, failed, database);
                }
                if (!isLogged) {
                    LOG.info("waiting for the database {}, at most {} s", url, connectWait.toSeconds());
                    isLogged = true;
                }
                pause();
            }
        }
    }

    /** On one connection, because a start waits for each sign-in to the database. */
    private static boolean isFitAndCurrent(DatabaseUrl url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url.jdbcUrl(), url.user(), url.password())) {
            DatabaseFitness.check(connection, url);
            return AppliedMigrations.areAll(connection);
        }
    }

    private static Flyway flyway(DatabaseUrl url) {
        return Flyway.configure()
                .dataSource(url.jdbcUrl(), url.user(), url.password())
                .locations("classpath:" + AppliedMigrations.FOLDER)
                .schemas("platform")
                .defaultSchema("platform")
                .table("migrations")
                .connectRetries(0)
                .load();
    }

    /**
     * Whether the schema is the one that this build was written for: UP; NEWER when another release has brought it further,
     * which this one can work on; BEHIND, after an old backup was restored under a running node; FAILED.
     */
    public static Future<PartState> check(Database database) {
        return database.query("""
                select coalesce(max(version::int), 0), coalesce(bool_and(success), true)
                from platform.migrations where version is not null
                """, Tuple.tuple(), row -> state(row.getInteger(0), row.getBoolean(1))).map(List::getFirst);
    }

    private static PartState state(int applied, boolean success) {
        if (!success) {
            return new PartState("FAILED", Optional.of("a migration of the schema has failed halfway"));
        }
        int own = Newest.VERSION;
        return applied == own ? PartState.of("UP")
                : applied > own ? new PartState("NEWER", Optional.of("the schema is at version %d, this build knows %d".formatted(applied, own)))
                : new PartState("BEHIND", Optional.of("the schema is at version %d, this build needs %d: start it anew".formatted(applied, own)));
    }

    /** Found when it is first asked for: a start has no time for it. */
    private static final class Newest {
        static final int VERSION = AppliedMigrations.own().stream().mapToInt(AppliedMigrations.Own::version).max().orElseThrow();
    }

    private static Optional<SQLException> databaseError(Throwable failed) {
        Throwable at = failed;
        while (at != null && !(at instanceof SQLException)) {
            at = at.getCause();
        }
        return Optional.ofNullable((SQLException) at);
    }

    /** No connection (class 08), a server that is starting or stopping (57P03), or one that takes no writes yet (25006). */
    private static boolean mayBecomeAvailable(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        return state.startsWith("08") || state.equals("57P03") || isReadOnly(failure);
    }

    private static boolean isReadOnly(SQLException failure) {
        return "25006".equals(failure.getSQLState());
    }

    private static StartFailure failure(DatabaseUrl url, Exception failed, Optional<SQLException> database) {
        String reason = database.map(Throwable::getMessage).orElse(failed.getMessage()).strip();
        String what = database.map(error -> isReadOnly(error) ? "cannot be worked on" : mayBecomeAvailable(error) ? "cannot be reached" : "does not take us in").orElse("does not fit this build");
        return new StartFailure(StartFailure.FAILED, "database.url: %s %s: %s".formatted(url, what, reason), failed);
    }

    private static void pause() {
        try {
            Thread.sleep(CONNECT_PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StartFailure(StartFailure.FAILED, "database.url: interrupted while waiting for the database", interrupted);
        }
    }
}
