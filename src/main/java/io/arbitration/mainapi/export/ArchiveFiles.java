package io.arbitration.mainapi.export;

import io.arbitration.cases.ExportOrder;
import io.arbitration.domain.export.ExportFormat;
import io.arbitration.platform.archive.BlockPipe;
import io.arbitration.platform.archive.ZipWriter;
import io.arbitration.platform.files.FileName;
import io.arbitration.platform.objects.Blocks;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Writes the files of an archive: each into the zip, and with its hash into the manifest. Used by one thread, which it blocks; only {@link
 * #at} may be called by other threads.
 */
final class ArchiveFiles implements AutoCloseable {

    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final int NAME_BYTES_MAX = 220;

    private final ExportOrder order;
    private final ExportAudit audit;
    private final ZipWriter zip;
    private final Manifest manifest = new Manifest();
    private volatile String at = "";

    /** @param pipe gets the bytes of the archive */
    ArchiveFiles(ExportOrder order, ExportAudit audit, Instant exportedAt, BlockPipe pipe) {
        this.order = order;
        this.audit = audit;
        this.zip = new ZipWriter(pipe, exportedAt);
    }

    /** A file name for the archive, cut so that it has at most 255 bytes with its prefix, the limit of most file systems. */
    static String name(String fileName) {
        return FileName.within(fileName, NAME_BYTES_MAX);
    }

    /** The path of the file that is being written; after a failure, of the one that was being written. */
    String at() {
        return at;
    }

    void text(String path, String text) throws IOException, InterruptedException {
        compressed(path, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    void compressed(String path, ZipWriter.Content content) throws IOException, InterruptedException {
        at = path;
        manifest.add(zip.compressed(path, content));
    }

    /** A file that may be longer than 4 GiB. */
    void compressedLarge(String path, ZipWriter.Content content) throws IOException, InterruptedException {
        at = path;
        manifest.add(zip.compressedLarge(path, content));
    }

    void copied(String path, byte[] content) throws IOException, InterruptedException {
        at = path;
        manifest.add(zip.copied(path, content.length, out -> out.write(content)));
    }

    /** An uploaded file; the audit trail records that it was read. */
    record Stored(String contentType, long bytes, Supplier<Future<Blocks>> opening, String action, String subject) {

        private boolean compresses() {
            return contentType.startsWith("text/") || contentType.endsWith("/json") || contentType.endsWith("/xml") || contentType.endsWith("+xml");
        }
    }

    void stored(String path, Stored file) throws IOException, InterruptedException {
        at = path;
        ZipWriter.Content content = out -> copy(file, out);
        manifest.add(file.compresses() ? zip.compressedLarge(path, content) : zip.copied(path, file.bytes, content));
    }

    private void copy(Stored file, OutputStream out) throws IOException, InterruptedException {
        Blocks blocks = await(file.opening.get());
        try {
            Buffer first = await(blocks.next());
            // Recorded in the audit trail only with the first verified block, because a missing or altered file is not read.
            await(audit.write(order, file.action, file.subject));
            for (Buffer block = first; block.length() > 0; block = await(blocks.next())) {
                out.write(block.getBytes());
            }
        } finally {
            blocks.close();
        }
    }

    /** Sends the bytes written so far to the reader. */
    void flush() throws IOException {
        zip.flush();
    }

    /** The manifest, which lists every file before it and covers all bytes before it. The signature covers its own bytes. */
    ZipWriter.Written writeManifest(JsonObject head) throws IOException {
        at = ExportFormat.MANIFEST;
        return zip.stored(at, manifest.bytes(head.put("archive", new JsonObject().put("bytes", zip.position()).put("sha256", zip.sha256()))));
    }

    /** The last file. */
    void writeSignature(String signature) throws IOException {
        at = ExportFormat.SIGNATURE;
        zip.stored(at, signature.getBytes(StandardCharsets.US_ASCII));
        zip.finish();
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    /** Blocks until an event loop or a worker thread has completed a future. */
    static <T> T await(Future<T> future) throws InterruptedException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (TimeoutException late) {
            throw new IllegalStateException("nothing came for " + WAIT, late);
        }
    }
}
