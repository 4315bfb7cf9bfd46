package io.arbitration.pdfs;

import io.arbitration.pdfs.template.Widget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSString;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;

/** Makes PDFs with forms of every kind, good and bad, with PDFBox: what others' programs would have made. */
public final class FormMaker {

    public final PDDocument document = new PDDocument();
    public final PDAcroForm form = new PDAcroForm(document);
    private final COSArray fields = new COSArray();

    public FormMaker(int pages) {
        for (int i = 0; i < pages; i++) {
            PDPage page = new PDPage(PDRectangle.A4);
            document.addPage(page);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.beginText();
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                content.newLineAtOffset(50, 800);
                content.showText("Printed on page " + (i + 1));
                content.endText();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
        PDResources resources = new PDResources();
        resources.put(COSName.getPDFName("Helv"), new PDType1Font(Standard14Fonts.FontName.HELVETICA));
        resources.put(COSName.getPDFName("HeBo"), new PDType1Font(Standard14Fonts.FontName.HELVETICA_BOLD));
        form.setDefaultResources(resources);
        form.getCOSObject().setString(COSName.DA, "/Helv 0 Tf 0 g");
        form.getCOSObject().setItem(COSName.FIELDS, fields);
        document.getDocumentCatalog().setAcroForm(form);
    }

    /** A form of one page with the text field {@code name}. */
    public static byte[] oneField() {
        FormMaker maker = new FormMaker(1);
        maker.text("name", at(0, 50, 700, 200, 20));
        return maker.bytes();
    }

    /** A field with a widget on each of the places: page, x, y, width, height. */
    public COSDictionary field(String name, String type, int flags, double[]... places) {
        COSDictionary field = new COSDictionary();
        field.setString(COSName.T, name);
        field.setName(COSName.FT, type);
        field.setInt(COSName.FF, flags);
        COSArray kids = new COSArray();
        for (double[] place : places) {
            COSDictionary widget = new COSDictionary();
            widget.setItem(COSName.TYPE, COSName.ANNOT);
            widget.setName(COSName.SUBTYPE, "Widget");
            widget.setItem(COSName.RECT, new PDRectangle((float) place[1], (float) place[2], (float) place[3], (float) place[4]).getCOSArray());
            widget.setInt(COSName.F, 4);
            widget.setItem(COSName.PARENT, field);
            COSDictionary look = new COSDictionary();
            look.setItem(COSName.getPDFName("BC"), array(0.4f));
            widget.setItem(COSName.getPDFName("MK"), look);
            COSDictionary page = document.getPage((int) place[0]).getCOSObject();
            COSArray annotations = page.getCOSArray(COSName.ANNOTS);
            if (annotations == null) {
                annotations = new COSArray();
                page.setItem(COSName.ANNOTS, annotations);
            }
            annotations.add(widget);
            kids.add(widget);
        }
        field.setItem(COSName.KIDS, kids);
        fields.add(field);
        return field;
    }

    public COSDictionary text(String name, double[]... places) {
        return field(name, "Tx", 0, places);
    }

    public static COSDictionary with(COSDictionary field, String key, Object value) {
        switch (value) {
            case Integer number -> field.setInt(COSName.getPDFName(key), number);
            case String text -> field.setString(COSName.getPDFName(key), text);
            default -> field.setItem(COSName.getPDFName(key), (org.apache.pdfbox.cos.COSBase) value);
        }
        return field;
    }

    public static COSArray strings(String... texts) {
        COSArray array = new COSArray();
        for (String text : texts) {
            array.add(new COSString(text));
        }
        return array;
    }

    private static COSArray array(float... numbers) {
        COSArray array = new COSArray();
        array.setFloatArray(numbers);
        return array;
    }

    /** Gives the widgets of a field appearances, on by one of these names each. */
    public COSDictionary states(COSDictionary field, String... on) {
        COSArray kids = field.getCOSArray(COSName.KIDS);
        List<COSDictionary> widgets = new ArrayList<>();
        for (int i = 0; i < kids.size(); i++) {
            widgets.add((COSDictionary) kids.getObject(i));
        }
        for (int i = 0; i < widgets.size(); i++) {
            COSDictionary normal = new COSDictionary();
            normal.setItem(COSName.getPDFName(on[i]), picture("0 0 10 10 re f"));
            normal.setItem(COSName.Off, picture("1 1 8 8 re S"));
            COSDictionary appearances = new COSDictionary();
            appearances.setItem(COSName.N, normal);
            widgets.get(i).setItem(COSName.AP, appearances);
        }
        return field;
    }

    private org.apache.pdfbox.cos.COSStream picture(String operators) {
        try {
            PDStream stream = new PDStream(document, new java.io.ByteArrayInputStream(operators.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
            stream.getCOSObject().setItem(COSName.BBOX, new PDRectangle(10, 10).getCOSArray());
            stream.getCOSObject().setName(COSName.SUBTYPE, "Form");
            return stream.getCOSObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    public static double[] at(int page, double x, double y, double width, double height) {
        return new double[] {page, x, y, width, height};
    }

    public byte[] bytes() {
        try (document; ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            document.save(out);
            return out.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
