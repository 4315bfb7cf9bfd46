package io.arbitration.platform.db;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Whether a database has all migrations of this build already, with the same content. Then Flyway has nothing to do, and a start need not
 * load it. What is not certain here is left to Flyway, which migrates or says what is wrong. Blocks.
 */
final class AppliedMigrations {

    /** On the class path. */
    static final String FOLDER = "db/migration";

    private static final Pattern NAME = Pattern.compile("V(\\d+)__[a-z0-9_]+\\.sql");
    private static final String NO_SUCH_TABLE = "42P01";

    private AppliedMigrations() {}

    /** A migration of this build. */
    record Own(int version, String file) {}

    /** @throws SQLException when the database cannot be reached */
    static boolean areAll(Connection connection) throws SQLException {
        Optional<Map<Integer, Integer>> applied = applied(connection);
        return applied.isPresent() && own().stream().allMatch(migration -> Integer.valueOf(checksum(migration)).equals(applied.get().get(migration.version)));
    }

    /** The checksums of those that ran, by version; empty when there are none yet, or one has failed. */
    private static Optional<Map<Integer, Integer>> applied(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select version::int, checksum, success from platform.migrations where version is not null")) {
            Map<Integer, Integer> checksums = new HashMap<>();
            while (row.next()) {
                if (!row.getBoolean(3)) {
                    return Optional.empty();
                }
                checksums.put(row.getInt(1), row.getInt(2));
            }
            return Optional.of(checksums);
        } catch (SQLException failed) {
            if (NO_SUCH_TABLE.equals(failed.getSQLState())) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    /** Those on the class path. */
    static List<Own> own() {
        try {
            URLConnection folder = AppliedMigrations.class.getClassLoader().getResource(FOLDER + "/").openConnection();
            if (folder instanceof JarURLConnection inJar) {
                return own(inJar.getJarFile().stream().map(JarEntry::getName).filter(name -> name.startsWith(FOLDER + "/"))
                        .map(name -> name.substring(FOLDER.length() + 1)));
            }
            try (Stream<Path> files = Files.list(Path.of(folder.getURL().toURI()))) {
                return own(files.map(file -> file.getFileName().toString()));
            }
        } catch (IOException | URISyntaxException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static List<Own> own(Stream<String> names) {
        return names.map(NAME::matcher).filter(Matcher::matches).map(name -> new Own(Integer.parseInt(name.group(1)), name.group())).toList();
    }

    /** As Flyway computes it: the CRC-32 of all lines, without their ends. */
    private static int checksum(Own migration) {
        CRC32 checksum = new CRC32();
        try (InputStream file = AppliedMigrations.class.getClassLoader().getResourceAsStream(FOLDER + "/" + migration.file);
                BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            lines.lines().forEach(line -> checksum.update(line.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        return (int) checksum.getValue();
    }
}
