package io.arbitration.command.bench;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * What a benchmark printed, for programs: a line of JSON for each figure, in the file that the variable names which {@code bench all} sets.
 * Without the variable nothing is written.
 */
final class Figures {

    static final String FILE_VARIABLE = "BENCH_FIGURES_FILE";

    private static final Optional<Path> FILE = Optional.ofNullable(System.getenv(FILE_VARIABLE)).map(Path::of);

    private Figures() {}

    static void add(JsonObject figure) {
        FILE.ifPresent(file -> {
            try {
                Files.writeString(file, figure.encode() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
    }

    /** Those of a file, in order; none of a benchmark that wrote none. */
    static List<JsonObject> read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8).lines().map(JsonObject::new).toList();
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
