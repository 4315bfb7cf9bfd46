package io.arbitration.platform.archive;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * The bytes between the files of an archive (PKWARE APPNOTE 6.3): headers, descriptors, the central directory. There is one
 * way to write each, so that a reader can tell an archive of this platform from one that somebody put together again.
 */
final class ZipFormat {

    static final int LOCAL = 0x04034b50;
    static final int DESCRIPTOR = 0x08074b50;
    static final int CENTRAL = 0x02014b50;
    static final int END = 0x06054b50;
    static final int END_64 = 0x06064b50;
    static final int LOCATOR_64 = 0x07064b50;
    static final int LOCAL_BYTES = 30;
    static final int CENTRAL_BYTES = 46;
    static final int END_BYTES = 22;
    static final int END_64_BYTES = 56;
    static final int LOCATOR_64_BYTES = 20;
    static final int STORED = 0;
    static final int DEFLATED = 8;
    static final int EXTRA_64 = 1;
    static final int EXTRA_64_LOCAL_BYTES = 20;
    /** Names are UTF-8. */
    static final int UTF_8_FLAG = 1 << 11;
    /** Checksum and lengths follow the content. */
    static final int DESCRIPTOR_FLAG = 1 << 3;
    static final long FOUR_BYTES_MAX = 0xffff_ffffL;
    static final int TWO_BYTES_MAX = 0xffff;
    private static final int VERSION = 20;
    private static final int VERSION_64 = 45;
    /** Made on Unix, so that the permissions below are understood: a plain file that everyone may read. */
    private static final int MADE_ON_UNIX = 3 << 8;
    private static final int PLAIN_FILE = 0100644 << 16;

    private ZipFormat() {}

    /**
     * A file as the archive's headers describe it.
     *
     * @param path in UTF-8
     * @param large whether its lengths take eight bytes beside it
     * @param time in the format of MS-DOS, date in the upper half
     */
    record Header(byte[] path, int method, boolean large, int time, long offset, long crc, long compressed, long bytes) {

        String name() {
            return new String(path, StandardCharsets.UTF_8);
        }

        Header with(long crc, long compressed, long bytes) {
            return new Header(path, method, large, time, offset, crc, compressed, bytes);
        }

        /** A stored file is known before it is written, a deflated one tells its lengths behind it. */
        private boolean isDescribedBehind() {
            return method == DEFLATED;
        }

        private int flags() {
            return UTF_8_FLAG | (isDescribedBehind() ? DESCRIPTOR_FLAG : 0);
        }

        byte[] local() {
            ByteBuffer to = buffer(LOCAL_BYTES + path.length + (large ? EXTRA_64_LOCAL_BYTES : 0));
            boolean known = !isDescribedBehind();
            to.putInt(LOCAL).putShort((short) (large ? VERSION_64 : VERSION)).putShort((short) flags()).putShort((short) method).putInt(time)
                    .putInt(known ? (int) crc : 0)
                    .putInt(large ? -1 : known ? (int) compressed : 0)
                    .putInt(large ? -1 : known ? (int) bytes : 0)
                    .putShort((short) path.length).putShort((short) (large ? EXTRA_64_LOCAL_BYTES : 0)).put(path);
            if (large) {
                to.putShort((short) EXTRA_64).putShort((short) 16).putLong(known ? bytes : 0).putLong(known ? compressed : 0);
            }
            return to.array();
        }

        byte[] descriptor() {
            if (!isDescribedBehind()) {
                return new byte[0];
            }
            ByteBuffer to = buffer(large ? 24 : 16);
            to.putInt(DESCRIPTOR).putInt((int) crc);
            if (large) {
                to.putLong(compressed).putLong(bytes);
            } else {
                to.putInt((int) compressed).putInt((int) bytes);
            }
            return to.array();
        }

        byte[] central() {
            boolean far = offset >= FOUR_BYTES_MAX;
            int extra = (large ? 16 : 0) + (far ? 8 : 0);
            ByteBuffer to = buffer(CENTRAL_BYTES + path.length + (extra == 0 ? 0 : 4 + extra));
            int version = large || far ? VERSION_64 : VERSION;
            to.putInt(CENTRAL).putShort((short) (MADE_ON_UNIX | version)).putShort((short) version).putShort((short) flags())
                    .putShort((short) method).putInt(time).putInt((int) crc)
                    .putInt(large ? -1 : (int) compressed).putInt(large ? -1 : (int) bytes)
                    .putShort((short) path.length).putShort((short) (extra == 0 ? 0 : 4 + extra)).putShort((short) 0)
                    .putShort((short) 0).putShort((short) 0).putInt(PLAIN_FILE).putInt(far ? -1 : (int) offset).put(path);
            if (extra != 0) {
                to.putShort((short) EXTRA_64).putShort((short) extra);
                if (large) {
                    to.putLong(bytes).putLong(compressed);
                }
                if (far) {
                    to.putLong(offset);
                }
            }
            return to.array();
        }
    }

    /** What stands behind the central directory. */
    static byte[] end(long files, long directoryAt, long directoryBytes) {
        boolean is64 = files >= TWO_BYTES_MAX || directoryAt >= FOUR_BYTES_MAX || directoryBytes >= FOUR_BYTES_MAX;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (is64) {
            ByteBuffer end = buffer(END_64_BYTES + LOCATOR_64_BYTES);
            end.putInt(END_64).putLong(END_64_BYTES - 12).putShort((short) (MADE_ON_UNIX | VERSION_64)).putShort((short) VERSION_64)
                    .putInt(0).putInt(0).putLong(files).putLong(files).putLong(directoryBytes).putLong(directoryAt)
                    .putInt(LOCATOR_64).putInt(0).putLong(directoryAt + directoryBytes).putInt(1);
            out.writeBytes(end.array());
        }
        ByteBuffer end = buffer(END_BYTES);
        short count = (short) (is64 ? TWO_BYTES_MAX : files);
        end.putInt(END).putShort((short) 0).putShort((short) 0).putShort(count).putShort(count)
                .putInt(is64 ? -1 : (int) directoryBytes).putInt(is64 ? -1 : (int) directoryAt).putShort((short) 0);
        out.writeBytes(end.array());
        return out.toByteArray();
    }

    /** In UTC, to two seconds; what MS-DOS did not know yet is its first day. */
    static int time(Instant at) {
        LocalDateTime utc = LocalDateTime.ofInstant(at, ZoneOffset.UTC);
        if (utc.getYear() < 1980 || utc.getYear() > 2107) {
            return 1 << 21 | 1 << 16;
        }
        int date = utc.getYear() - 1980 << 9 | utc.getMonthValue() << 5 | utc.getDayOfMonth();
        int clock = utc.getHour() << 11 | utc.getMinute() << 5 | utc.getSecond() / 2;
        return date << 16 | clock;
    }

    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
