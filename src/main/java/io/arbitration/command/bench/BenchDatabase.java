package io.arbitration.command.bench;

import io.arbitration.platform.db.DatabaseUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Plain SQL on the database of a site, for what no operation of the platform gives. */
final class BenchDatabase implements AutoCloseable {

    private final Connection connection;

    private BenchDatabase(Connection connection) {
        this.connection = connection;
    }

    static BenchDatabase open(DatabaseUrl url) {
        try {
            return new BenchDatabase(connect(url));
        } catch (SQLException failed) {
            throw new BenchFailed("cannot connect to %s: %s".formatted(url, failed.getMessage()), failed);
        }
    }

    static Connection connect(DatabaseUrl url) throws SQLException {
        return DriverManager.getConnection(url.jdbcUrl(), url.user(), url.password());
    }

    void run(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new BenchFailed("%s%nfailed: %s".formatted(sql, failed.getMessage()), failed);
        }
    }

    /** The first two columns of each row, as text. */
    List<String[]> pairs(String sql) {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            List<String[]> pairs = new ArrayList<>();
            while (rows.next()) {
                pairs.add(new String[] {rows.getString(1), rows.getString(2)});
            }
            return pairs;
        } catch (SQLException failed) {
            throw new BenchFailed("%s%nfailed: %s".formatted(sql, failed.getMessage()), failed);
        }
    }

    long number(String sql) {
        return Long.parseLong(pairs("select value, null from (%s) as one (value)".formatted(sql)).getFirst()[0]);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException failed) {
            throw new BenchFailed("closing the connection failed", failed);
        }
    }
}
