package io.arbitration.platform.reading;

import io.arbitration.platform.objects.Blocks;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Supplier;

/** A copy of an object in a temporary folder of its own. Used by one thread at a time. */
final class ObjectCopy {

    private final Path folder;
    private final Path file;
    private final MessageDigest digest;
    private long bytes;

    private ObjectCopy(Path folder) {
        this.folder = folder;
        this.file = folder.resolve("object");
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Copies an object. When that fails, nothing is left; else {@link #remove} is to be called. */
    static Future<ObjectCopy> of(WorkerExecutor worker, Supplier<Future<Blocks>> object) {
        return worker.executeBlocking(() -> new ObjectCopy(Files.createTempDirectory("acp-reading-")), false).compose(copy -> object.get()
                .compose(blocks -> copy.take(worker, blocks).eventually(() -> {
                    blocks.close();
                    return Future.succeededFuture();
                }))
                .map(copy)
                .recover(failed -> worker.executeBlocking(copy::remove, false).transform(removed -> Future.failedFuture(failed))));
    }

    private Future<Void> take(WorkerExecutor worker, Blocks blocks) {
        return blocks.next().compose(block -> block.length() == 0
                ? Future.succeededFuture()
                : worker.executeBlocking(() -> append(block.getBytes()), false).compose(appended -> take(worker, blocks)));
    }

    private Void append(byte[] block) throws IOException {
        Files.write(file, block, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        digest.update(block);
        bytes += block.length;
        return null;
    }

    /** The folder, for what is made of the object. */
    Path folder() {
        return folder;
    }

    Path file() {
        return file;
    }

    long bytes() {
        return bytes;
    }

    /** SHA-256 of the object in hexadecimal; asked for once. */
    String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Removes the folder. When that fails, it is logged: the object has been read all the same. */
    Void remove() {
        ReadingProcesses.remove(folder);
        return null;
    }
}
