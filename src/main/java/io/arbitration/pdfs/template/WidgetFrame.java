package io.arbitration.pdfs.template;

import io.arbitration.platform.paper.PdfBuffer;
import java.util.Locale;
import java.util.Optional;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSNumber;
import org.apache.pdfbox.cos.COSStream;

/** The position of a widget, its frame, and how its value looks (ISO 32000-1, sections 12.5.6.19 and 12.7.3.3). */
final class WidgetFrame {

    private static final COSName MK = COSName.getPDFName("MK");
    private static final COSName DR = COSName.getPDFName("DR");
    private static final double SIZE_MAX = 144;
    /** Distance of the control points of a circle from their end points, by radius. */
    private static final double ROUND = 0.5523;

    private final COSDictionary widget;
    private final COSDictionary form;
    private final double[] box;
    private final double[] toPage;
    private final double width;
    private final double height;
    private final double border;

    private WidgetFrame(COSDictionary widget, COSDictionary form) {
        this.widget = widget;
        this.form = form;
        this.box = TemplateCompiler.rectangle(widget.getCOSArray(COSName.RECT));
        double across = box[2] - box[0];
        double up = box[3] - box[1];
        int turn = Math.floorMod(characteristics().getInt(COSName.R, 0), 360);
        this.toPage = switch (turn) {
            case 90 -> new double[] {0, 1, -1, 0, box[2], box[1]};
            case 180 -> new double[] {-1, 0, 0, -1, box[2], box[3]};
            case 270 -> new double[] {0, -1, 1, 0, box[0], box[3]};
            default -> new double[] {1, 0, 0, 1, box[0], box[1]};
        };
        boolean upright = turn != 90 && turn != 270;
        this.width = upright ? across : up;
        this.height = upright ? up : across;
        this.border = borderWidth();
    }

    static WidgetFrame of(COSDictionary widget, COSDictionary form) {
        return new WidgetFrame(widget, form);
    }

    private COSDictionary characteristics() {
        return Optional.ofNullable(widget.getCOSDictionary(MK)).orElseGet(COSDictionary::new);
    }

    private double borderWidth() {
        COSDictionary style = widget.getCOSDictionary(COSName.BS);
        double styled = style == null ? 1 : style.getFloat(COSName.W, 1);
        return Math.clamp(styled, 0, 12);
    }

    private boolean isFramed() {
        return border > 0 && !colour("BC", true).isEmpty();
    }

    /** Operators that set a colour of the widget; empty for none. */
    private String colour(String name, boolean stroke) {
        COSArray array = characteristics().getCOSArray(COSName.getPDFName(name));
        if (array == null) {
            return "";
        }
        String operator = switch (array.size()) {
            case 1 -> stroke ? "G" : "g";
            case 3 -> stroke ? "RG" : "rg";
            case 4 -> stroke ? "K" : "k";
            default -> "";
        };
        StringBuilder parts = new StringBuilder();
        for (int i = 0; i < array.size() && !operator.isEmpty(); i++) {
            double part = array.getObject(i) instanceof COSNumber number ? Math.clamp(number.floatValue(), 0, 1) : 0;
            parts.append(String.format(Locale.ROOT, "%.3f ", part));
        }
        return operator.isEmpty() ? "" : parts + operator + " ";
    }

    /** Draws the parts that lie under every value. */
    void drawBackground(PdfBuffer out, boolean round) {
        String fill = colour("BG", false);
        if (!fill.isEmpty()) {
            out.text("q ").text(fill);
            outline(out, 0, round);
            out.text("f Q\n");
        }
        if (isFramed()) {
            String kind = Optional.ofNullable(widget.getCOSDictionary(COSName.BS)).map(style -> style.getNameAsString(COSName.S)).orElse("S");
            out.text("q ").text(colour("BC", true)).number(border, 3).text("w ");
            if ("D".equals(kind)) {
                out.text("[3] 0 d ");
            }
            if ("U".equals(kind)) {
                double[] left = onPage(0, border / 2);
                double[] right = onPage(width, border / 2);
                out.number(left[0], 3).number(left[1], 3).text("m ").number(right[0], 3).number(right[1], 3).text("l S Q\n");
            } else {
                outline(out, border / 2, round);
                out.text("S Q\n");
            }
        }
    }

    private void outline(PdfBuffer out, double inset, boolean round) {
        if (round) {
            circle(out, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, Math.min(width, height) / 2 - inset);
        } else {
            out.number(box[0] + inset, 3).number(box[1] + inset, 3).number(box[2] - box[0] - 2 * inset, 3)
                    .number(box[3] - box[1] - 2 * inset, 3).text("re ");
        }
    }

    private static void circle(PdfBuffer out, double x, double y, double radius) {
        double far = radius * ROUND;
        out.number(x + radius, 3).number(y, 3).text("m ");
        double[][] quarters = {{radius, far, far, radius, 0, radius}, {-far, radius, -radius, far, -radius, 0},
            {-radius, -far, -far, -radius, 0, -radius}, {far, -radius, radius, -far, radius, 0}};
        for (double[] quarter : quarters) {
            for (int i = 0; i < 6; i++) {
                out.number((i % 2 == 0 ? x : y) + quarter[i], 3);
            }
            out.text("c ");
        }
    }

