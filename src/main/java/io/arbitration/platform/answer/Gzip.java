package io.arbitration.platform.answer;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** The content coding {@code gzip} (RFC 9110, section 8.4.1.3): whether a client accepts it, and compression. */
public final class Gzip {

    /** Below this, compressing costs more than it saves. */
    private static final int COMPRESSED_FROM_BYTES = 1024;

    private Gzip() {}

    private static final class Output extends GZIPOutputStream {
        Output(ByteArrayOutputStream out, int level) throws IOException {
            super(out);
            def.setLevel(level);
        }
    }

    /** For bytes that are sent once: a third of the time of the default level for a few hundredths more bytes. */
    public static Buffer fast(Buffer plain) {
        return compressed(plain.getBytes(), Deflater.BEST_SPEED);
    }

    /** For bytes that are stored and sent many times. */
    public static Buffer small(byte[] plain) {
        return compressed(plain, Deflater.BEST_COMPRESSION);
    }

    private static Buffer compressed(byte[] plain, int level) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 4 + 64);
        try (Output gzip = new Output(out, level)) {
            gzip.write(plain);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return Buffer.buffer(out.toByteArray());
    }

    /** Whether compressing a body of this type and size is worthwhile; images, PDFs and archives are compressed already. */
    public static boolean isWorthwhile(String contentType, int bytes) {
        return bytes >= COMPRESSED_FROM_BYTES
                && (contentType.startsWith(Reply.JSON) || contentType.startsWith("text/") || contentType.equals("application/yaml"));
    }

    /** @param acceptEncoding the header as received; null without one */
    public static boolean isAccepted(String acceptEncoding) {
        if (acceptEncoding == null) {
            return false;
        }
        boolean anything = false;
        for (String coding : acceptEncoding.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = coding.split(";");
            String name = parts[0].strip();
            if (name.equals("gzip") || name.equals("x-gzip")) {
                return isWanted(parts);
            }
            anything |= name.equals("*") && isWanted(parts);
        }
        return anything;
    }

    /** A weight of zero means "not accepted" (RFC 9110, section 12.4.2). */
    private static boolean isWanted(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            if (parts[i].strip().matches("q\\s*=\\s*0(\\.0*)?")) {
                return false;
            }
        }
        return true;
    }
}
