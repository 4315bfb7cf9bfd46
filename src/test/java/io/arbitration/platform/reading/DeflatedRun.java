package io.arbitration.platform.reading;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;

/**
 * A ZLIB stream (RFC 1950) of one byte again and again, as in files that unpack to much more than they are. One megabyte is compressed, and
 * what it was compressed to is repeated: compressing all of it takes a processor for seconds.
 */
public final class DeflatedRun {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final int ADLER = 65_521;

    private DeflatedRun() {}

    /** So many bytes of that value, compressed. */
    public static byte[] of(byte value, int bytes) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(new byte[] {0x78, (byte) 0x9c});
        byte[] block = block(value, BLOCK_BYTES);
        for (int i = 0; i < bytes / BLOCK_BYTES; i++) {
            stream.writeBytes(block);
        }
        stream.writeBytes(block(value, bytes % BLOCK_BYTES));
        // The last block, with nothing in it.
        stream.writeBytes(new byte[] {0x03, 0x00});
        stream.writeBytes(ByteBuffer.allocate(4).putInt(adler(value & 0xff, bytes)).array());
        return stream.toByteArray();
    }

    /** Ends at a whole byte and refers to nothing before it. */
    private static byte[] block(byte value, int bytes) {
        byte[] plain = new byte[bytes];
        Arrays.fill(plain, value);
        byte[] packed = new byte[bytes / 100 + 100];
        try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            deflater.setInput(plain);
            return Arrays.copyOf(packed, deflater.deflate(packed, 0, packed.length, Deflater.FULL_FLUSH));
        }
    }

    /** The checksum at the end of the stream: the sum of all bytes, and the sum of these sums. */
    private static int adler(long value, long bytes) {
        long sum = (1 + bytes * value) % ADLER;
        long sums = (bytes + bytes * (bytes + 1) / 2 % ADLER * value) % ADLER;
        return (int) (sums << 16 | sum);
    }
}
