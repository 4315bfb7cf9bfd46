package io.arbitration.platform.archive;

import io.arbitration.domain.hash.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.zip.Zip64Mode;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;

/**
 * Writes a zip from its first byte to its last with Commons Compress, with ZIP64 if something is large. Needs one buffer and some
 * hundred bytes a file, whatever the lengths of the files. The same files give the same bytes. To be used by one thread.
 *
 * <p>Files that are compressed already are deflated at level 0, which copies them: a stored member needs its checksum before its
 * content, and the checksum of a stream is known only at its end.
 */
public final class ZipWriter implements AutoCloseable {

    private static final int PATH_BYTES_MAX = 1024;
    /** A plain file that everyone may read. */
    private static final int PLAIN_FILE = 0100644;
    /** Level 0 and headers make a file a little longer; above this size its lengths take eight bytes. */
    private static final long LARGE_FROM_BYTES = 0xf000_0000L;

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException, InterruptedException;
    }

    /** A file that was written: its length and SHA-256 in lower-case hexadecimal. */
    public record Written(String path, long bytes, String sha256) {}

    private final MessageDigest digest = Sha256.digest();
    private final Members zip;
    private final LocalDateTime time;

    /**
     * @param at the day (UTC) that every file has as its date. The hour is omitted: the format has local time, and the library
     *        converts by the machine's zone, in which an hour may not exist; noon exists in all zones.
     */
    public ZipWriter(OutputStream out, Instant at) {
        zip = new Members(new DigestOutputStream(out, digest));
        time = LocalDate.ofInstant(at, ZoneOffset.UTC).atTime(LocalTime.NOON);
    }

    /** Adds a compressible file of less than 4 GB. */
    public Written compressed(String path, Content content) throws IOException, InterruptedException {
        return deflated(path, Deflater.DEFAULT_COMPRESSION, Zip64Mode.Never, content);
    }

    /** Adds a compressible file of any length. */
    public Written compressedLarge(String path, Content content) throws IOException, InterruptedException {
        return deflated(path, Deflater.DEFAULT_COMPRESSION, Zip64Mode.Always, content);
    }

    /** Adds a file without compressing it: images, PDFs and archives are compressed already. */
    public Written copied(String path, long bytes, Content content) throws IOException, InterruptedException {
        return deflated(path, Deflater.NO_COMPRESSION, bytes > LARGE_FROM_BYTES ? Zip64Mode.Always : Zip64Mode.Never, content);
    }

    /** Adds a short file that any tool can cut out of the archive. */
    public Written stored(String path, byte[] content) throws IOException {
        CRC32 crc = new CRC32();
        crc.update(content);
        ZipArchiveEntry member = member(path, ZipArchiveOutputStream.STORED);
        member.setCrc(crc.getValue());
        member.setSize(content.length);
        zip.setUseZip64(Zip64Mode.Never);
        zip.putArchiveEntry(member);
        zip.write(content);
        zip.closeArchiveEntry();
        return new Written(path, content.length, Sha256.hex(content));
    }

    private Written deflated(String path, int level, Zip64Mode mode, Content content) throws IOException, InterruptedException {
        ZipArchiveEntry member = member(path, ZipArchiveOutputStream.DEFLATED);
        MessageDigest sha256 = Sha256.digest();
        zip.setLevel(level);
        zip.setUseZip64(mode);
        zip.putArchiveEntry(member);
        content.writeTo(new DigestOutputStream(zip, sha256));
        zip.closeArchiveEntry();
        return new Written(path, member.getSize(), HexFormat.of().formatHex(sha256.digest()));
    }

    private ZipArchiveEntry member(String path, int method) {
        int pathBytes = path.getBytes(StandardCharsets.UTF_8).length;
        if (pathBytes > PATH_BYTES_MAX) {
            throw new IllegalArgumentException("a path of %d bytes".formatted(pathBytes));
        }
        ZipArchiveEntry member = new ZipArchiveEntry(path);
        member.setMethod(method);
        member.setTimeLocal(time);
        member.setUnixMode(PLAIN_FILE);
        // Also if the name ends with a slash, which the library takes for a folder.
        member.setExternalAttributes((long) PLAIN_FILE << 16);
        return member;
    }

    /** Bytes written so far. */
    public long position() {
        return zip.getBytesWritten();
    }

    /** SHA-256 of all bytes written so far; call it once, because later bytes are not counted. */
    public String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Writes the central directory; only then is the archive complete. */
    public void finish() throws IOException {
        zip.setUseZip64(Zip64Mode.AsNeeded);
        zip.finish();
        zip.flush();
    }

    /** Passes on what has been written, so that a reader gets it. */
    public void flush() throws IOException {
        zip.flush();
    }

    /** Frees the native memory of the compressor. An unfinished archive stays unfinished. */
    @Override
    public void close() {
        zip.release();
    }

    /** The library's own {@code close} would finish an aborted archive and make it look complete. */
    private static final class Members extends ZipArchiveOutputStream {

        Members(OutputStream out) {
            super(out);
        }

        void release() {
            def.end();
        }
    }
}
