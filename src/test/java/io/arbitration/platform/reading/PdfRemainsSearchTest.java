package io.arbitration.platform.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.PDPageContentStream.AppendMode;
import org.apache.pdfbox.pdmodel.common.PDMetadata;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;
import org.apache.pdfbox.pdmodel.graphics.optionalcontent.PDOptionalContentGroup;
import org.apache.pdfbox.pdmodel.graphics.optionalcontent.PDOptionalContentProperties;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationText;
import org.apache.pdfbox.pdmodel.interactive.documentnavigation.outline.PDDocumentOutline;
import org.apache.pdfbox.pdmodel.interactive.documentnavigation.outline.PDOutlineItem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PdfRemainsSearchTest {

    private static final String TEXT = "The witness is Anna Smith of Hull";

    @TempDir
    private Path folder;

    private Optional<PdfRemains> in(byte[] pdf) throws IOException {
        Path file = Files.write(folder.resolve("redacted.pdf"), pdf);
        try (PDDocument document = Loader.loadPDF(file.toFile())) {
            return new PdfRemainsSearch(document.getDocument(), file.toFile()).first();
        }
    }

    private Optional<PdfRemains> in(SamplePdfs.Change change) throws IOException {
        return in(SamplePdfs.with(change, TEXT));
    }

    /** The file with a change behind it, as programs save what was changed a little. */
    private static byte[] changed(byte[] pdf, SamplePdfs.Change change) throws IOException {
        try (PDDocument document = Loader.loadPDF(pdf); ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            change.make(document);
            document.saveIncremental(out);
            return out.toByteArray();
        }
    }

    private static void write(PDDocument document, String text) throws IOException {
        try (PDPageContentStream content = new PDPageContentStream(document, document.getPage(0), AppendMode.OVERWRITE, true)) {
            content.beginText();
            content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
            content.newLineAtOffset(72, 700);
            content.showText(text);
            content.endText();
        }
        document.getPage(0).getCOSObject().setNeedToBeUpdated(true);
        document.getDocumentCatalog().getCOSObject().setNeedToBeUpdated(true);
        document.getDocumentCatalog().getPages().getCOSObject().setNeedToBeUpdated(true);
    }

    @Test
    void aFileOfWhichAllIsShownHoldsNothingElse() throws IOException {
        assertThat(in(SamplePdfs.saying("One", "Two"))).isEmpty();
        assertThat(in(document -> document.getPage(0).getAnnotations().add(comment(false)))).isEmpty();
    }

    private static boolean describes(SamplePdfs.Change change) throws IOException {
        try (PDDocument filed = Loader.loadPDF(SamplePdfs.saying("The witness is Anna Smith of Hull, paid 125000 on 3 March 2026."));
                PDDocument redacted = Loader.loadPDF(SamplePdfs.with(change, "The witness is of Hull, paid."))) {
            return new PdfDescriptionSearch(filed, redacted).finds();
        }
    }

    private static void xmp(PDDocument document, String xml) throws IOException {
        PDMetadata metadata = new PDMetadata(document);
        metadata.importXMPMetadata(xml.getBytes(StandardCharsets.UTF_8));
        document.getDocumentCatalog().setMetadata(metadata);
    }

    private static SamplePdfs.Change information(String key, String value) {
        return document -> document.getDocumentInformation().setCustomMetadataValue(key, value);
    }

    @Test
    void aRemovedWordIsFoundInWhatDescribesTheFile() throws IOException {
        for (String key : List.of("Title", "Author", "Subject", "Keywords", "Reference")) {
            assertThat(describes(information(key, "Statement of SMITH"))).as(key).isTrue();
        }
        assertThat(describes(information("Title", "125000"))).isTrue();
        assertThat(describes(information("Title", "Witness of Hull, 2026"))).as("words that the pages still have, and a number that many have").isFalse();
        assertThat(describes(information("Producer", "Smith PDF"))).as("the name of a program").isFalse();
        String xmp = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
                + "<rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:xmp='http://ns.adobe.com/xap/1.0/' %s><dc:title>%s</dc:title>"
                + "<xmp:CreatorTool>Anna 3</xmp:CreatorTool></rdf:Description></rdf:RDF></x:xmpmeta>";
        assertThat(describes(document -> xmp(document, xmp.formatted("", "Anna Smith")))).isTrue();
        assertThat(describes(document -> xmp(document, xmp.formatted("dc:subject='smith'", "Witness")))).isTrue();
        assertThat(describes(document -> xmp(document, "no XML, but Smith"))).isTrue();
        assertThat(describes(document -> xmp(document, xmp.formatted("", "Witness")))).isFalse();
        assertThat(describes(document -> {
            PDDocumentOutline outline = new PDDocumentOutline();
            PDOutlineItem item = new PDOutlineItem();
            item.setTitle("Statement of Anna Smith");
            outline.addLast(item);
            document.getDocumentCatalog().setDocumentOutline(outline);
        })).as("a bookmark").isTrue();
        assertThat(describes(document -> document.getPage(0).getAnnotations().add(comment(false)))).as("a comment").isTrue();
    }

    @Test
    void wordsOfScriptsWithoutSpacesAreComparedByPairsOfCharacters() {
        assertThat(TextWords.of("證人住在倫敦")).containsExactlyInAnyOrder("證人", "人住", "住在", "在倫", "倫敦");
        assertThat(TextWords.of("No. 7 of 2026: ﬁle 125000 倫")).containsExactlyInAnyOrder("file", "125000");
    }

    @Test
    void theTextOfAnEarlierVersionIsFoundAlsoWhereNoPageShowsIt() throws IOException {
        assertThat(in(changed(SamplePdfs.saying(TEXT), document -> write(document, "Withheld")))).contains(PdfRemains.UNUSED_PARTS);
        assertThat(in(changed(SamplePdfs.with(document -> document.getPage(0).getAnnotations().add(comment(false)), "Nothing"), document -> {
            document.getPage(0).getCOSObject().removeItem(COSName.ANNOTS);
            document.getPage(0).getCOSObject().setNeedToBeUpdated(true);
            document.getDocumentCatalog().getPages().getCOSObject().setNeedToBeUpdated(true);
            document.getDocumentCatalog().getCOSObject().setNeedToBeUpdated(true);
        }))).as("a comment that was removed").contains(PdfRemains.UNUSED_PARTS);
    }

    /** A signature is added behind a file as well. */
    @Test
    void aChangeThatTakesNoTextAwayIsNoEarlierVersion() throws IOException {
        assertThat(in(changed(SamplePdfs.saying(TEXT), document -> {
            document.getDocumentCatalog().setLanguage("en");
            document.getDocumentCatalog().getCOSObject().setNeedToBeUpdated(true);
        }))).isEmpty();
    }

    @Test
    void textAndPicturesThatNothingRefersToAreFound() throws IOException {
        byte[] pdf = SamplePdfs.saying("Withheld");
        String left = "90 0 obj\n<</Length 30>>\nstream\nBT (Anna Smith) Tj ET\nendstream\nendobj\n";
        assertThat(in(behindTheHeader(pdf, left))).contains(PdfRemains.UNUSED_PARTS);
        assertThat(in(behindTheHeader(pdf, "90 0 obj\n<</Type/XObject/Subtype/Image/Width 1/Height 1/Length 1>>\nstream\nx\nendstream\nendobj\n")))
                .contains(PdfRemains.UNUSED_PARTS);
        assertThat(in(behindTheHeader(pdf, "90 0 obj\n<</Length 4>>\nstream\n1 w\n\nendstream\nendobj\n"))).isEmpty();
    }

    /** A table of objects that is wrong by some bytes is made anew by readers; the objects of the file stay what they are. */
    private static byte[] behindTheHeader(byte[] pdf, String object) {
        int end = new String(pdf, StandardCharsets.ISO_8859_1).lastIndexOf("xref\n0 ");
        int table = end < 0 ? new String(pdf, StandardCharsets.ISO_8859_1).lastIndexOf("startxref") : end;
        byte[] more = object.getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(pdf, pdf.length + more.length);
        System.arraycopy(more, 0, all, table, more.length);
        System.arraycopy(pdf, table, all, table + more.length, pdf.length - table);
        return all;
    }

    @Test
    void whatIsNotOnThePagesIsFound() throws IOException {
        assertThat(in(SamplePdfs.withEmbedded("claim.txt", "Anna Smith".getBytes(StandardCharsets.UTF_8)))).contains(PdfRemains.ATTACHMENT);
        assertThat(in(document -> document.getPage(0).getCOSObject().setItem(COSName.getPDFName("Thumb"),
                LosslessFactory.createFromImage(document, new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB))))).contains(PdfRemains.THUMBNAIL);
        assertThat(in(document -> document.getPage(0).getAnnotations().add(comment(true)))).contains(PdfRemains.HIDDEN_TEXT);
        assertThat(in(document -> {
            PDOptionalContentProperties layers = new PDOptionalContentProperties();
            PDOptionalContentGroup names = new PDOptionalContentGroup("Names");
            layers.addGroup(names);
            layers.setGroupEnabled(names, false);
            document.getDocumentCatalog().setOCProperties(layers);
        })).contains(PdfRemains.HIDDEN_LAYER);
        assertThat(in(document -> {
            COSDictionary program = new COSDictionary();
            program.setItem(COSName.getPDFName("Private"), new PDStream(document).getCOSObject());
            COSDictionary kept = new COSDictionary();
            kept.setItem(COSName.getPDFName("Illustrator"), program);
            document.getPage(0).getCOSObject().setItem(COSName.getPDFName("PieceInfo"), kept);
        })).contains(PdfRemains.PRIVATE_COPY);
    }

    private static PDAnnotationText comment(boolean hidden) {
        PDAnnotationText comment = new PDAnnotationText();
        comment.setRectangle(new PDRectangle(10, 10, 20, 20));
        comment.setContents("She is Anna Smith.");
        comment.setHidden(hidden);
        return comment;
    }
}
