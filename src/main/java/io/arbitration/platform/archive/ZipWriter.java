package io.arbitration.platform.archive;

import io.arbitration.domain.hash.ContentHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Writes a zip from its first byte to its last, with ZIP64 where something is large. Holds one buffer and some hundred bytes
 * a file, whatever the files' lengths. Of one thread.
 *
 * <p>What does not compress is deflated at level 0, which copies it: a member that is stored must have its checksum before it,
 * and that is known only when the last byte has passed.
 */
public final class ZipWriter implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int PATH_BYTES_MAX = 1024;
    /** Level 0 and headers make a file a little longer than it was; above this its lengths take eight bytes. */
    private static final long LARGE_FROM_BYTES = 0xf000_0000L;

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException, InterruptedException;
    }

    /** A file that was written: its length and SHA-256 in lower-case hexadecimal. */
    public record Written(String path, long bytes, String sha256) {}

    private final OutputStream out;
    private final int time;
    private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final MessageDigest digest = ContentHash.sha256();
    private long position;
    private long files;

    /** @param at the time that every file is of */
    public ZipWriter(OutputStream out, Instant at) {
        this.out = out;
        this.time = ZipFormat.time(at);
    }

    /** Adds a file that compresses, of less than 4 GB. */
    public Written compressed(String path, Content content) throws IOException, InterruptedException {
        return deflated(path, Deflater.DEFAULT_COMPRESSION, false, content);
    }

    /** Adds a file that compresses and may have any length. */
    public Written compressedLarge(String path, Content content) throws IOException, InterruptedException {
        return deflated(path, Deflater.DEFAULT_COMPRESSION, true, content);
    }

    /** Adds a file as it is: images, PDFs and archives are compressed already. */
    public Written copied(String path, long bytes, Content content) throws IOException, InterruptedException {
        return deflated(path, Deflater.NO_COMPRESSION, bytes > LARGE_FROM_BYTES, content);
    }

    /** Adds a short file that any tool can cut out of the archive. */
    public Written stored(String path, byte[] content) throws IOException {
        CRC32 crc = new CRC32();
        crc.update(content);
        ZipFormat.Header header = new ZipFormat.Header(name(path), ZipFormat.STORED, false, time, position, crc.getValue(), content.length, content.length);
        write(header.local());
        write(content);
        directory.write(header.central());
        files++;
        return new Written(path, content.length, ContentHash.sha256(content));
    }

    private Written deflated(String path, int level, boolean large, Content content) throws IOException, InterruptedException {
        ZipFormat.Header begun = new ZipFormat.Header(name(path), ZipFormat.DEFLATED, large, time, position, 0, 0, 0);
        write(begun.local());
        long start = position;
        deflater.reset();
        deflater.setLevel(level);
        Passing passing = new Passing();
        content.writeTo(passing);
        deflater.finish();
        drain();
        long compressed = position - start;
        if (!large && (compressed >= ZipFormat.FOUR_BYTES_MAX || passing.bytes >= ZipFormat.FOUR_BYTES_MAX)) {
            throw new IOException("%s has more bytes than were announced".formatted(path));
        }
        ZipFormat.Header header = begun.with(passing.crc.getValue(), compressed, passing.bytes);
        write(header.descriptor());
        directory.write(header.central());
        files++;
        return new Written(path, passing.bytes, HexFormat.of().formatHex(passing.sha256.digest()));
    }

    private static byte[] name(String path) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        if (name.length > PATH_BYTES_MAX) {
            throw new IllegalArgumentException("a path of %d bytes".formatted(name.length));
        }
        return name;
    }

    /** Bytes written so far. */
    public long position() {
        return position;
    }

    /** SHA-256 of all bytes written so far; to be asked once, later bytes are not counted. */
    public String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Writes the central directory: only now is the archive whole. */
    public void finish() throws IOException {
        long at = position;
        byte[] all = directory.toByteArray();
        write(all);
        write(ZipFormat.end(files, at, all.length));
        out.flush();
    }

    /** Sends on what has been written, so that a reader sees that there is something. */
    public void flush() throws IOException {
        out.flush();
    }

    private void write(byte[] bytes) throws IOException {
        write(bytes, bytes.length);
    }

    private void write(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
        digest.update(bytes, 0, length);
        position += length;
    }

    private void drain() throws IOException {
        while (!deflater.finished()) {
            int length = deflater.deflate(buffer);
            if (length == 0 && deflater.needsInput()) {
                return;
            }
            write(buffer, length);
        }
    }

    /** The native memory of the compressor. */
    @Override
    public void close() {
        deflater.end();
    }

    /** Content on its way into the compressor. */
    private final class Passing extends OutputStream {

        private final CRC32 crc = new CRC32();
        private final MessageDigest sha256 = ContentHash.sha256();
        private long bytes;

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            crc.update(from, offset, length);
            sha256.update(from, offset, length);
            bytes += length;
            deflater.setInput(from, offset, length);
            while (!deflater.needsInput()) {
                int made = deflater.deflate(buffer);
                ZipWriter.this.write(buffer, made);
            }
        }
    }
}
