package io.arbitration.platform.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDPageContentStream.AppendMode;
import org.apache.pdfbox.pdmodel.PDResources;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;
import org.apache.pdfbox.pdmodel.graphics.image.PDImageXObject;
import org.apache.pdfbox.pdmodel.graphics.state.RenderingMode;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationSquare;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationUnknown;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationWidget;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDTextField;
import org.junit.jupiter.api.Test;

class PdfCoverSearchTest {

    private static final String TEXT = "The witness is Anna Smith of Hull";

    private static Optional<CoveredText> covered(SamplePdfs.Change change, String... texts) throws IOException {
        try (PDDocument document = Loader.loadPDF(SamplePdfs.with(change, texts))) {
            return new PdfCoverSearch(document).first();
        }
    }

    private static void draw(PDDocument document, int page, Color color, float x, float y, float width, float height) throws IOException {
        try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(page), AppendMode.APPEND, true)) {
            content.setNonStrokingColor(color);
            content.addRect(x, y, width, height);
            content.fill();
        }
    }

    @Test
    void aPageWithoutABoxAndABoxBesideTheTextCoverNothing() throws IOException {
        assertThat(covered(document -> { }, TEXT)).isEmpty();
        assertThat(covered(document -> draw(document, 0, Color.BLACK, 72, 600, 200, 40), TEXT)).isEmpty();
    }

    @Test
    void aBlackBoxOverTextIsFoundWithItsPlace() throws IOException {
        Optional<CoveredText> covered = covered(document -> draw(document, 1, Color.BLACK, 70, 694, 300, 18), "Nothing here", TEXT);
        assertThat(covered).hasValueSatisfying(place -> {
            assertThat(place.page()).isEqualTo(2);
            assertThat(place.leftMillimetres()).isBetween(24, 27);
            assertThat(place.topMillimetres()).isBetween(30, 34);
        });
        assertThat(covered(document -> draw(document, 0, new Color(40, 40, 60), 140, 694, 80, 18), TEXT)).isPresent();
    }

    @Test
    void whiteTextOnABlackHeadingIsSeen() throws IOException {
        assertThat(covered(document -> {
            draw(document, 0, Color.BLACK, 60, 500, 300, 24);
            try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(0), AppendMode.APPEND, true)) {
                content.beginText();
                content.setNonStrokingColor(Color.WHITE);
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA_BOLD), 12);
                content.newLineAtOffset(70, 508);
                content.showText("HEADING IN WHITE III");
                content.endText();
            }
        }, TEXT)).isEmpty();
    }

    @Test
    void aPictureThatABlackBoxWasDrawnIntoCoversTheTextThatAScannerHasRecognized() throws IOException {
        assertThat(covered(document -> {
            BufferedImage scan = new BufferedImage(300, 18, BufferedImage.TYPE_INT_RGB);
            try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(0), AppendMode.APPEND, true)) {
                content.drawImage(LosslessFactory.createFromImage(document, scan), 70, 694, 300, 18);
            }
        }, TEXT)).isPresent();
    }

    @Test
    void aBlackAnnotationAndAMarkThatNobodyAppliedCoverText() throws IOException {
        assertThat(covered(document -> {
            PDAnnotationSquare square = new PDAnnotationSquare();
            square.setRectangle(new PDRectangle(70, 690, 300, 26));
            square.setInteriorColor(new org.apache.pdfbox.pdmodel.graphics.color.PDColor(new float[] {0, 0, 0}, org.apache.pdfbox.pdmodel.graphics.color.PDDeviceRGB.INSTANCE));
            square.setColor(square.getInteriorColor());
            square.constructAppearances(document);
            document.getPage(0).setAnnotations(List.of(square));
        }, TEXT)).isPresent();
        assertThat(covered(document -> {
            PDAnnotationUnknown mark = new PDAnnotationUnknown(new org.apache.pdfbox.cos.COSDictionary());
            mark.getCOSObject().setItem(COSName.SUBTYPE, COSName.getPDFName("Redact"));
            mark.setRectangle(new PDRectangle(150, 690, 100, 26));
            document.getPage(0).setAnnotations(List.of(mark));
        }, TEXT)).isPresent();
    }

    @Test
    void aTurnedPageIsLookedAtAsItIsShown() throws IOException {
        for (int degrees : new int[] {90, 180, 270}) {
            assertThat(covered(document -> {
                draw(document, 0, Color.BLACK, 70, 690, 300, 26);
                document.getPage(0).setRotation(degrees);
            }, TEXT)).as("turned by %d", degrees).isPresent();
            assertThat(covered(document -> document.getPage(0).setRotation(degrees), TEXT)).as("turned by %d", degrees).isEmpty();
        }
    }

    @Test
    void aBoxOfAnotherColourAndAPictureCoverTextToo() throws IOException {
        for (Color color : List.of(Color.WHITE, Color.LIGHT_GRAY, Color.YELLOW)) {
            assertThat(covered(document -> draw(document, 0, color, 70, 690, 300, 26), TEXT)).as("under %s", color)
                    .hasValueSatisfying(place -> assertThat(place.black()).isFalse());
        }
        assertThat(covered(document -> {
            try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(0), AppendMode.PREPEND, true)) {
                content.setNonStrokingColor(Color.YELLOW);
                content.addRect(70, 690, 300, 26);
                content.fill();
                // The colour of the text that follows.
                content.setNonStrokingColor(Color.BLACK);
            }
        }, TEXT)).as("on a colour, not under it").isEmpty();
    }

    @Test
    void aLargePageIsLookedAtAsAnyOther() throws IOException {
        assertThat(covered(document -> {
            document.getPage(0).setMediaBox(new PDRectangle(3400, 2500));
            draw(document, 0, Color.BLACK, 70, 690, 300, 26);
        }, TEXT)).isPresent();
        assertThat(covered(document -> document.getPage(0).setMediaBox(new PDRectangle(3400, 2500)), TEXT)).isEmpty();
    }

    /** A field of a form with a value, as it is shown. */
    private static PDTextField field(PDDocument document, String value) throws IOException {
        PDAcroForm form = new PDAcroForm(document);
        document.getDocumentCatalog().setAcroForm(form);
        PDResources resources = new PDResources();
        resources.put(COSName.getPDFName("Helv"), new PDType1Font(Standard14Fonts.FontName.HELVETICA));
        form.setDefaultResources(resources);
        form.setDefaultAppearance("/Helv 12 Tf 0 g");
        PDTextField field = new PDTextField(form);
        field.setPartialName("witness");
        form.getFields().add(field);
        PDAnnotationWidget widget = field.getWidgets().getFirst();
        widget.setRectangle(new PDRectangle(72, 500, 200, 20));
        widget.setPage(document.getPage(0));
        document.getPage(0).getAnnotations().add(widget);
        field.setValue(value);
        return field;
    }

    @Test
    void theTextOfAFieldOfAFormIsCoveredAsThePagesOwn() throws IOException {
        assertThat(covered(document -> field(document, "Anna Smith"), "Nothing here")).isEmpty();
        assertThat(covered(document -> {
            field(document, "Anna Smith");
            PDAnnotationSquare square = new PDAnnotationSquare();
            square.setRectangle(new PDRectangle(70, 498, 210, 26));
            square.setInteriorColor(new org.apache.pdfbox.pdmodel.graphics.color.PDColor(new float[] {0, 0, 0}, org.apache.pdfbox.pdmodel.graphics.color.PDDeviceRGB.INSTANCE));
            square.constructAppearances(document);
            document.getPage(0).getAnnotations().add(square);
        }, "Nothing here")).isPresent();
    }

    private static void write(PDDocument document, RenderingMode mode, Color color, float x, float y, String text) throws IOException {
        try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(0), AppendMode.APPEND, true)) {
            content.beginText();
            content.setRenderingMode(mode);
            content.setNonStrokingColor(color);
            content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
            content.newLineAtOffset(x, y);
            content.showText(text);
            content.endText();
        }
    }

    @Test
    void aWordOfWhichNothingIsSeenRemains() throws IOException {
        assertThat(covered(document -> write(document, RenderingMode.FILL, Color.WHITE, 72, 600, "Anna Smith"), "Above")).as("white on white").isPresent();
        assertThat(covered(document -> write(document, RenderingMode.NEITHER, Color.BLACK, 72, 600, "Anna Smith"), "Above")).as("recognized where nothing is").isPresent();
        assertThat(covered(document -> {
            try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(0), AppendMode.APPEND, true)) {
                content.addRect(300, 300, 10, 10);
                content.clip();
                content.beginText();
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                content.newLineAtOffset(72, 600);
                content.showText("Anna Smith");
                content.endText();
            }
        }, "Above")).as("cut off by a path").isPresent();
        assertThat(covered(document -> write(document, RenderingMode.FILL, new Color(230, 230, 230), 72, 600, "DRAFT"), "Above")).as("pale").isEmpty();
        assertThat(covered(document -> {
            BufferedImage scan = new BufferedImage(600, 60, BufferedImage.TYPE_BYTE_GRAY);
            Graphics2D graphics = scan.createGraphics();
            graphics.setColor(Color.WHITE);
            graphics.fillRect(0, 0, 600, 60);
            graphics.setColor(Color.BLACK);
            graphics.setFont(graphics.getFont().deriveFont(40f));
            graphics.drawString("Anna Smith of Hull", 4, 46);
            graphics.dispose();
            try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(0), AppendMode.APPEND, true)) {
                content.drawImage(LosslessFactory.createFromImage(document, scan), 70, 595, 200, 20);
            }
            write(document, RenderingMode.NEITHER, Color.BLACK, 72, 600, "Anna Smith of Hull");
        }, "Above")).as("recognized in a scan that shows it").isEmpty();
    }

    @Test
    void textBesideWhatIsShownOfAPageIsTold() throws IOException {
        byte[] pdf = SamplePdfs.with(document -> document.getPage(0).setCropBox(new PDRectangle(0, 0, 400, 500)), TEXT);
        try (PDDocument document = Loader.loadPDF(pdf)) {
            PdfCoverSearch search = new PdfCoverSearch(document);
            assertThat(search.first()).isEmpty();
            assertThat(search.remains()).contains(PdfRemains.OUTSIDE_OF_PAGE);
        }
    }

    /** Nobody can look what such a picture covers of the text that was recognized in it. */
    @Test
    void aPictureThatIsNotReadOverRecognizedTextIsTold() throws IOException {
        for (RenderingMode mode : List.of(RenderingMode.NEITHER, RenderingMode.FILL)) {
            byte[] pdf = SamplePdfs.with(document -> {
                COSStream scan = document.getDocument().createCOSStream();
                scan.setItem(COSName.SUBTYPE, COSName.IMAGE);
                scan.setItem(COSName.FILTER, COSName.JBIG2_DECODE);
                scan.setInt(COSName.WIDTH, 10);
                scan.setInt(COSName.HEIGHT, 10);
                try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(0), AppendMode.APPEND, true)) {
                    content.drawImage(new PDImageXObject(new PDStream(scan), null), 70, 690, 300, 26);
                    content.beginText();
                    content.setRenderingMode(mode);
                    content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                    content.newLineAtOffset(72, 600);
                    content.showText("Anna Smith");
                    content.endText();
                }
            }, "Above");
            try (PDDocument document = Loader.loadPDF(pdf)) {
                PdfCoverSearch search = new PdfCoverSearch(document);
                assertThat(search.first()).isEmpty();
                assertThat(search.remains()).as("text in mode %s", mode).isEqualTo(mode == RenderingMode.NEITHER ? Optional.of(PdfRemains.UNREAD_PICTURE) : Optional.empty());
            }
        }
    }
}
