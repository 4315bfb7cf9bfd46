package io.arbitration.platform.db;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A migration as it stands in the sources.
 *
 * @param name of its file
 */
public record MigrationFile(String name, String sql) {

    private static final Path FOLDER = Path.of("src/main/resources/db/migration");

    /** All of them, in the order in which they run. */
    public static List<MigrationFile> all() throws IOException {
        List<MigrationFile> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.sorted().toList()) {
                all.add(new MigrationFile(file.getFileName().toString(), Files.readString(file)));
            }
        }
        return all;
    }

    public List<String> statements() {
        return statements(sql);
    }

    /** Statements without comments, in one line each, in lower case. */
    static List<String> statements(String sql) {
        String bare = sql.replaceAll("(?m)--.*$", "");
        List<String> all = new ArrayList<>();
        StringBuilder statement = new StringBuilder();
        boolean quoted = false;
        for (String part : bare.splitWithDelimiters("\\$\\$|;|'", 0)) {
            switch (part) {
                case "$$", "'" -> {
                    quoted = !quoted;
                    statement.append(part);
                }
                case ";" -> {
                    if (quoted) {
                        statement.append(part);
                    } else {
                        all.add(statement.toString());
                        statement.setLength(0);
                    }
                }
                default -> statement.append(part);
            }
        }
        all.add(statement.toString());
        return all.stream().map(one -> one.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT)).filter(one -> !one.isEmpty()).toList();
    }
}
