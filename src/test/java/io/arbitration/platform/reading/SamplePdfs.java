package io.arbitration.platform.reading;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSInteger;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDDocumentNameDictionary;
import org.apache.pdfbox.pdmodel.PDEmbeddedFilesNameTreeNode;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.filespecification.PDComplexFileSpecification;
import org.apache.pdfbox.pdmodel.common.filespecification.PDEmbeddedFile;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.pdfbox.pdmodel.graphics.image.LosslessFactory;
import org.apache.pdfbox.pdmodel.interactive.action.PDActionJavaScript;
import org.apache.pdfbox.pdmodel.interactive.action.PDActionLaunch;
import org.apache.pdfbox.pdmodel.interactive.annotation.PDAnnotationLink;

/** PDFs as parties file them, and as attackers do. */
public final class SamplePdfs {

    private SamplePdfs() {}

    /** Changes a document before it is saved. */
    @FunctionalInterface
    public interface Change {
        void make(PDDocument document) throws IOException;
    }

    /** A page for each text. */
    public static byte[] saying(String... texts) {
        return with(document -> { }, texts);
    }

    public static byte[] with(Change change, String... texts) {
        try (PDDocument document = new PDDocument(); ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            for (String text : texts) {
                PDPage page = new PDPage();
                document.addPage(page);
                try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                    content.beginText();
                    content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                    content.newLineAtOffset(72, 700);
                    content.showText(text);
                    content.endText();
                }
            }
            change.make(document);
            document.save(out);
            return out.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    public static byte[] pages(int count) {
        return with(document -> {
            for (int i = 0; i < count; i++) {
                document.addPage(new PDPage());
            }
        });
    }

    /** @param password to open it; empty: anybody can, and nobody may change it */
    public static byte[] encrypted(String password) {
        return with(document -> document.protect(new StandardProtectionPolicy("owner", password, new AccessPermission())), "Secret.");
    }

    public static byte[] withScriptAtOpening() {
        return with(document -> document.getDocumentCatalog().setOpenAction(new PDActionJavaScript("app.alert(1)")), "Scripted.");
    }

    public static byte[] withScriptOfAnXfaForm() {
        return with(document -> {
            COSStream xfa = document.getDocument().createCOSStream();
            try (OutputStream out = xfa.createOutputStream(COSName.FLATE_DECODE)) {
                out.write("<xdp:xdp><template><event><script contentType='application/x-javascript'>x()</script></event></template></xdp:xdp>".getBytes(StandardCharsets.UTF_8));
            }
            COSDictionary form = new COSDictionary();
            form.setItem(COSName.getPDFName("XFA"), xfa);
            form.setItem(COSName.FIELDS, new COSArray());
            document.getDocumentCatalog().getCOSObject().setItem(COSName.ACRO_FORM, form);
        }, "A form.");
    }

    public static byte[] withLaunchAction() {
        return with(document -> {
            PDActionLaunch launch = new PDActionLaunch();
            launch.setOpenInNewWindow(org.apache.pdfbox.pdmodel.interactive.action.OpenMode.NEW_WINDOW);
            PDAnnotationLink link = new PDAnnotationLink();
            link.setAction(launch);
            document.getPage(0).getAnnotations().add(link);
        }, "Click here.");
    }

    public static byte[] withEmbedded(String name, byte[] bytes) {
        return with(document -> {
            PDEmbeddedFile embedded = new PDEmbeddedFile(document, new ByteArrayInputStream(bytes), COSName.FLATE_DECODE);
            PDComplexFileSpecification file = new PDComplexFileSpecification();
            file.setFile(name);
            file.setEmbeddedFile(embedded);
            PDEmbeddedFilesNameTreeNode tree = new PDEmbeddedFilesNameTreeNode();
            tree.setNames(Map.of(name, file));
            PDDocumentNameDictionary names = new PDDocumentNameDictionary(document.getDocumentCatalog());
            names.setEmbeddedFiles(tree);
            document.getDocumentCatalog().setNames(names);
        }, "With an attachment.");
    }

    private static byte[] deflated(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(packed)) {
            out.write(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return packed.toByteArray();
    }

    private static void raw(COSStream stream, byte[] bytes) throws IOException {
        try (OutputStream out = stream.createRawOutputStream()) {
            out.write(bytes);
        }
    }

    /** A page whose drawing is 300 kB in the file and 300 MB when it is read. */
    public static byte[] bomb() {
        return with(document -> {
            COSStream content = document.getDocument().createCOSStream();
            raw(content, DeflatedRun.of((byte) 0, 300_000_000));
            content.setItem(COSName.FILTER, COSName.FLATE_DECODE);
            document.getPage(0).getCOSObject().setItem(COSName.CONTENTS, content);
        }, "Boom.");
    }

    /** Unpacks to much, within every bound: seconds of a processor. */
    public static byte[] longToUnpack() {
        byte[] packed = DeflatedRun.of((byte) 0, 60_000_000);
        return with(document -> {
            COSArray contents = new COSArray();
            for (int i = 0; i < 12; i++) {
                COSStream content = document.getDocument().createCOSStream();
                raw(content, packed);
                content.setItem(COSName.FILTER, COSName.FLATE_DECODE);
                contents.add(content);
            }
            document.getPage(0).getCOSObject().setItem(COSName.CONTENTS, contents);
        }, "Patience.");
    }

    /** The same packed twice: a few hundred bytes. */
    public static byte[] bombInABomb() {
        return with(document -> {
            COSStream content = document.getDocument().createCOSStream();
            raw(content, deflated(DeflatedRun.of((byte) 0, 300_000_000)));
            COSArray filters = new COSArray();
            filters.add(COSName.FLATE_DECODE);
            filters.add(COSName.FLATE_DECODE);
            content.setItem(COSName.FILTER, filters);
            document.getPage(0).getCOSObject().setItem(COSName.CONTENTS, content);
        }, "Boom.");
    }

    /** A page that is a picture, as scanners make them. */
    public static byte[] scan() {
        return with(document -> {
            PDPage page = new PDPage();
            document.addPage(page);
            BufferedImage picture = new BufferedImage(60, 80, BufferedImage.TYPE_BYTE_GRAY);
            try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                content.drawImage(LosslessFactory.createFromImage(document, picture), 0, 0, page.getMediaBox().getWidth(), page.getMediaBox().getHeight());
            }
        });
    }

    /** A picture that says of itself that it is 100,000 dots wide and high. */
    public static byte[] hugePicture() {
        return with(document -> {
            COSStream picture = document.getDocument().createCOSStream();
            raw(picture, deflated(new byte[1000]));
            picture.setItem(COSName.FILTER, COSName.FLATE_DECODE);
            picture.setItem(COSName.SUBTYPE, COSName.IMAGE);
            picture.setItem(COSName.WIDTH, COSInteger.get(100_000));
            picture.setItem(COSName.HEIGHT, COSInteger.get(100_000));
            picture.setItem(COSName.BITS_PER_COMPONENT, COSInteger.get(8));
            COSDictionary pictures = new COSDictionary();
            pictures.setItem(COSName.getPDFName("Im1"), picture);
            document.getPage(0).getResources().getCOSObject().setItem(COSName.XOBJECT, pictures);
        }, "Look.");
    }

    /** An object that unpacks to hundreds of millions of numbers, all of which a reader must hold at once. */
    public static byte[] objectsWithoutEnd() {
        ByteArrayOutputStream numbers = new ByteArrayOutputStream();
        numbers.writeBytes("5 0 [".getBytes(StandardCharsets.US_ASCII));
        byte[] packed = deflatedAfter(numbers.toByteArray(), "1 2 3 4 5 6 7 8 9 0 ".repeat(50_000).getBytes(StandardCharsets.US_ASCII), 100);
        String head = "%PDF-1.5\n1 0 obj <</Type /Catalog /Pages 2 0 R /Extra 5 0 R>> endobj\n2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n"
                + "3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800]>> endobj\n";
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        int objects = file.size();
        file.writeBytes("4 0 obj <</Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d>> stream\n".formatted(packed.length).getBytes(StandardCharsets.US_ASCII));
        file.writeBytes(packed);
        file.writeBytes("\nendstream endobj\n".getBytes(StandardCharsets.US_ASCII));
        int table = file.size();
        ByteArrayOutputStream rows = new ByteArrayOutputStream();
        row(rows, 0, 0, 0);
        for (int object = 1; object <= 3; object++) {
            row(rows, 1, head.indexOf(object + " 0 obj"), 0);
        }
        row(rows, 1, objects, 0);
        row(rows, 2, 4, 0);
        row(rows, 1, table, 0);
        file.writeBytes("6 0 obj <</Type /XRef /Size 7 /W [1 4 2] /Root 1 0 R /Length %d>> stream\n".formatted(rows.size()).getBytes(StandardCharsets.US_ASCII));
        file.writeBytes(rows.toByteArray());
        file.writeBytes("\nendstream endobj\nstartxref\n%d\n%%%%EOF\n".formatted(table).getBytes(StandardCharsets.US_ASCII));
        return file.toByteArray();
    }

    private static void row(ByteArrayOutputStream rows, int kind, int place, int index) {
        rows.write(kind);
        rows.writeBytes(java.nio.ByteBuffer.allocate(4).putInt(place).array());
        rows.writeBytes(java.nio.ByteBuffer.allocate(2).putShort((short) index).array());
    }

    private static byte[] deflatedAfter(byte[] head, byte[] bytes, int times) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(packed)) {
            out.write(head);
            for (int i = 0; i < times; i++) {
                out.write(bytes);
            }
            out.write(']');
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return packed.toByteArray();
    }

    /** The last third is missing. */
    public static byte[] truncated() {
        byte[] whole = saying("One.", "Two.", "Three.");
        return Arrays.copyOf(whole, whole.length * 2 / 3);
    }

    /** Its bytes in the middle are others. */
    public static byte[] scrambled() {
        byte[] bytes = saying("One.", "Two.", "Three.");
        Arrays.fill(bytes, 60, bytes.length - 40, (byte) 'x');
        return bytes;
    }

    /** A PDF that archive programs open as well. */
    public static byte[] archiveToo() {
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(zip)) {
            out.putNextEntry(new ZipEntry("evil.exe"));
            out.write(new byte[] {'M', 'Z', 0, 0});
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return join(saying("A PDF and an archive."), zip.toByteArray(), new byte[0]);
    }

    /** A page of HTML, and a PDF behind it. */
    public static byte[] pageFirst() {
        return join("<html><script>steal()</script>".getBytes(StandardCharsets.US_ASCII), saying("Behind."), new byte[0]);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
