package io.arbitration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A copy of the shipped definitions that a test changes. */
public record DefinitionsCopy(Path folder) {

    /** Copies the shipped definitions into this folder, which is new or empty. */
    public static DefinitionsCopy in(Path folder) {
        return copy(Path.of("conf/definitions"), folder);
    }

    /** A copy of this copy in another folder. */
    public DefinitionsCopy again(Path other) {
        return copy(folder, other);
    }

    private static DefinitionsCopy copy(Path from, Path to) {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Path copy = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(path, copy);
                }
            }
            return new DefinitionsCopy(to);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Replaces a text of a file, which must be in it. */
    public DefinitionsCopy replace(String file, String text, String replacement) {
        Path path = folder.resolve(file);
        try {
            String before = Files.readString(path);
            if (!before.contains(text)) {
                throw new IllegalArgumentException("%s does not contain: %s".formatted(path, text));
            }
            Files.writeString(path, before.replace(text, replacement));
            return this;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
