package io.arbitration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A module of Go as a module proxy serves it, so that a test installs it as everybody does: {@code GOPROXY=file://…}. */
final class GoModule {

    private GoModule() {}

    /** Publishes the module in a folder below the folder of a proxy. */
    static void publish(Path module, String path, String version, Path proxy) throws IOException {
        Path versions = Files.createDirectories(proxy.resolve(path).resolve("@v"));
        Files.writeString(versions.resolve("list"), version + "\n");
        Files.writeString(versions.resolve(version + ".info"), "{\"Version\":\"%s\",\"Time\":\"2026-01-01T00:00:00Z\"}".formatted(version));
        Files.copy(module.resolve("go.mod"), versions.resolve(version + ".mod"));
        try (Stream<Path> files = Files.walk(module); ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(versions.resolve(version + ".zip")))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                zip.putNextEntry(new ZipEntry(path + "@" + version + "/" + module.relativize(file)));
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
    }
}
