package io.arbitration.mainapi.notice;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.multipdf.PDFMergerUtility;
import org.apache.pdfbox.pdfwriter.compress.CompressParameters;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDDocumentNameDictionary;
import org.apache.pdfbox.pdmodel.PDEmbeddedFilesNameTreeNode;
import org.apache.pdfbox.pdmodel.common.filespecification.PDComplexFileSpecification;
import org.apache.pdfbox.pdmodel.common.filespecification.PDEmbeddedFile;
import org.apache.pdfbox.pdmodel.interactive.documentnavigation.destination.PDPageFitDestination;
import org.apache.pdfbox.pdmodel.interactive.documentnavigation.outline.PDDocumentOutline;
import org.apache.pdfbox.pdmodel.interactive.documentnavigation.outline.PDOutlineItem;

/**
 * Makes the proof of service as one PDF: the certificate, the letter, the email as it looked and the document. Every file that the proof
 * names is attached to it, byte for byte. CPU-bound.
 */
final class ProofFile {

    private ProofFile() {}

    /**
     * The whole file.
     *
     * @param signed its statement, signed
     */
    static byte[] of(Proof proof, Instant made, String signed) throws IOException {
        try (PDDocument pdf = Loader.loadPDF(new ProofCertificate(proof).pdf(made))) {
            PDDocumentOutline outline = new PDDocumentOutline();
            bookmark(outline, pdf, "Certificate", 0);
            for (Proof.Content content : proof.files()) {
                if (content.file().kind() == NoticeFile.Kind.LETTER) {
                    append(outline, pdf, "Letter", content.bytes().getBytes());
                }
            }
            for (Proof.Email email : proof.emails()) {
                append(outline, pdf, "Email as it was sent", email.rendered().getBytes());
            }
            for (Proof.Content content : proof.files()) {
                if (content.file().kind() == NoticeFile.Kind.ENTRY) {
                    append(outline, pdf, "Document served", content.bytes().getBytes());
                }
            }
            pdf.getDocumentCatalog().setDocumentOutline(outline);
            attach(pdf, proof, signed);
            pdf.setDocumentId(proof.notice().noticeId().getLeastSignificantBits());
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            pdf.save(out, CompressParameters.NO_COMPRESSION);
            return out.toByteArray();
        }
    }

    private static void append(PDDocumentOutline outline, PDDocument to, String title, byte[] pdf) throws IOException {
        int first = to.getNumberOfPages();
        try (PDDocument more = Loader.loadPDF(pdf)) {
            new PDFMergerUtility().appendDocument(to, more);
        }
        bookmark(outline, to, title, first);
    }

    private static void bookmark(PDDocumentOutline outline, PDDocument document, String title, int page) {
        PDPageFitDestination place = new PDPageFitDestination();
        place.setPage(document.getPage(page));
        PDOutlineItem item = new PDOutlineItem();
        item.setTitle(title);
        item.setDestination(place);
        outline.addLast(item);
    }

    /** So that whoever has this one file can compute every hash that it names. */
    private static void attach(PDDocument pdf, Proof proof, String signed) throws IOException {
        Map<String, PDComplexFileSpecification> named = new TreeMap<>();
        for (Proof.Content content : proof.files()) {
            add(named, pdf, proof.notice().served(), content.file().name(), content.file().contentType(), content.bytes().getBytes());
        }
        for (int i = 0; i < proof.emails().size(); i++) {
            add(named, pdf, proof.notice().served(), Proof.htmlName(i), "text/html", proof.html(i));
        }
        add(named, pdf, proof.notice().served(), Proof.STATEMENT, "application/jose", signed.getBytes(StandardCharsets.US_ASCII));
        PDEmbeddedFilesNameTreeNode tree = new PDEmbeddedFilesNameTreeNode();
        tree.setNames(named);
        PDDocumentNameDictionary names = new PDDocumentNameDictionary(pdf.getDocumentCatalog());
        names.setEmbeddedFiles(tree);
        pdf.getDocumentCatalog().setNames(names);
    }

    private static void add(
            Map<String, PDComplexFileSpecification> named, PDDocument pdf, Instant served, String name, String contentType, byte[] bytes) throws IOException {
        PDEmbeddedFile file = new PDEmbeddedFile(pdf, new ByteArrayInputStream(bytes));
        file.setSubtype(contentType);
        file.setSize(bytes.length);
        Calendar created = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
        created.setTimeInMillis(served.toEpochMilli());
        file.setCreationDate(created);
        PDComplexFileSpecification specification = new PDComplexFileSpecification();
        specification.setFile(name);
        specification.setFileUnicode(name);
        specification.setEmbeddedFile(file);
        specification.setEmbeddedFileUnicode(file);
        named.put(name, specification);
    }
}
