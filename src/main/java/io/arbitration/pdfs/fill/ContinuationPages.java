package io.arbitration.pdfs.fill;

import io.arbitration.pdfs.template.CompiledTemplate;
import io.arbitration.platform.paper.PdfBuffer;
import io.arbitration.platform.paper.DocumentFonts;
import io.arbitration.platform.paper.PdfFile;
import java.util.ArrayList;
import java.util.List;

/** Pages after the form for values that are too long for their fields; each field refers to its value there by a number. */
final class ContinuationPages {

    private static final double MARGIN = 56;
    private static final double HEADING = 10;
    private static final double TEXT = 10;
    private static final double LEADING = 1.42;
    private static final double SPACE = 12;
    private static final double UNITS = 1000;
    private static final String BLACK = "0 g 0 G ";

    private final DocumentFonts fonts;
    private final double width;
    private final double height;
    private final List<PdfBuffer> pages = new ArrayList<>();
    private int values;
    private double y;

    /** @param like the page whose size they have */
    ContinuationPages(DocumentFonts fonts, CompiledTemplate.Sheet like) {
        this.fonts = fonts;
        this.width = Math.max(like.width(), 4 * MARGIN);
        this.height = Math.max(like.height(), 4 * MARGIN);
    }

    boolean isEmpty() {
        return pages.isEmpty();
    }

    /** Takes the complete value of a field; answers the number by which the field refers to it. */
    int add(String label, DocumentFonts.Measured value) {
        values++;
        if (pages.isEmpty()) {
            nextPage();
        } else {
            y -= SPACE;
        }
        paragraph(fonts.measured("[%d] %s".formatted(values, label)), HEADING, true, 3 * HEADING * LEADING);
        paragraph(value, TEXT, false, TEXT * LEADING);
        return values;
    }

    private void nextPage() {
        pages.add(new PdfBuffer(2048).text(BLACK));
        y = height - MARGIN;
    }

    private void paragraph(DocumentFonts.Measured text, double size, boolean bold, double keep) {
        double available = width - 2 * MARGIN;
        double least = keep;
        for (DocumentFonts.Line line : text.lines((float) (available * UNITS / size))) {
            if (y - least < MARGIN) {
                nextPage();
            }
            y -= size * LEADING;
            double left = line.rightToLeft() ? available - line.width() * size / UNITS : 0;
            fonts.draw(pages.getLast(), line, size, bold, MARGIN + left, y);
            least = size * LEADING;
        }
    }

    /** @return the numbers of the pages */
    List<Integer> write(PdfFile file, int tree, int fonts) {
        List<Integer> numbers = new ArrayList<>();
        for (PdfBuffer content : pages) {
            int page = file.reserve();
            int stream = file.reserve();
            file.begin(page).text("<</Type/Page/Parent ").whole(tree).text(" 0 R/MediaBox[0 0 ").number(width, 3).number(height, 3)
                    .text("]/Resources<</Font ").whole(fonts).text(" 0 R>>/Contents ").whole(stream).text(" 0 R>>");
            file.end();
            file.stream(stream, "", content);
            numbers.add(page);
        }
        return numbers;
    }
}
