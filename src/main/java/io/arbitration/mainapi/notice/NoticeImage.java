package io.arbitration.mainapi.notice;

import io.arbitration.domain.cases.UserField;
import io.arbitration.platform.answer.Refusal;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * An image that the sender of a notice gave, really decoded: the bytes as they came, and its pixels. Of one thread, CPU-bound.
 *
 * @param field that it is for
 */
record NoticeImage(UserField field, Kind kind, byte[] bytes, BufferedImage pixels) {

    /** Of one image. */
    static final int BYTES_MAX = 4 * 1024 * 1024;
    /** Of all images of a notice: with the letter that shows them, the email must stay below what mail servers take. */
    static final int ALL_BYTES_MAX = 6 * 1024 * 1024;
    /** Of all images of a notice, however large its fields may be: the letter shows them without loss, three bytes a pixel at worst. */
    static final long PIXELS_MAX = 4_000_000;
    /** A progressive JPEG may pass over all its pixels as often as it likes. */
    private static final int SCANS_MAX = 100;
    private static final int PREVIEW_WIDTH_MAX = 960;
    private static final int PREVIEW_HEIGHT_MAX = 1280;
    private static final float PREVIEW_QUALITY = 0.88f;

    enum Kind {
        PNG("png", "image/png"), JPEG("jpg", "image/jpeg");

        final String ending;
        final String contentType;

        Kind(String ending, String contentType) {
            this.ending = ending;
            this.contentType = contentType;
        }
    }

    /**
     * The bytes of Base64, with or without {@code data:image/png;base64,} before it.
     *
     * @throws Refusal 400
     */
    static byte[] bytes(String fieldId, String base64) {
        int comma = base64.startsWith("data:") ? base64.indexOf(',') : -1;
        if (comma >= 0 && !base64.substring(0, comma).matches("data:image/(png|jpeg);base64")) {
            throw wrong(fieldId, "must be a PNG or a JPEG image in Base64");
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(base64.substring(comma + 1));
            if (bytes.length > BYTES_MAX) {
                throw wrong(fieldId, "at most %d bytes".formatted(BYTES_MAX));
            }
            return bytes;
        } catch (IllegalArgumentException notBase64) {
            throw wrong(fieldId, "must be a PNG or a JPEG image in Base64");
        }
    }

    /**
     * Decodes the image. Its size is read and compared before room is made for a pixel.
     *
     * @throws Refusal 400 for what is no image, is larger than its field, or cannot be decoded to its end
     */
    static NoticeImage decoded(UserField field, byte[] bytes) {
        Kind kind = kind(field, bytes);
        ImageReader reader = ImageIO.getImageReadersByFormatName(kind.ending).next();
        try (MemoryCacheImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(bytes))) {
            // Texts and profiles beside the pixels are not looked at: they may be compressed without bound.
            reader.setInput(in, true, true);
            checkSize(field, reader.getWidth(0), reader.getHeight(0));
            boolean[] cut = new boolean[1];
            reader.addIIOReadWarningListener((source, warning) -> cut[0] |= warning.contains("remature"));
            BufferedImage pixels = reader.read(0);
            if (cut[0]) {
                throw wrong(field.id(), "ends before its last pixel");
            }
            return new NoticeImage(field, kind, bytes, pixels);
        } catch (Refusal refused) {
            throw refused;
        } catch (IOException | RuntimeException broken) {
            // The readers of the JDK fail in many ways on what is broken.
            throw wrong(field.id(), "cannot be decoded as " + kind);
        } finally {
            reader.dispose();
        }
    }

    private static Kind kind(UserField field, byte[] bytes) {
        if (starts(bytes, 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n')) {
            return Kind.PNG;
        }
        if (!starts(bytes, 0xff, 0xd8, 0xff)) {
            throw wrong(field.id(), "must be a PNG or a JPEG image in Base64");
        }
        int scans = 0;
        for (int i = 0; i + 1 < bytes.length; i++) {
            // In the data of a scan, 0xff is always followed by zero or a restart marker.
            scans += bytes[i] == (byte) 0xff && bytes[i + 1] == (byte) 0xda ? 1 : 0;
        }
        if (scans > SCANS_MAX) {
            throw wrong(field.id(), "passes over its pixels more than %d times".formatted(SCANS_MAX));
        }
        return Kind.JPEG;
    }

    private static boolean starts(byte[] bytes, int... wanted) {
        for (int i = 0; i < wanted.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xff) != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    private static void checkSize(UserField field, int width, int height) {
        if (width > field.pixelWidth() || height > field.pixelHeight()) {
            throw wrong(field.id(), "at most %d x %d pixels, it has %d x %d".formatted(field.pixelWidth(), field.pixelHeight(), width, height));
        }
        if ((long) width * height > PIXELS_MAX) {
            throw wrong(field.id(), "at most %d pixels".formatted(PIXELS_MAX));
        }
    }

    private static Refusal wrong(String fieldId, String what) {
        return NoticeError.INVALID.refusal("images/" + fieldId, what);
    }

    String fileName() {
        return field.id() + "." + kind.ending;
    }

    int width() {
        return pixels.getWidth();
    }

    int height() {
        return pixels.getHeight();
    }

    /** A picture for the email: no larger than one shows it, and made of the pixels alone. */
    record Preview(Kind kind, int width, int height, byte[] bytes) {}

    Preview preview() {
        double scale = Math.min(1, Math.min((double) PREVIEW_WIDTH_MAX / width(), (double) PREVIEW_HEIGHT_MAX / height()));
        int width = Math.max(1, (int) Math.round(width() * scale));
        int height = Math.max(1, (int) Math.round(height() * scale));
        boolean transparent = pixels.getColorModel().hasAlpha();
        BufferedImage small = scaled(pixels, width, height, transparent ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB);
        Kind as = transparent ? Kind.PNG : Kind.JPEG;
        return new Preview(as, width, height, encoded(small, as));
    }

    private static BufferedImage scaled(BufferedImage from, int width, int height, int type) {
        BufferedImage to = new BufferedImage(width, height, type);
        Graphics2D drawing = to.createGraphics();
        try {
            drawing.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
            drawing.setRenderingHint(RenderingHints.KEY_RENDERING, RenderingHints.VALUE_RENDER_QUALITY);
            drawing.drawImage(from, 0, 0, width, height, null);
        } finally {
            drawing.dispose();
        }
        return to;
    }

    private static byte[] encoded(BufferedImage image, Kind as) {
        ImageWriter writer = ImageIO.getImageWritersByFormatName(as.ending).next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
            ImageWriteParam how = writer.getDefaultWriteParam();
            if (as == Kind.JPEG) {
                how.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                how.setCompressionQuality(PREVIEW_QUALITY);
            }
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), how);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }
}
