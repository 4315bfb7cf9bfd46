package io.arbitration.platform.paper;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes of a PDF while it is written: operators, numbers, names. Grows as needed. To be used by one thread. */
public final class PdfBuffer {

    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final int[] POWERS = {1, 10, 100, 1000};

    private byte[] bytes;
    private int length;

    public PdfBuffer(int capacity) {
        bytes = new byte[Math.max(16, capacity)];
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    /** ASCII alone. */
    @SuppressWarnings("deprecation")
    public PdfBuffer text(String text) {
        ensure(text.length());
        text.getBytes(0, text.length(), bytes, length);
        length += text.length();
        return this;
    }

    public PdfBuffer bytes(byte[] more) {
        return bytes(more, 0, more.length);
    }

    public PdfBuffer bytes(byte[] more, int from, int count) {
        ensure(count);
        System.arraycopy(more, from, bytes, length, count);
        length += count;
        return this;
    }

    public PdfBuffer append(PdfBuffer other) {
        return bytes(other.bytes, 0, other.length);
    }

    PdfBuffer one(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
        return this;
    }

    public PdfBuffer whole(long value) {
        if (value < 0) {
            return one('-').whole(-value);
        }
        ensure(20);
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        long rest = value;
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    /** A number with at most three decimals and a space after it; PDF knows no exponents. */
    public PdfBuffer number(double value, int decimals) {
        int power = POWERS[decimals];
        long scaled = Math.round(value * power);
        if (scaled < 0) {
            one('-');
            scaled = -scaled;
        }
        whole(scaled / power);
        int fraction = (int) (scaled % power);
        if (fraction != 0) {
            one('.');
            for (int digit = power / 10; digit > 0 && fraction > 0; digit /= 10) {
                one('0' + fraction / digit);
                fraction %= digit;
            }
        }
        return one(' ');
    }

    /** Two bytes as four hexadecimal digits. */
    public PdfBuffer hex4(int value) {
        ensure(4);
        bytes[length++] = HEX[value >> 12 & 15];
        bytes[length++] = HEX[value >> 8 & 15];
        bytes[length++] = HEX[value >> 4 & 15];
        bytes[length++] = HEX[value & 15];
        return this;
    }

    /** A string in hexadecimal, angle brackets included. */
    public PdfBuffer hexString(byte[] value) {
        one('<');
        for (byte b : value) {
            one(HEX[b >> 4 & 15]).one(HEX[b & 15]);
        }
        return one('>');
    }

    public int length() {
        return length;
    }

    byte[] array() {
        return bytes;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    void truncate(int to) {
        length = to;
    }
}
