package io.arbitration.pdfs.template;

import io.arbitration.platform.paper.PdfBuffer;
import java.io.IOException;
import java.io.InputStream;
import org.apache.pdfbox.contentstream.operator.Operator;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.pdfparser.PDFStreamParser;

/** A page of a template while it is compiled: its content without the form, and the pictures that a fill may draw on it. */
final class PageCanvas {

    private static final int CONTENT_BYTES_MAX = 16 * 1024 * 1024;

    private final COSDictionary page;
    private final String prefix;
    private final double[] box;
    private final COSDictionary pictures = new COSDictionary();
    private final PdfBuffer drawn = new PdfBuffer(256);

    /** @param box left, bottom, right, top of the sheet */
    PageCanvas(COSDictionary page, String prefix, double[] box) {
        this.page = page;
        this.prefix = prefix;
        this.box = box;
    }

    COSDictionary page() {
        return page;
    }

    double[] box() {
        return box;
    }

    /** The operators that every filled form draws there. */
    PdfBuffer drawn() {
        return drawn;
    }

    COSDictionary pictures() {
        return pictures;
    }

    /** A name by which content of this page can draw the picture. */
    String picture(COSStream appearance) {
        String name = prefix + "X" + (pictures.size() + 1);
        appearance.setItem(COSName.TYPE, COSName.XOBJECT);
        appearance.setItem(COSName.SUBTYPE, COSName.FORM);
        pictures.setItem(COSName.getPDFName(name), appearance);
        return name;
    }

    /** The content of the template followed by the drawn operators, which it cannot affect. */
    PdfBuffer content() throws IOException, RefusedTemplate {
        PdfBuffer original = new PdfBuffer(4096);
        COSBase contents = page.getDictionaryObject(COSName.CONTENTS);
        if (contents instanceof COSStream one) {
            append(one, original);
        } else if (contents instanceof COSArray several) {
            for (int i = 0; i < several.size(); i++) {
                if (several.getObject(i) instanceof COSStream part) {
                    append(part, original);
                }
            }
        }
        PdfBuffer all = new PdfBuffer(original.length() + drawn.length() + 64);
        int least = 0;
        int depth = 0;
        PDFStreamParser parser = new PDFStreamParser(original.toBytes());
        for (Object token = parser.parseNextToken(); token != null; token = parser.parseNextToken()) {
            if (token instanceof Operator operator) {
                depth += operator.getName().equals("q") ? 1 : operator.getName().equals("Q") ? -1 : 0;
                least = Math.min(least, depth);
            }
        }
        for (int i = least; i <= 0; i++) {
            all.text("q\n");
        }
        all.append(original).text("\n");
        for (int i = least; i <= depth; i++) {
            all.text("Q\n");
        }
        return all.append(drawn);
    }

    private static void append(COSStream part, PdfBuffer all) throws IOException, RefusedTemplate {
        COSBase filter = part.getFilters();
        boolean plain = filter == null || COSName.FLATE_DECODE.equals(filter) || COSName.FLATE_DECODE_ABBREVIATION.equals(filter)
                || filter instanceof COSArray chain && (chain.size() == 0 || chain.size() == 1 && COSName.FLATE_DECODE.equals(chain.getObject(0)));
        if (!plain) {
            throw new RefusedTemplate("has page content in a filter that is not taken");
        }
        try (InputStream in = part.createInputStream()) {
            all.bytes(in.readNBytes(CONTENT_BYTES_MAX)).text("\n");
        }
        if (all.length() > CONTENT_BYTES_MAX) {
            throw new RefusedTemplate("has a page with more than %d bytes of content".formatted(CONTENT_BYTES_MAX));
        }
    }
}
