package io.arbitration;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A file system so small that a test can fill it. It needs root; elsewhere the test is skipped. */
public final class SmallDisk implements AutoCloseable {

    private static final int BLOCK_BYTES = 4096;
    private static final int FILES_MAX = 10_000;

    private final Path folder;
    private final List<Path> ballast = new ArrayList<>();

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** @param folder exists and is empty */
    public static SmallDisk mount(Path folder, int megabytes) throws InterruptedException {
        boolean mounted = OtherRuntimes.runs("mount", "-t", "tmpfs", "-o", "size=%dm,nr_inodes=%d".formatted(megabytes, FILES_MAX), "tmpfs", folder.toString());
        if (!mounted) {
            System.out.println("skipped: a small disk cannot be mounted here (needs root)");
        }
        Assumptions.assumeTrue(mounted, "a small disk cannot be mounted here");
        return new SmallDisk(folder);
    }

    public Path folder() {
        return folder;
    }

    /** Writes until at most so many bytes are left. */
    public void fill(long leaving) throws IOException {
        Path file = folder.resolve("ballast-" + ballast.size());
        ballast.add(file);
        byte[] block = new byte[BLOCK_BYTES];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (Files.getFileStore(file).getUsableSpace() >= leaving + block.length) {
                out.write(block);
            }
        }
    }

    /** Makes files without content until no file and no folder can be made. */
    public void fillWithNames() throws IOException {
        for (int i = 0; i <= FILES_MAX; i++) {
            Path file = folder.resolve("name-" + i);
            try {
                Files.createFile(file);
            } catch (FileSystemException full) {
                return;
            }
            ballast.add(file);
        }
        throw new IllegalStateException("more than %d files".formatted(FILES_MAX));
    }

    /** Removes what filled it. */
    public void empty() throws IOException {
        for (Path file : ballast) {
            Files.delete(file);
        }
        ballast.clear();
    }

    @Override
    public void close() {
        try {
            if (!OtherRuntimes.runs("umount", folder.toString())) {
                throw new UncheckedIOException(new IOException(folder + " cannot be unmounted"));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
