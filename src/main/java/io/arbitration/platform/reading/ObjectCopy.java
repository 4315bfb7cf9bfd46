package io.arbitration.platform.reading;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.objects.Blocks;
import io.arbitration.platform.objects.Fingerprint;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** An object as a file, with a temporary folder of its own: a copy in that folder, or the file where it is stored. Used by one thread at a time. */
final class ObjectCopy {

    private final Path folder;
    private final Path file;
    private final Optional<Fingerprint> known;
    private final MessageDigest digest;
    private long bytes;

    private ObjectCopy(Path folder, Path file, Optional<Fingerprint> known) {
        this.folder = folder;
        this.file = file;
        this.known = known;
        this.digest = Sha256.digest();
    }

    /**
     * Copies an object. When that fails, nothing is left; else {@link #remove} is to be called.
     *
     * @param known by which the blocks of the object are verified; empty where they are not
     */
    static Future<ObjectCopy> of(WorkerExecutor worker, Optional<Fingerprint> known, Supplier<Future<Blocks>> object) {
        return made(worker, folder -> new ObjectCopy(folder, folder.resolve("object"), known), object, ObjectCopy::take);
    }

    /** The same of an object in the place where it is stored: it is read once, block by block, so that each is verified, and left as it is. */
    static Future<ObjectCopy> inPlace(WorkerExecutor worker, Path stored, Fingerprint known, Supplier<Future<Blocks>> object) {
        return made(worker, folder -> new ObjectCopy(folder, stored, Optional.of(known)), object, ObjectCopy::pass);
    }

    /** What is done with the blocks of an object. */
    @FunctionalInterface
    private interface Reading {
        Future<Void> of(ObjectCopy copy, WorkerExecutor worker, Blocks blocks);
    }

    private static Future<ObjectCopy> made(WorkerExecutor worker, Function<Path, ObjectCopy> fresh, Supplier<Future<Blocks>> object, Reading reading) {
        return worker.executeBlocking(() -> fresh.apply(Files.createTempDirectory("acp-reading-")), false).compose(copy -> object.get()
                .compose(blocks -> reading.of(copy, worker, blocks).eventually(() -> {
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
        if (known.isEmpty()) {
            digest.update(block);
        }
        bytes += block.length;
        return null;
    }

    private Future<Void> pass(WorkerExecutor worker, Blocks blocks) {
        return blocks.next().compose(block -> {
            bytes += block.length();
            return block.length() == 0 ? Future.succeededFuture() : pass(worker, blocks);
        });
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
        return known.map(Fingerprint::sha256).orElseGet(() -> HexFormat.of().formatHex(digest.digest()));
    }

    /** Removes the folder. When that fails, it is logged: the object has been read all the same. */
    Void remove() {
        ReadingProcesses.remove(folder);
        return null;
    }
}