    /** The lines between the cells of a comb. */
    void drawCells(PdfBuffer out, int cells) {
        if (cells < 2 || !isFramed()) {
            return;
        }
        out.text("q ").text(colour("BC", true)).number(border, 3).text("w ");
        for (int i = 1; i < cells; i++) {
            double[] from = onPage(width * i / cells, 0);
            double[] to = onPage(width * i / cells, height);
            out.number(from[0], 3).number(from[1], 3).text("m ").number(to[0], 3).number(to[1], 3).text("l ");
        }
        out.text("S Q\n");
    }

    private double[] onPage(double x, double y) {
        return new double[] {toPage[0] * x + toPage[2] * y + toPage[4], toPage[1] * x + toPage[3] * y + toPage[5]};
    }

    /** Operators that draw an appearance so that its box fills the widget (section 12.5.5). */
    byte[] drawing(COSStream appearance, String name) {
        double[] own = TemplateCompiler.rectangle(appearance.getCOSArray(COSName.BBOX));
        double[] matrix = {1, 0, 0, 1, 0, 0};
        COSArray given = appearance.getCOSArray(COSName.MATRIX);
        for (int i = 0; given != null && i < 6 && i < given.size(); i++) {
            matrix[i] = given.getObject(i) instanceof COSNumber number ? number.floatValue() : matrix[i];
        }
        double left = Double.MAX_VALUE;
        double bottom = Double.MAX_VALUE;
        double right = -Double.MAX_VALUE;
        double top = -Double.MAX_VALUE;
        for (int corner = 0; corner < 4; corner++) {
            double x = own[corner % 2 == 0 ? 0 : 2];
            double y = own[corner < 2 ? 1 : 3];
            double movedX = matrix[0] * x + matrix[2] * y + matrix[4];
            double movedY = matrix[1] * x + matrix[3] * y + matrix[5];
            left = Math.min(left, movedX);
            right = Math.max(right, movedX);
            bottom = Math.min(bottom, movedY);
            top = Math.max(top, movedY);
        }
        if (right - left < 1e-6 || top - bottom < 1e-6) {
            return new byte[0];
        }
        double acrossScale = (box[2] - box[0]) / (right - left);
        double upScale = (box[3] - box[1]) / (top - bottom);
        return new PdfBuffer(64).text("q ").number(acrossScale, 3).text("0 0 ").number(upScale, 3).number(box[0] - left * acrossScale, 3)
                .number(box[1] - bottom * upScale, 3).text("cm /").text(name).text(" Do Q\n").toBytes();
    }

    /** Operators that draw a button as on if the template has no picture of that state. */
    byte[] sign(boolean round) {
        PdfBuffer out = new PdfBuffer(128);
        double size = Math.min(width, height);
        double x = (box[0] + box[2]) / 2;
        double y = (box[1] + box[3]) / 2;
        if (round) {
            circle(out.text("q 0 g "), x, y, size * 0.25);
            return out.text("f Q\n").toBytes();
        }
        return out.text("q 0 G ").number(size * 0.12, 3).text("w 1 J 1 j ").number(x - size * 0.28, 3).number(y, 3).text("m ")
                .number(x - size * 0.07, 3).number(y - size * 0.23, 3).text("l ").number(x + size * 0.3, 3).number(y + size * 0.27, 3)
                .text("l S Q\n").toBytes();
    }

    /** @param attributes of the field; those of the widget take precedence */
    Widget place(int page, COSDictionary attributes, int mark) {
        String look = widget.getString(COSName.DA, attributes.getString(COSName.DA, ""));
        int alignment = Math.clamp(widget.getInt(COSName.Q, attributes.getInt(COSName.Q, 0)), 0, 2);
        double inset = Math.max(2, 2 * (isFramed() ? border : 0));
        return new Widget(page, toPage, width, height, style(look, alignment), inset, mark);
    }

    private Widget.Style style(String look, int alignment) {
        String[] words = look.strip().split("\\s+");
        double size = 0;
        boolean bold = false;
        String colour = "0 g 0 G ";
        for (int i = 0; i < words.length; i++) {
            switch (words[i]) {
                case "Tf" -> {
                    size = i >= 2 ? Math.clamp(decimal(words[i - 1]), 0, SIZE_MAX) : 0;
                    bold = i >= 2 && isBold(words[i - 2]);
                }
                case "g" -> colour = colour(words, i, 1, "g", "G");
                case "rg" -> colour = colour(words, i, 3, "rg", "RG");
                case "k" -> colour = colour(words, i, 4, "k", "K");
                default -> { }
            }
        }
        return new Widget.Style(size, bold, colour, alignment);
    }

    private static String colour(String[] words, int at, int parts, String fill, String stroke) {
        StringBuilder numbers = new StringBuilder();
        for (int i = at - parts; i < at; i++) {
            numbers.append(String.format(Locale.ROOT, "%.3f ", i < 0 ? 0 : Math.clamp(decimal(words[i]), 0, 1)));
        }
        return numbers + fill + " " + numbers + stroke + " ";
    }

    private static double decimal(String word) {
        try {
            double number = Double.parseDouble(word);
            return Double.isFinite(number) ? number : 0;
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    /** By the real name of the font that the form has under this name. */
    private boolean isBold(String resource) {
        COSDictionary resources = form.getCOSDictionary(DR);
        COSDictionary fonts = resources == null ? null : resources.getCOSDictionary(COSName.FONT);
        COSDictionary font = fonts == null || !resource.startsWith("/") ? null : fonts.getCOSDictionary(COSName.getPDFName(resource.substring(1)));
        String name = font == null ? null : font.getNameAsString(COSName.BASE_FONT);
        return name != null && name.toLowerCase(Locale.ROOT).contains("bold");
    }
}
