package io.arbitration.platform.db;

import io.arbitration.platform.StartFailure;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;

/** Whether a server is one that the platform can work on, looked at before anything else is asked of it. Blocks. */
final class DatabaseFitness {

    /** The oldest on which a whole case was played; the tests run on 18. */
    private static final int VERSION_LEAST = 15;

    private DatabaseFitness() {}

    /**
     * @throws StartFailure for a version that is too old, and for a pooler that keeps no connection for a session
     * @throws SQLException when it cannot be reached, or takes no writes, which it may do later
     */
    static void check(Connection connection, DatabaseUrl url) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select current_setting('server_version_num')::int / 10000, current_setting('server_version'),
                               current_setting('transaction_read_only') = 'on', pg_is_in_recovery()
                        """)) {
            row.next();
            if (row.getInt(1) < VERSION_LEAST) {
                throw new StartFailure(StartFailure.MISCONFIGURED, "database.url: %s is PostgreSQL %s, at least %d is needed".formatted(
                        url, row.getString(2), VERSION_LEAST), null);
            }
            if (row.getBoolean(3)) {
                throw new SQLTransientConnectionException(row.getBoolean(4) ? "it is a standby and takes no writes; give the primary"
                        : "it is set to be read-only (default_transaction_read_only)", "25006");
            }
            if (backend(statement) == backendOfAnother(url)) {
                throw new StartFailure(StartFailure.MISCONFIGURED, ("database.url: %s leads through a pooler that changes the connection after each transaction; "
                        + "let it keep one for each session (PgBouncer: pool_mode = session), or name the server itself").formatted(url), null);
            }
        }
    }

    /** Two connections that are both open have a process each, unless a pooler gives the one's to the other between two statements. */
    private static int backendOfAnother(DatabaseUrl url) throws SQLException {
        try (Connection other = DriverManager.getConnection(url.jdbcUrl(), url.user(), url.password()); Statement statement = other.createStatement()) {
            return backend(statement);
        }
    }

    private static int backend(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }
}
