package io.arbitration.mainapi.notice;

import io.arbitration.domain.hash.ContentHash;
import io.arbitration.domain.text.Mailbox;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.paper.Paper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
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
 * Writes a proof of service: a certificate with the delivery trail and all hashes, the letter, the email as it looked, and the
 * document; and in the same file, every file that it tells of, byte for byte. CPU-bound.
 */
final class ProofPaper {

    private static final Paper.Look KIND = new Paper.Look(9, false, 0.35f);
    private static final Paper.Look TITLE = new Paper.Look(19, true, 0);
    private static final Paper.Look HEADING = new Paper.Look(12.5f, true, 0.1f);
    private static final Paper.Look BODY = new Paper.Look(10, false, 0);
    private static final Paper.Look FACT = new Paper.Look(9, false, 0.1f);
    private static final Paper.Look STRONG = new Paper.Look(10.5f, true, 0);
    private static final Paper.Look SMALL = new Paper.Look(8, false, 0.1f);
    private static final float[] COLUMNS = {130, Paper.WIDTH - 130};
    private static final float[] TRAIL = {130, 60, Paper.WIDTH - 190};
    private static final int TAKEN = 250;
    private static final String STATEMENT = "statement.jws";

    /** A stored file of the notice with its content. */
    record Content(NoticeRepository.File file, Buffer bytes) {}

    /**
     * An email of the notice.
     *
     * @param rendered as a PDF
     * @param how it was rendered, in words
     */
    record Email(ProofRepository.Content content, Buffer rendered, String how) {}

    private final ProofRepository.Told notice;
    private final List<Content> files;
    private final List<ProofRepository.Way> ways;
    private final List<Email> emails;
    private final String told;

    ProofPaper(ProofRepository.Told notice, List<Content> files, List<ProofRepository.Way> ways, List<Email> emails, String told) {
        this.notice = notice;
        this.files = files;
        this.ways = ways;
        this.emails = emails;
        this.told = told;
    }

    private String mail(String name) {
        return String.valueOf(notice.mail().getValue(name));
    }

    /**
     * All that the certificate says, for whoever reads it with a program.
     *
     * @param issuer whose keys sign it
     */
    JsonObject statement(String issuer, Instant made) {
        JsonArray recipients = new JsonArray();
        for (ProofRepository.Way way : ways) {
            JsonArray attempts = new JsonArray();
            way.attempts().forEach(attempt -> attempts.add(new JsonObject().put("at", Timestamps.text(attempt.at())).put("code", attempt.code())
                    .put("error", attempt.error())));
            recipients.add(new JsonObject().put("email", way.email()).put("idempotencyKey", way.idempotencyKey())
                    .put("messageID", way.emailId() == null ? null : messageId(way))
                    .put("state", way.refusal() != null ? "refused" : way.state() == null ? "waiting" : way.state())
                    .put("endedAt", text(way.refused() != null ? way.refused() : way.ended())).put("reason", way.refusal()).put("attempts", attempts));
        }
        JsonArray stored = new JsonArray();
        files.forEach(content -> stored.add(new JsonObject().put("name", content.file.name()).put("sha256", content.file.fingerprint().sha256())));
        for (int i = 0; i < emails.size(); i++) {
            stored.add(new JsonObject().put("name", htmlName(i)).put("sha256", ContentHash.sha256(html(i))));
        }
        return new JsonObject().put("iss", issuer).put("noticeID", notice.noticeId().toString()).put("caseID", notice.caseId().toString())
                .put("userID", notice.senderId().toString()).put("mailType", notice.mailType()).put("servedAt", Timestamps.text(notice.served()))
                .put("entryNumber", notice.mail().getValue("entryNumber")).put("entryHash", mail("entryHash"))
                .put("recipients", recipients).put("files", stored).put("issuedAt", Timestamps.text(made));
    }

    private static String text(Instant at) {
        return at == null ? null : Timestamps.text(at);
    }

    private static String messageId(ProofRepository.Way way) {
        return "<%s@%s>".formatted(way.emailId(), Mailbox.parse(way.from()).domain());
    }

