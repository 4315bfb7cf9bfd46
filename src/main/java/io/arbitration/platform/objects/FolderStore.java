package io.arbitration.platform.objects;

import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bucket in a folder. An object is written under {@value #INCOMING} and renamed to its path when all of it is written. Its bytes
 * and its name are on the disk before it counts as complete, and no row names it before. What a power failure leaves at the path
 * of an object that no row names is deleted by the sweeper.
 */
final class FolderStore implements ObjectStore {

    static final String INCOMING = ".incoming";
    /** Written bytes are flushed early, in steps of this size, so that the last flush has little to write. */
    private static final long EARLY_FORCE_BYTES = 8_388_608;
    private static final Logger LOG = LoggerFactory.getLogger(FolderStore.class);

    private final Path root;
    private final WorkerExecutor worker;
    /** Folders whose names are on the disk: some hundred, because objects are spread over 256 folders of each kind. */
    private final Set<Path> durableFolders = ConcurrentHashMap.newKeySet();

    FolderStore(Path root, WorkerExecutor worker) {
        this.root = root.toAbsolutePath().normalize();
        this.worker = worker;
    }

    @Override
    public Future<ObjectWriter> write(String path) {
        return Future.succeededFuture(new Writer(path));
    }

    @Override
    public Future<Blocks> read(String path, long from, long length, Check check) {
        return blocking(path, () -> new Reader(path, open(path), from, length, check));
    }

    /** Opens the object, reads its length and its first block in one task: each worker task costs its scheduling time. */
    @Override
    public Future<Blocks> read(String path, long bytes, long from, long length, Check check) {
        return blocking(path, () -> {
            Reader reader = new Reader(path, open(path), from, length, check);
            try {
                if (reader.channel.size() != bytes) {
                    throw ObjectStore.otherLength(path, reader.channel.size(), bytes);
                }
                reader.ahead = length == 0 ? null : reader.block();
                return reader;
            } catch (IOException | RuntimeException failed) {
                reader.channel.close();
                throw failed;
            }
        });
    }

    @Override
    public Future<Long> length(String path) {
        return blocking(path, () -> {
            try (FileChannel channel = open(path)) {
                return channel.size();
            }
        });
    }

    /** The first object creates the folder; until then its parent is checked. */
    @Override
    public Future<Void> reachable() {
        return blocking("", () -> {
            Path there = root;
            while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS) && there.getParent() != null) {
                there = there.getParent();
            }
            if (!Files.isDirectory(there) || !Files.isWritable(there)) {
                throw new IOException(there + " is no folder that this user may write to");
            }
            return null;
        });
    }

    @Override
    public Future<Void> delete(String path) {
        return blocking(path, () -> {
            Files.deleteIfExists(incoming(path));
            Files.deleteIfExists(file(path));
            return null;
        });
    }

    /** Does not follow symbolic links: the platform has written everything in a bucket. */
    private FileChannel open(String path) throws IOException {
        return FileChannel.open(file(path), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    /** The file of an object, for reading only. */
    Path file(String path) {
        Path file = root.resolve(path).normalize();
        if (!file.startsWith(root) || file.equals(root)) {
            throw new IllegalArgumentException("an object outside of its bucket: " + path);
        }
        return file;
    }

    /** The same for every attempt to write that path, so that the file of an aborted attempt is found. */
    private Path incoming(String path) {
        return root.resolve(INCOMING).resolve(UUID.nameUUIDFromBytes(path.getBytes(StandardCharsets.UTF_8)).toString());
    }

    /** Makes a folder of this bucket, and forces its name and those of the folders above it to the disk, once in this process. */
    private void makeFolder(Path folder) throws IOException {
        if (!durableFolders.contains(folder)) {
            makeDurable(folder);
        }
    }

    private synchronized void makeDurable(Path folder) throws IOException {
        boolean isGiven = folder.equals(root) && Files.isDirectory(folder);
        if (!isGiven) {
            if (!folder.equals(root)) {
                makeFolder(folder.getParent());
            }
            Files.createDirectories(folder);
            force(folder.getParent());
        }
        durableFolders.add(folder);
    }

    /** A new or changed name survives a power failure only if its folder was forced to the disk. */
    private static void force(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private <T> Future<T> blocking(String path, Callable<T> work) {
        return worker.executeBlocking(work, false).recover(failure -> Future.failedFuture(asFailure(path, failure)));
    }

    private ObjectFailure asFailure(String path, Throwable failure) {
        return switch (failure) {
            case ObjectFailure known -> known;
            case NoSuchFileException missing -> new ObjectFailure(ObjectFailure.Kind.MISSING, root.resolve(path) + " is missing", missing);
            default -> new ObjectFailure(ObjectFailure.Kind.UNAVAILABLE, root.resolve(path) + ": " + failure.getMessage(), failure);
        };
    }

    final class Writer extends ObjectWriter {

        private final String path;
        private final Path incoming;
        /** Null until the first bytes: opening the file and writing them is one worker task. */
        private FileChannel channel;
        private long notForced;
        private Future<Void> forcing = Future.succeededFuture();

        Writer(String path) {
            super(worker);
            this.path = path;
            this.incoming = incoming(path);
        }

        private void open() throws IOException {
            if (channel == null) {
                Files.createDirectories(root.resolve(INCOMING));
                channel = FileChannel.open(incoming, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            }
        }

        @Override
        void keep(byte[] bytes) {
            try {
                open();
                ByteBuffer left = ByteBuffer.wrap(bytes);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
            } catch (IOException failed) {
                throw asFailure(path, failed);
            }
            notForced += bytes.length;
        }

        @Override
        Future<Void> settle() {
            if (notForced >= EARLY_FORCE_BYTES && forcing.isComplete()) {
                notForced = 0;
                forcing = blocking(path, () -> {
                    channel.force(false);
                    return null;
                });
            }
            return Future.succeededFuture();
        }

        @Override
        Future<Void> complete() {
            return forcing.compose(forced -> blocking(path, () -> {
                open();
                Path file = file(path);
                // Renamed before the bytes are forced: file systems with one journal then write length and name in one commit.
                moveTo(file);
                channel.force(true);
                channel.close();
                force(file.getParent());
                return null;
            }));
        }

        private void moveTo(Path file) throws IOException {
            makeFolder(file.getParent());
            try {
                Files.move(incoming, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (NoSuchFileException gone) {
                // Somebody has deleted a folder since it was made.
                durableFolders.clear();
                makeFolder(file.getParent());
                Files.move(incoming, file, StandardCopyOption.ATOMIC_MOVE);
            }
        }

        @Override
        Future<Void> close() {
            return channel == null || !channel.isOpen() ? Future.succeededFuture() : forcing.transform(forced -> blocking(path, () -> {
                channel.close();
                return null;
            }));
        }
    }

    private final class Reader implements Blocks {

        private final String path;
        private final FileChannel channel;
        private final Check check;
        private long position;
        private long left;
        /** The first block, if it was read when the object was opened. */
        private Buffer ahead;

        Reader(String path, FileChannel channel, long from, long length, Check check) {
            this.path = path;
            this.channel = channel;
            this.check = check;
            this.position = from;
            this.left = length;
        }

        @Override
        public Future<Buffer> next() {
            if (ahead != null) {
                Buffer first = ahead;
                ahead = null;
                return Future.succeededFuture(first);
            }
            return left == 0 ? Future.succeededFuture(Buffer.buffer(0)) : blocking(path, this::block);
        }

        private Buffer block() throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(left, Fingerprint.BLOCK_BYTES));
            while (bytes.hasRemaining()) {
                int count = channel.read(bytes, position + bytes.position());
                if (count < 0) {
                    throw new ObjectFailure(ObjectFailure.Kind.ALTERED, root.resolve(path) + " is shorter than it was");
                }
            }
            check.check(bytes.array());
            position += bytes.capacity();
            left -= bytes.capacity();
            if (left == 0) {
                channel.close();
            }
            return Buffer.buffer(bytes.array());
        }

        @Override
        public void close() {
            if (!channel.isOpen()) {
                return;
            }
            // A read in progress then fails; nobody waits for it any more.
            worker.executeBlocking(() -> {
                channel.close();
                return null;
            }, false).onFailure(failed -> LOG.warn("closing {} failed: {}", root.resolve(path), failed.getMessage()));
        }
    }
}
