package io.arbitration.command.bench;

import io.arbitration.platform.db.DatabaseUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Plain SQL on the database of a site, for what no operation of the platform gives. */
final class BenchDatabase implements AutoCloseable {

    private final Connection connection;

    private BenchDatabase(Connection connection) {
        this.connection = connection;
    }

    static BenchDatabase open(DatabaseUrl url) {
        try {
            // Each statement as it stands: one with placeholders can then be explained.
            Properties properties = new Properties();
            properties.setProperty("user", url.user());
            properties.setProperty("password", url.password());
            properties.setProperty("preferQueryMode", "simple");
            return new BenchDatabase(DriverManager.getConnection(url.jdbcUrl(), properties));
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
        return rowsOf(sql, 2);
    }

    /** The first column of each row, as text. */
    List<String> texts(String sql) {
        return rowsOf(sql, 1).stream().map(row -> row[0]).toList();
    }

    /** The first columns of each row, as text. */
    List<String[]> rowsOf(String sql, int columns) {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            List<String[]> all = new ArrayList<>();
            while (rows.next()) {
                String[] row = new String[columns];
                for (int i = 0; i < columns; i++) {
                    row[i] = rows.getString(i + 1);
                }
                all.add(row);
            }
            return all;
        } catch (SQLException failed) {
            throw new BenchFailed("%s%nfailed: %s".formatted(sql, failed.getMessage()), failed);
        }
    }

    long number(String sql) {
        return Long.parseLong(texts(sql).getFirst());
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