    private byte[] html(int email) {
        return emails.get(email).content.html().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The whole file.
     *
     * @param signed its statement, signed
     */
    byte[] bytes(Instant made, String signed) throws IOException {
        try (PDDocument proof = Loader.loadPDF(certificate(made))) {
            PDDocumentOutline outline = new PDDocumentOutline();
            bookmark(outline, proof, "Certificate", 0);
            for (Content content : files) {
                if (content.file.kind() == NoticeRepository.Kind.LETTER) {
                    append(outline, proof, "Letter", content.bytes.getBytes());
                }
            }
            for (Email email : emails) {
                append(outline, proof, "Email as it was sent", email.rendered.getBytes());
            }
            for (Content content : files) {
                if (content.file.kind() == NoticeRepository.Kind.ENTRY) {
                    append(outline, proof, "Document served", content.bytes.getBytes());
                }
            }
            proof.getDocumentCatalog().setDocumentOutline(outline);
            attach(proof, signed);
            proof.setDocumentId(notice.noticeId().getLeastSignificantBits());
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            proof.save(out, CompressParameters.NO_COMPRESSION);
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
    private void attach(PDDocument proof, String signed) throws IOException {
        Map<String, PDComplexFileSpecification> named = new TreeMap<>();
        for (Content content : files) {
            add(named, proof, content.file.name(), content.file.contentType(), content.bytes.getBytes());
        }
        for (int i = 0; i < emails.size(); i++) {
            add(named, proof, htmlName(i), "text/html", html(i));
        }
        add(named, proof, STATEMENT, "application/jose", signed.getBytes(StandardCharsets.US_ASCII));
        PDEmbeddedFilesNameTreeNode tree = new PDEmbeddedFilesNameTreeNode();
        tree.setNames(named);
        PDDocumentNameDictionary names = new PDDocumentNameDictionary(proof.getDocumentCatalog());
        names.setEmbeddedFiles(tree);
        proof.getDocumentCatalog().setNames(names);
    }

    private static String htmlName(int at) {
        return at == 0 ? "email.html" : "email-%d.html".formatted(at + 1);
    }

    private void add(Map<String, PDComplexFileSpecification> named, PDDocument proof, String name, String contentType, byte[] bytes) throws IOException {
        PDEmbeddedFile file = new PDEmbeddedFile(proof, new ByteArrayInputStream(bytes));
        file.setSubtype(contentType);
        file.setSize(bytes.length);
        Calendar served = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
        served.setTimeInMillis(notice.served().toEpochMilli());
        file.setCreationDate(served);
        PDComplexFileSpecification specification = new PDComplexFileSpecification();
        specification.setFile(name);
        specification.setFileUnicode(name);
        specification.setEmbeddedFile(file);
        specification.setEmbeddedFileUnicode(file);
        named.put(name, specification);
    }

    private byte[] certificate(Instant made) {
        Paper paper = new Paper();
        paper.text("Service of notice", KIND).space(2).text("Proof of service", TITLE).space(6);
        paper.text("The Arbitration Case Platform has recorded that the notice named below was served by email as this proof tells. "
                + "Delivered means that the mail server took the email and answers for the rest of its way; whether somebody read it is not known.", BODY)
                .space(12);
        paper.rule(0.4f).space(3);
        fact(paper, "Notice", mail("heading"));
        fact(paper, "Notice ID", notice.noticeId().toString());
        fact(paper, "Case", mail("caseTitle"));
        fact(paper, "Case ID", notice.caseId().toString());
        fact(paper, "Served by", mail("servedBy"));
        fact(paper, "User ID", notice.senderId().toString());
        fact(paper, "Served", Letter.MOMENT.format(notice.served()));
        fact(paper, "Document", "%s: %s".formatted(mail("documentName"), mail("entryTitle")));
        fact(paper, "Docket entry", "No. %s, entered %s".formatted(mail("entryNumber"), mail("enteredAt")));
        fact(paper, "SHA-256 of entry", mail("entryHash"));
        recipients(paper);
        hashes(paper);
        paper.space(14).keep(60).text("What follows", HEADING).space(4);
        paper.text((emails.isEmpty() ? "The letter and the document; the mail service has taken no email yet." : "The letter, the email as it was sent, and the document.")
                + " Every file whose SHA-256 is named above is attached to this PDF, byte for byte; so is " + STATEMENT
                + ", what this certificate says, signed by the platform (JWS, ES256).", BODY);
        emails.stream().map(Email::how).distinct().forEach(how -> paper.space(4).text(how, BODY));
        return paper.bytes("Proof of service — %s".formatted(mail("caseTitle")), made,
                (page, pages) -> "Notice %s · proof %s… of %s · certificate page %d of %d".formatted(
                        notice.noticeId(), told.substring(0, 16), Letter.MOMENT.format(made), page, pages));
    }

    private static void fact(Paper paper, String label, String value) {
        paper.row(FACT, COLUMNS, label, value);
    }

    private void recipients(Paper paper) {
        paper.space(14).keep(90).text("Recipients and delivery", HEADING).space(4);
        for (ProofRepository.Way way : ways) {
            paper.space(8).keep(90).text(way.email(), STRONG).space(2);
            fact(paper, "Outcome", outcome(way));
            fact(paper, "Named by", way.userId() == null ? "address" : "user " + way.userId());
            paper.row(SMALL, COLUMNS, "Idempotency key", way.idempotencyKey());
            if (way.emailId() != null) {
                fact(paper, "Message-ID", messageId(way));
                fact(paper, "From", way.from());
                fact(paper, "Queued", Letter.MOMENT.format(way.accepted()));
            }
            for (ProofRepository.Attempt attempt : way.attempts()) {
                paper.row(SMALL, TRAIL, Timestamps.text(attempt.at()), "%d ms".formatted(attempt.durationMillis()), answer(attempt));
            }
        }
    }

    private static String answer(ProofRepository.Attempt attempt) {
        if (attempt.error() == null) {
            return "taken by the mail server (%d)".formatted(attempt.code() == null ? TAKEN : attempt.code());
        }
        // Mostly the words hold the code already.
        return attempt.code() == null || attempt.error().contains(attempt.code().toString()) ? attempt.error()
                : "%d: %s".formatted(attempt.code(), attempt.error());
    }

    private static String outcome(ProofRepository.Way way) {
        if (way.refusal() != null) {
            return "failed %s: %s".formatted(Letter.MOMENT.format(way.refused()), way.refusal());
        }
        return switch (way.state() == null ? "waiting" : way.state()) {
            case "waiting" -> "not yet taken by the mail service";
            case "pending" -> way.attempts().isEmpty() ? "not yet sent" : "not yet delivered";
            case "held" -> "held: no mail server is configured";
            case "sent" -> "delivered %s".formatted(Letter.MOMENT.format(way.ended()));
            case "bounced" -> "refused by the mail server %s".formatted(Letter.MOMENT.format(way.ended()));
            case "failed" -> "given up %s".formatted(Letter.MOMENT.format(way.ended()));
            case String unknown -> unknown;
        };
    }

    private void hashes(Paper paper) {
        paper.space(14).keep(90).text("Files and their SHA-256", HEADING).space(4);
        for (Content content : files) {
            String what = switch (content.file.kind()) {
                case LETTER -> "the letter";
                case ENTRY -> "the document";
                case IMAGE -> "image as it was given, %d x %d pixels".formatted(content.file.width(), content.file.height());
                case PREVIEW -> "the same as the email shows it";
            };
            hash(paper, content.file.name(), what, content.file.fingerprint().bytes(), content.file.fingerprint().sha256());
        }
        for (int i = 0; i < emails.size(); i++) {
            byte[] html = html(i);
            hash(paper, htmlName(i), "HTML of %d email%s, subject: %s".formatted(emails.get(i).content.emails(),
                    emails.get(i).content.emails() == 1 ? "" : "s", emails.get(i).content.subject()), html.length, ContentHash.sha256(html));
        }
    }

    private static void hash(Paper paper, String name, String what, long bytes, String sha256) {
        paper.row(SMALL, COLUMNS, name, "%s, %d bytes\n%s".formatted(what, bytes, sha256));
    }

    /** The text of an email, typeset: what stands in the place of its looks where no browser is. */
    static byte[] plain(ProofRepository.Content content, String why, Instant at) {
        Paper paper = new Paper();
        paper.banner(why).space(14).text(content.subject(), HEADING).space(10).text(content.text(), BODY);
        return paper.bytes(content.subject(), at, (page, pages) -> "Text of the email · page %d of %d".formatted(page, pages));
    }

    /** Names of things that a proof tells of, as a list for its fingerprint. */
    static List<String> names(List<NoticeRepository.File> files) {
        List<String> names = new ArrayList<>();
        files.forEach(file -> names.add(file.kind().text() + " " + file.name() + " " + file.fingerprint().sha256()));
        return names;
    }
}
