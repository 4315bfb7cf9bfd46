package io.arbitration.platform.archive;

import static io.arbitration.platform.archive.ZipFormat.CENTRAL;
import static io.arbitration.platform.archive.ZipFormat.CENTRAL_BYTES;
import static io.arbitration.platform.archive.ZipFormat.END;
import static io.arbitration.platform.archive.ZipFormat.END_64;
import static io.arbitration.platform.archive.ZipFormat.END_64_BYTES;
import static io.arbitration.platform.archive.ZipFormat.END_BYTES;
import static io.arbitration.platform.archive.ZipFormat.FOUR_BYTES_MAX;
import static io.arbitration.platform.archive.ZipFormat.LOCATOR_64_BYTES;
import static io.arbitration.platform.archive.ZipFormat.TWO_BYTES_MAX;

import io.arbitration.domain.hash.ContentHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * Reads an archive that {@link ZipWriter} wrote, and no other: every byte between the files must be the one that the writer
 * writes, so that no two programs can see different files in it and nothing hides between them. Unpacks nothing to disk.
 */
public final class ZipReader implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int PATH_BYTES_MAX = 1024;
    private static final int EXTRA_BYTES_MAX = 28;

    private final FileChannel file;
    private final List<ZipFormat.Header> headers = new ArrayList<>();
    private final MessageDigest digest = ContentHash.sha256();

    private ZipReader(FileChannel file) {
        this.file = file;
    }

    /** A file in the archive, as its directory tells. */
    public record Member(int index, String path, long offset, long bytes, long compressedBytes) {}

    /**
     * Reads the directory of an archive.
     *
     * @param filesMax more are not read
     * @throws BrokenArchive when it is none of this platform
     */
    public static ZipReader open(Path path, int filesMax) throws IOException {
        FileChannel file = FileChannel.open(path);
        ZipReader reader = new ZipReader(file);
        try {
            reader.readDirectory(filesMax);
            return reader;
        } catch (IOException | RuntimeException broken) {
            file.close();
            throw broken;
        }
    }

    private void readDirectory(int filesMax) throws IOException {
        long size = file.size();
        if (size < END_BYTES) {
            throw new BrokenArchive("it is no zip, or its end is missing");
        }
        ByteBuffer end = at(size - END_BYTES, END_BYTES);
        if (end.getInt(0) != END) {
            throw new BrokenArchive("it is no zip, or its end is missing");
        }
        long count = Short.toUnsignedLong(end.getShort(10));
        long bytes = Integer.toUnsignedLong(end.getInt(12));
        long directoryAt = Integer.toUnsignedLong(end.getInt(16));
        long endAt = size - END_BYTES;
        if (count == TWO_BYTES_MAX || bytes == FOUR_BYTES_MAX || directoryAt == FOUR_BYTES_MAX) {
            endAt -= END_64_BYTES + LOCATOR_64_BYTES;
            ByteBuffer end64 = endAt < 0 ? ByteBuffer.allocate(0) : at(endAt, END_64_BYTES);
            if (end64.limit() == 0 || end64.getInt(0) != END_64) {
                throw new BrokenArchive("its end is not as the platform writes it");
            }
            count = end64.getLong(32);
            bytes = end64.getLong(40);
            directoryAt = end64.getLong(48);
        }
        if (count < 0 || count > filesMax) {
            throw new BrokenArchive("it names %s files, at most %d are read".formatted(Long.toUnsignedString(count), filesMax));
        }
        boolean fits = directoryAt >= 0 && bytes >= count * CENTRAL_BYTES && bytes <= count * (CENTRAL_BYTES + PATH_BYTES_MAX + EXTRA_BYTES_MAX)
                && directoryAt <= endAt && directoryAt + bytes == endAt;
        if (!fits || !Arrays.equals(at(endAt, (int) (size - endAt)).array(), ZipFormat.end(count, directoryAt, bytes))) {
            throw new BrokenArchive("its end is not as the platform writes it");
        }
        readHeaders((int) count, directoryAt, bytes);
    }

    private void readHeaders(int count, long directoryAt, long bytes) throws IOException {
        InputStream in = new java.io.BufferedInputStream(new Part(directoryAt, bytes, null), BUFFER_BYTES);
        long expected = 0;
        for (int i = 0; i < count; i++) {
            ZipFormat.Header header = header(in, i);
            if (header.offset() != expected) {
                throw new BrokenArchive("%s does not stand where the file before it ends".formatted(header.name()));
            }
            headers.add(header);
            expected += header.local().length + header.compressed() + header.descriptor().length;
            if (header.compressed() > directoryAt || expected > directoryAt) {
                throw new BrokenArchive("%s is longer than the archive".formatted(header.name()));
            }
        }
        if (expected != directoryAt || in.read() >= 0) {
            throw new BrokenArchive("something stands between its last file and its directory, or behind that");
        }
    }

    private static ZipFormat.Header header(InputStream in, int index) throws IOException {
        BrokenArchive broken = new BrokenArchive("line %d of its directory is not as the platform writes it".formatted(index + 1));
        byte[] fixed = in.readNBytes(CENTRAL_BYTES);
        if (fixed.length < CENTRAL_BYTES) {
            throw broken;
        }
        ByteBuffer from = ByteBuffer.wrap(fixed).order(ByteOrder.LITTLE_ENDIAN);
        int nameBytes = Short.toUnsignedInt(from.getShort(28));
        int extraBytes = Short.toUnsignedInt(from.getShort(30));
        if (from.getInt(0) != CENTRAL || nameBytes == 0 || nameBytes > PATH_BYTES_MAX || extraBytes > EXTRA_BYTES_MAX) {
            throw broken;
        }
        byte[] name = in.readNBytes(nameBytes);
        byte[] extra = in.readNBytes(extraBytes);
        long compressed = Integer.toUnsignedLong(from.getInt(20));
        long bytes = Integer.toUnsignedLong(from.getInt(24));
        long offset = Integer.toUnsignedLong(from.getInt(42));
        boolean large = bytes == FOUR_BYTES_MAX;
        ByteBuffer more = ByteBuffer.wrap(extra).order(ByteOrder.LITTLE_ENDIAN);
        if (extra.length != (large ? 16 : 0) + (offset == FOUR_BYTES_MAX ? 8 : 0) + (large || offset == FOUR_BYTES_MAX ? 4 : 0)) {
            throw broken;
        }
        more.position(Math.min(4, extra.length));
        if (large) {
            bytes = more.getLong();
            compressed = more.getLong();
        }
        if (offset == FOUR_BYTES_MAX) {
            offset = more.getLong();
        }
        int method = from.getShort(10);
        ZipFormat.Header header = new ZipFormat.Header(name, method, large, from.getInt(12), offset,
                Integer.toUnsignedLong(from.getInt(16)), compressed, bytes);
        byte[] raw = new byte[fixed.length + name.length + extra.length];
        System.arraycopy(fixed, 0, raw, 0, fixed.length);
        System.arraycopy(name, 0, raw, fixed.length, name.length);
        System.arraycopy(extra, 0, raw, fixed.length + name.length, extra.length);
        boolean known = method == ZipFormat.STORED && bytes == compressed || method == ZipFormat.DEFLATED;
        if (!known || bytes < 0 || compressed < 0 || offset < 0 || !isUtf8(name) || !Arrays.equals(raw, header.central())) {
            throw broken;
        }
        return header;
    }

    private static boolean isUtf8(byte[] name) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }

    /** The files in their order. */
    public List<Member> members() {
        List<Member> members = new ArrayList<>(headers.size());
        for (int i = 0; i < headers.size(); i++) {
            ZipFormat.Header header = headers.get(i);
            members.add(new Member(i, header.name(), header.offset(), header.bytes(), header.compressed()));
        }
        return members;
    }

    /** Does something with the content of a file. */
    @FunctionalInterface
    public interface Reading {
        void from(InputStream content) throws IOException;
    }

    /**
     * Reads a file, which must be asked for in their order: every byte of the archive passes once, for {@link #sha256}. What the
     * reading leaves is read, too.
     *
     * @throws BrokenArchive when header, content or checksum is not what the directory says
     */
    public void read(Member member, Reading reading) throws IOException {
        ZipFormat.Header header = headers.get(member.index());
        boolean asWritten = passes(header.offset(), header.local());
        long contentAt = header.offset() + header.local().length;
        BrokenArchive broken = null;
        try {
            content(header, new Part(contentAt, header.compressed(), digest), reading);
        } catch (BrokenArchive content) {
            broken = content;
        }
        asWritten &= passes(contentAt + header.compressed(), header.descriptor());
        if (broken != null) {
            throw broken;
        }
        if (!asWritten) {
            throw new BrokenArchive("what stands around %s is not as the platform writes it".formatted(header.name()));
        }
    }

    /** The whole of a file, out of turn: nothing of it passes into {@link #sha256}. */
    public byte[] whole(Member member, int bytesMax) throws IOException {
        ZipFormat.Header header = headers.get(member.index());
        if (header.bytes() > bytesMax) {
            throw new BrokenArchive("%s has %d bytes, at most %d are read".formatted(header.name(), header.bytes(), bytesMax));
        }
        byte[][] whole = new byte[1][];
        content(header, new Part(header.offset() + header.local().length, header.compressed(), null), in -> whole[0] = in.readNBytes(bytesMax + 1));
        return whole[0];
    }

    private static void content(ZipFormat.Header header, Part raw, Reading reading) throws IOException {
        Inflater inflater = new Inflater(true);
        boolean deflated = header.method() == ZipFormat.DEFLATED;
        try (InputStream inflating = deflated ? new InflaterInputStream(raw, inflater, BUFFER_BYTES) : raw) {
            Checked content = new Checked(inflating, header);
            reading.from(content);
            content.skipRest();
            if (content.bytes != header.bytes() || content.crc.getValue() != header.crc() || raw.left() > 0 || deflated && inflater.getRemaining() > 0) {
                throw new BrokenArchive("%s does not unpack to what its directory says".formatted(header.name()));
            }
        } catch (java.util.zip.ZipException | java.io.EOFException broken) {
            raw.skipRest();
            throw new BrokenArchive("%s does not unpack".formatted(header.name()));
        } finally {
            raw.skipRest();
            inflater.end();
        }
    }

    /** SHA-256 of every byte that has passed. */
    public String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }

    private boolean passes(long at, byte[] expected) throws IOException {
        byte[] actual = at(at, expected.length).array();
        digest.update(actual);
        return Arrays.equals(actual, expected);
    }

    private ByteBuffer at(long position, int length) throws IOException {
        ByteBuffer bytes = ZipFormat.buffer(length);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, position + bytes.position()) < 0) {
                throw new BrokenArchive("it ends too early");
            }
        }
        return bytes.flip();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Bytes of the archive from one place on. */
    private final class Part extends InputStream {

        private final MessageDigest passing;
        private long position;
        private long left;

        Part(long position, long length, MessageDigest passing) {
            this.position = position;
            this.left = length;
            this.passing = passing;
        }

        long left() {
            return left;
        }

        void skipRest() throws IOException {
            byte[] buffer = new byte[left > 0 ? BUFFER_BYTES : 0];
            while (left > 0) {
                read(buffer, 0, buffer.length);
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            if (length == 0) {
                return 0;
            }
            int count = file.read(ByteBuffer.wrap(to, offset, (int) Math.min(length, left)), position);
            if (count <= 0) {
                throw new BrokenArchive("it ends too early");
            }
            if (passing != null) {
                passing.update(to, offset, count);
            }
            position += count;
            left -= count;
            return count;
        }
    }

    /** Content on its way out; ends it where the directory says it ends, however much the compressed bytes would give. */
    private static final class Checked extends InputStream {

        private final InputStream in;
        private final ZipFormat.Header header;
        private final CRC32 crc = new CRC32();
        private long bytes;

        Checked(InputStream in, ZipFormat.Header header) {
            this.in = in;
            this.header = header;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int count = in.read(to, offset, length);
            if (count > 0) {
                crc.update(to, offset, count);
                bytes += count;
                if (bytes > header.bytes()) {
                    throw new BrokenArchive("%s unpacks to more than its directory says".formatted(header.name()));
                }
            }
            return count;
        }

        void skipRest() throws IOException {
            byte[] buffer = new byte[BUFFER_BYTES];
            while (read(buffer, 0, buffer.length) >= 0) {
                continue;
            }
        }
    }
}
