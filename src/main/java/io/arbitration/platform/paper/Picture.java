package io.arbitration.platform.paper;

import java.awt.AlphaComposite;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;

/** A picture for a {@link Paper}: RGB pixels, on white where it is transparent, compressed without loss. */
public final class Picture {

    private static final int COLORS = 3;
    /** Each byte less the one above it (PNG, section 9.2): large areas of one colour, as pages have, compress to almost nothing. */
    private static final byte UP = 2;

    private final int width;
    private final int height;
    private final byte[] packed;

    private Picture(int width, int height, byte[] packed) {
        this.width = width;
        this.height = height;
        this.packed = packed;
    }

    /** Takes ownership of a decoded image; CPU-bound, some 20 ms for two million pixels. */
    public static Picture of(BufferedImage image) {
        int width = image.getWidth();
        int height = image.getHeight();
        int[] pixels = onWhite(image);
        byte[] rows = new byte[height * (1 + COLORS * width)];
        int at = 0;
        for (int y = 0; y < height; y++) {
            rows[at++] = UP;
            for (int x = 0; x < width; x++) {
                int pixel = pixels[y * width + x];
                int above = y == 0 ? 0 : pixels[(y - 1) * width + x];
                rows[at++] = (byte) ((pixel >> 16) - (above >> 16));
                rows[at++] = (byte) ((pixel >> 8) - (above >> 8));
                rows[at++] = (byte) (pixel - above);
            }
        }
        return new Picture(width, height, PdfFile.packed(rows));
    }

    private static int[] onWhite(BufferedImage image) {
        BufferedImage flat = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
        Graphics2D drawing = flat.createGraphics();
        try {
            drawing.setColor(Color.WHITE);
            drawing.fillRect(0, 0, flat.getWidth(), flat.getHeight());
            drawing.setComposite(AlphaComposite.SrcOver);
            drawing.drawImage(image, 0, 0, null);
        } finally {
            drawing.dispose();
        }
        return ((DataBufferInt) flat.getRaster().getDataBuffer()).getData();
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    void write(PdfFile file, int number) {
        String dictionary = "/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8"
                .formatted(width, height) + "/DecodeParms<</Predictor 15/Colors %d/Columns %d>>".formatted(COLORS, width);
        file.packedStream(number, dictionary, packed);
    }
}
