package io.arbitration.platform.db;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL that are packed in a library of the platform, unpacked once for each version into a folder that data folders share. */
final class PostgresPrograms {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresPrograms.class);
    private static final String PACKED = "postgres-linux-%s.txz";
    private static final int EXECUTABLE = 0100;

    private final Path folder;

    private PostgresPrograms(Path folder) {
        this.folder = folder;
    }

    /**
     * The programs below a folder. Unpacks them if they are not there yet, which takes some seconds.
     *
     * @throws IOException when they cannot be written, or there are none for the processor of this machine
     */
    static PostgresPrograms in(Path parent) throws IOException {
        URL packed = packed();
        Path folder = parent.resolve("postgres-" + checksum(packed));
        if (!Files.isDirectory(folder)) {
            unpack(packed, folder);
        }
        return new PostgresPrograms(folder);
    }

    private static URL packed() throws IOException {
        String processor = System.getProperty("os.arch");
        URL packed = PostgresPrograms.class.getClassLoader().getResource(PACKED.formatted(processor.equals("aarch64") ? "arm_64" : "x86_64"));
        if (packed == null) {
            throw new IOException("this build has no PostgreSQL for the processor %s; set database.url".formatted(processor));
        }
        return packed;
    }

    /** As the directory of the library has it: reading 15 MB to compute it would take longer than the start of the server. */
    private static String checksum(URL packed) throws IOException {
        URLConnection connection = packed.openConnection();
        // A shared connection would keep the library open a second time.
        connection.setUseCaches(false);
        if (!(connection instanceof JarURLConnection library)) {
            throw new IOException("%s is not in a library".formatted(packed));
        }
        try (var opened = library.getJarFile()) {
            return HexFormat.of().toHexDigits((int) library.getJarEntry().getCrc());
        }
    }

    /** Unpacks beside the folder and renames, so that a folder of this name is always complete, also when several platforms start at once. */
    private static void unpack(URL packed, Path folder) throws IOException {
        LOG.info("unpacking PostgreSQL into {}", folder);
        Path fresh = Files.createTempDirectory(folder.getParent(), "postgres-unpacking-");
        try {
            try (InputStream compressed = packed.openStream(); TarArchiveInputStream files = new TarArchiveInputStream(new XZInputStream(compressed))) {
                for (TarArchiveEntry entry = files.getNextEntry(); entry != null; entry = files.getNextEntry()) {
                    write(entry, files, fresh);
                }
            }
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            delete(fresh);
            // Another platform has unpacked them meanwhile.
            if (!Files.isDirectory(folder)) {
                throw failed;
            }
        }
    }

    private static void write(TarArchiveEntry entry, InputStream content, Path folder) throws IOException {
        Path file = folder.resolve(entry.getName()).normalize();
        if (!file.startsWith(folder)) {
            throw new IOException("the packed PostgreSQL names a file outside of its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(file);
            return;
        }
        Files.createDirectories(file.getParent());
        if (entry.isSymbolicLink() || entry.isLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(content, file);
        if ((entry.getMode() & EXECUTABLE) != 0 && !file.toFile().setExecutable(true, false)) {
            throw new IOException("%s cannot be made executable".formatted(file));
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /**
     * A command of one of the programs. PostgreSQL refuses to run as root. For root the command therefore begins with {@code unshare}, which
     * runs it without root's rights as far as PostgreSQL can see; files still belong to root.
     */
    List<String> command(String program, List<String> arguments) throws IOException {
        List<String> command = List.of(folder.resolve("bin").resolve(program).toString());
        List<String> prefix = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0) ? List.of("unshare", "--user") : List.of();
        return Stream.of(prefix, command, arguments).flatMap(List::stream).toList();
    }
}
