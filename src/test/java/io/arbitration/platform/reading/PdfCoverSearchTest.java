package io.arbitration.platform.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDPageContentStream.AppendMode;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationSquare;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationUnknown;
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
}
