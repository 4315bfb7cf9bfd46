package io.arbitration.platform.archive;

import io.arbitration.domain.hash.Sha256;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.apache.commons.io.input.BoundedInputStream;
import org.apache.commons.io.input.CloseShieldInputStream;

/**
 * Reads an archive as {@link ZipWriter} writes it, and no other (PKWARE APPNOTE 6.3). No two programs can see different files in
 * it: local headers agree with the directory, the files follow each other without gaps, and there are no comments, no encryption
 * and no other fields. Unpacks nothing to disk.
 */
public final class ZipReader implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int PATH_BYTES_MAX = 1024;
    private static final int LOCAL = 0x04034b50;
    private static final int DESCRIPTOR = 0x08074b50;
    private static final int CENTRAL = 0x02014b50;
    private static final int END = 0x06054b50;
    private static final int END_64 = 0x06064b50;
    private static final int LOCATOR_64 = 0x07064b50;
    private static final int LOCAL_BYTES = 30;
    private static final int LOCAL_EXTRA_BYTES = 20;
    private static final int CENTRAL_BYTES = 46;
    private static final int CENTRAL_EXTRA_BYTES_MAX = 28;
    private static final int END_BYTES = 22;
    private static final int END_64_BYTES = 56 + 20;
    private static final int STORED = 0;
    private static final int DEFLATED = 8;
    private static final int UTF_8_FLAG = 1 << 11;
    /** Checksum and lengths follow the content. */
    private static final int DESCRIPTOR_FLAG = 1 << 3;
    private static final long FOUR_BYTES_MAX = 0xffff_ffffL;
    private static final int TWO_BYTES_MAX = 0xffff;
    /** Version of the format in tenths: 4.5 has ZIP64. */
    private static final Set<Integer> VERSIONS = Set.of(10, 20, 45);
    private static final int MADE_ON_UNIX = 3;
    private static final int PLAIN_FILE = 0100644 << 16;

    private final FileChannel file;
    private final List<Line> lines = new ArrayList<>();
    private final MessageDigest digest = Sha256.digest();

    private ZipReader(FileChannel file) {
        this.file = file;
    }

    /** A file in the archive, according to its directory. */
    public record Member(int index, String path, long offset, long bytes, long compressedBytes) {}

    /**
     * A line of the directory.
     *
     * @param time in the format of MS-DOS
     * @param is64 whether the lengths in header and descriptor have eight bytes
     */
    private record Line(byte[] path, int method, int time, long offset, long crc, long compressed, long bytes, boolean is64) {

        String name() {
            return new String(path, StandardCharsets.UTF_8);
        }

        boolean isDeflated() {
            return method == DEFLATED;
        }

        int flags() {
            return UTF_8_FLAG | (isDeflated() ? DESCRIPTOR_FLAG : 0);
        }

        int localBytes() {
            return LOCAL_BYTES + path.length + (is64 ? LOCAL_EXTRA_BYTES : 0);
        }

        /**
         * The local header that corresponds to this line; that of a deflated file leaves checksum and lengths to the descriptor.
         */
        byte[] local(int version) {
            boolean known = !isDeflated();
            ByteBuffer to = buffer(localBytes());
            to.putInt(LOCAL).putShort((short) version).putShort((short) flags()).putShort((short) method).putInt(time)
                    .putInt(known ? (int) crc : 0).putInt(is64 ? -1 : known ? (int) compressed : 0).putInt(is64 ? -1 : known ? (int) bytes : 0)
                    .putShort((short) path.length).putShort((short) (is64 ? LOCAL_EXTRA_BYTES : 0)).put(path);
            return (is64 ? to.putShort((short) 1).putShort((short) 16) : to).array();
        }

        byte[] descriptor() {
            if (!isDeflated()) {
                return new byte[0];
            }
            ByteBuffer to = buffer(is64 ? 24 : 16).putInt(DESCRIPTOR).putInt((int) crc);
            return (is64 ? to.putLong(compressed).putLong(bytes) : to.putInt((int) compressed).putInt((int) bytes)).array();
        }
    }

    /**
     * Reads the directory of an archive, and compares the local headers with it.
     *
     * @param filesMax more are not read
     * @throws InvalidArchive if it was not written by this platform
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
        if (size < END_BYTES || at(size - END_BYTES, 4).getInt() != END) {
            throw new InvalidArchive("it is no zip, or its end is missing");
        }
        long endAt = size - END_BYTES;
        ByteBuffer end = at(endAt, END_BYTES);
        long count = Short.toUnsignedLong(end.getShort(10));
        long bytes = Integer.toUnsignedLong(end.getInt(12));
        long directoryAt = Integer.toUnsignedLong(end.getInt(16));
        boolean is64 = endAt >= END_64_BYTES && at(endAt - 20, 4).getInt() == LOCATOR_64;
        if (is64) {
            endAt -= END_64_BYTES;
            ByteBuffer end64 = at(endAt, END_64_BYTES);
            count = end64.getLong(32);
            bytes = end64.getLong(40);
            directoryAt = end64.getLong(48);
        }
        if (count < 0 || count > filesMax) {
            throw new InvalidArchive("it names %s files, at most %d are read".formatted(Long.toUnsignedString(count), filesMax));
        }
        boolean fits = directoryAt >= 0 && bytes >= count * CENTRAL_BYTES
                && bytes <= count * (CENTRAL_BYTES + PATH_BYTES_MAX + CENTRAL_EXTRA_BYTES_MAX) && directoryAt <= endAt && directoryAt + bytes == endAt;
        if (!fits || !isEnd(at(endAt, (int) (size - endAt)), count, bytes, directoryAt, is64)) {
            throw new InvalidArchive("its end is not as the platform writes it");
        }
        readLines((int) count, directoryAt, bytes);
    }

    /** Whether the bytes after the directory state exactly these numbers, in both forms alike. */
    private static boolean isEnd(ByteBuffer end, long count, long bytes, long directoryAt, boolean is64) {
        int at = is64 ? END_64_BYTES : 0;
        // The first writer stated here that the archive was made on Unix; the library does not.
        boolean agrees64 = !is64 || end.getInt(0) == END_64 && end.getLong(4) == 44
                && (end.getShort(12) == 45 || end.getShort(12) == (MADE_ON_UNIX << 8 | 45)) && end.getShort(14) == 45 && end.getLong(16) == 0 && end.getLong(24) == count && end.getInt(56) == LOCATOR_64 && end.getInt(60) == 0
                && end.getLong(64) == directoryAt + bytes && end.getInt(72) == 1;
        return agrees64 && end.getInt(at + 4) == 0 && end.getShort(at + 20) == 0
                && states(Short.toUnsignedLong(end.getShort(at + 8)), count, TWO_BYTES_MAX, is64)
                && states(Short.toUnsignedLong(end.getShort(at + 10)), count, TWO_BYTES_MAX, is64)
                && states(Integer.toUnsignedLong(end.getInt(at + 12)), bytes, FOUR_BYTES_MAX, is64)
                && states(Integer.toUnsignedLong(end.getInt(at + 16)), directoryAt, FOUR_BYTES_MAX, is64);
    }

    /** A number that does not fit is stated only in the ZIP64 record; the largest short number refers to it. */
    private static boolean states(long stated, long number, long max, boolean is64) {
        return is64 && stated == max || stated == number && number < max;
    }

    private void readLines(int count, long directoryAt, long bytes) throws IOException {
        InputStream in = new BufferedInputStream(part(directoryAt, bytes), BUFFER_BYTES);
        long expected = 0;
        for (int i = 0; i < count; i++) {
            Line line = line(in, i, expected);
            if (line.compressed > directoryAt - expected - line.localBytes()) {
                throw new InvalidArchive("%s is longer than the archive".formatted(line.name()));
            }
            local(line);
            lines.add(line);
            expected += line.localBytes() + line.compressed + line.descriptor().length;
        }
        if (expected != directoryAt || in.read() >= 0) {
            throw new InvalidArchive("something stands between its last file and its directory, or behind that");
        }
    }

    /** @param expected where the local header must be: after the file before it */
    private Line line(InputStream in, int index, long expected) throws IOException {
        InvalidArchive broken = new InvalidArchive("line %d of its directory is not as the platform writes it".formatted(index + 1));
        byte[] fixed = in.readNBytes(CENTRAL_BYTES);
        if (fixed.length < CENTRAL_BYTES) {
            throw broken;
        }
        ByteBuffer from = ByteBuffer.wrap(fixed).order(ByteOrder.LITTLE_ENDIAN);
        int pathBytes = Short.toUnsignedInt(from.getShort(28));
        int extraBytes = Short.toUnsignedInt(from.getShort(30));
        if (pathBytes == 0 || pathBytes > PATH_BYTES_MAX || extraBytes > CENTRAL_EXTRA_BYTES_MAX) {
            throw broken;
        }
        byte[] path = in.readNBytes(pathBytes);
        ByteBuffer extra = ByteBuffer.wrap(in.readNBytes(extraBytes)).order(ByteOrder.LITTLE_ENDIAN);
        long compressed = Integer.toUnsignedLong(from.getInt(20));
        long bytes = Integer.toUnsignedLong(from.getInt(24));
        long offset = Integer.toUnsignedLong(from.getInt(42));
        boolean isLong = bytes == FOUR_BYTES_MAX || compressed == FOUR_BYTES_MAX;
        boolean isFar = offset == FOUR_BYTES_MAX;
        int extraExpected = (isLong ? 16 : 0) + (isFar ? 8 : 0);
        boolean hasExtra = extra.limit() == 4 + extraExpected && extra.getShort() == 1 && extra.getShort() == extraExpected;
        if (path.length < pathBytes || extra.limit() < extraBytes || !hasExtra && (extraExpected > 0 || extraBytes > 0)) {
            throw broken;
        }
        if (isLong) {
            bytes = extra.getLong();
            compressed = extra.getLong();
        }
        if (isFar) {
            offset = extra.getLong();
        }
        if (offset != expected) {
            throw new InvalidArchive("line %d of its directory does not stand where the file before it ends".formatted(index + 1));
        }
        // The directory does not state it for a short file whose length was unknown at first.
        boolean is64 = from.getShort(10) == DEFLATED && at(offset + 28, 2).getShort() == LOCAL_EXTRA_BYTES;
        Line line = new Line(path, from.getShort(10), from.getInt(12), offset, Integer.toUnsignedLong(from.getInt(16)), compressed, bytes, is64);
        boolean plain = from.getInt(0) == CENTRAL && from.get(5) == MADE_ON_UNIX && VERSIONS.contains((int) from.get(4))
                && VERSIONS.contains((int) from.getShort(6)) && from.getShort(8) == line.flags() && from.getShort(32) == 0 && from.getInt(34) == 0
                && from.getInt(38) == PLAIN_FILE;
        boolean known = line.method == STORED && bytes == compressed || line.isDeflated();
        boolean fits = bytes >= 0 && compressed >= 0 && (is64 || bytes < FOUR_BYTES_MAX && compressed < FOUR_BYTES_MAX);
        if (!plain || !known || !fits || !isUtf8(path)) {
            throw broken;
        }
        return line;
    }

    private static boolean isUtf8(byte[] name) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }

    /** The local header of a file, which must agree with the directory. */
    private byte[] local(Line line) throws IOException {
        ByteBuffer actual = at(line.offset, line.localBytes());
        int version = actual.getShort(4);
        if (!VERSIONS.contains(version) || !Arrays.equals(actual.array(), line.local(version))) {
            throw new InvalidArchive("the header of %s is not as the platform writes it".formatted(line.name()));
        }
        return actual.array();
    }

    /** The files in their order. */
    public List<Member> members() {
        List<Member> members = new ArrayList<>(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            members.add(new Member(i, line.name(), line.offset, line.bytes, line.compressed));
        }
        return members;
    }

    /** Does something with the content of a file. */
    @FunctionalInterface
    public interface Reading {
        void from(InputStream content) throws IOException;
    }

    /**
     * Reads a file. Files must be read in order, so that {@link #sha256} counts every byte of the archive once; bytes of a file
     * that the reading skips are counted, too.
     *
     * @throws InvalidArchive if header, content or checksum differs from the directory
     */
    public void read(Member member, Reading reading) throws IOException {
        Line line = lines.get(member.index());
        byte[] local = local(line);
        digest.update(local);
        long contentAt = line.offset + local.length;
        InputStream raw = new DigestInputStream(part(contentAt, line.compressed), digest);
        byte[] descriptor = line.descriptor();
        byte[] actual = at(contentAt + line.compressed, descriptor.length).array();
        try {
            content(line, raw, reading);
        } finally {
            raw.transferTo(OutputStream.nullOutputStream());
            digest.update(actual);
        }
        if (!Arrays.equals(actual, descriptor)) {
            throw new InvalidArchive("what stands behind %s is not as the platform writes it".formatted(line.name()));
        }
    }

    /** A complete file, in any order: it is not counted in {@link #sha256}. */
    public byte[] whole(Member member, int bytesMax) throws IOException {
        Line line = lines.get(member.index());
        if (line.bytes > bytesMax) {
            throw new InvalidArchive("%s has %d bytes, at most %d are read".formatted(line.name(), line.bytes, bytesMax));
        }
        byte[][] whole = new byte[1][];
        content(line, part(line.offset + local(line).length, line.compressed), in -> whole[0] = in.readNBytes(bytesMax + 1));
        return whole[0];
    }

    private static void content(Line line, InputStream raw, Reading reading) throws IOException {
        Inflater inflater = new Inflater(true);
        try {
            InputStream unpacked = line.isDeflated() ? new InflaterInputStream(raw, inflater, BUFFER_BYTES) : raw;
            CheckedInputStream checked = new CheckedInputStream(unpacked, new CRC32());
            // Reading one byte more than stated is enough to detect a file that is longer, however large it is when unpacked.
            BoundedInputStream content = BoundedInputStream.builder().setInputStream(checked).setMaxCount(line.bytes + 1).get();
            reading.from(CloseShieldInputStream.wrap(content));
            content.transferTo(OutputStream.nullOutputStream());
            boolean ends = line.isDeflated() ? inflater.finished() && inflater.getRemaining() == 0 && raw.read() < 0 : raw.read() < 0;
            if (!ends || content.getCount() != line.bytes || checked.getChecksum().getValue() != line.crc) {
                throw new InvalidArchive("%s does not unpack to what its directory says".formatted(line.name()));
            }
        } catch (ZipException | EOFException broken) {
            throw new InvalidArchive("%s does not unpack".formatted(line.name()));
        } finally {
            inflater.end();
        }
    }

    /** SHA-256 of all bytes that {@link #read} has read. */
    public String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }

    private InputStream part(long position, long length) throws IOException {
        InputStream from = Channels.newInputStream(file.position(position));
        return BoundedInputStream.builder().setInputStream(from).setMaxCount(length).get();
    }

    private ByteBuffer at(long position, int length) throws IOException {
        ByteBuffer bytes = buffer(length);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, position + bytes.position()) < 0) {
                throw new InvalidArchive("it ends too early");
            }
        }
        return bytes.flip();
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
