package io.arbitration.mainapi.notice;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.paper.Paper;
import java.time.Instant;

/** Typesets the certificate of a proof: the delivery trail of each recipient and all hashes. CPU-bound. */
final class ProofCertificate {

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

    private final Proof proof;

    ProofCertificate(Proof proof) {
        this.proof = proof;
    }

    /** @param made when the proof was made */
    byte[] pdf(Instant made) {
        Paper paper = new Paper();
        paper.text("Service of notice", KIND).space(2).text("Proof of service", TITLE).space(6);
        paper.text("The Arbitration Case Platform has recorded that the notice named below was served by email as this proof tells. "
                + "Delivered means that the mail server took the email and answers for the rest of its way; whether somebody read it is not known.", BODY)
                .space(12);
        paper.rule(0.4f).space(3);
        fact(paper, "Notice", proof.mail("heading"));
        fact(paper, "Notice ID", proof.notice().noticeId().toString());
        fact(paper, "Case", proof.mail("caseTitle"));
        fact(paper, "Case ID", proof.notice().caseId().toString());
        fact(paper, "Served by", proof.mail("servedBy"));
        fact(paper, "User ID", proof.notice().senderId().toString());
        fact(paper, "Served", Letter.MOMENT.format(proof.notice().served()));
        fact(paper, "Document", "%s: %s".formatted(proof.mail("documentName"), proof.mail("entryTitle")));
        if (proof.isOfHearing()) {
            fact(paper, "Hearing", proof.mail("hearingWhen"));
            fact(paper, "Hearing ID", proof.mail("hearingID"));
            fact(paper, "As of", "revision " + proof.mail("hearingRevision"));
        } else {
            fact(paper, "Docket entry", "No. %s, entered %s".formatted(proof.mail("entryNumber"), proof.mail("enteredAt")));
            fact(paper, "SHA-256 of entry", proof.mail("entryHash"));
        }
        recipients(paper);
        hashes(paper);
        paper.space(14).keep(60).text("What follows", HEADING).space(4);
        paper.text((proof.emails().isEmpty() ? "The letter and the document; the mail service has taken no email yet." : "The letter, the email as it was sent, and the document.")
                + " Every file whose SHA-256 is named above is attached to this PDF, byte for byte; so is " + Proof.STATEMENT
                + ", what this certificate says, signed by the platform (JWS, ES256).", BODY);
        proof.emails().stream().map(Proof.Email::how).distinct().forEach(how -> paper.space(4).text(how, BODY));
        return paper.bytes("Proof of service — %s".formatted(proof.mail("caseTitle")), made,
                (page, pages) -> "Notice %s · proof %s… of %s · certificate page %d of %d".formatted(
                        proof.notice().noticeId(), proof.digest().substring(0, 16), Letter.MOMENT.format(made), page, pages));
    }

    private static void fact(Paper paper, String label, String value) {
        paper.row(FACT, COLUMNS, label, value);
    }

    private void recipients(Paper paper) {
        paper.space(14).keep(90).text("Recipients and delivery", HEADING).space(4);
        for (ProofRepository.Way way : proof.ways()) {
            paper.space(8).keep(90).text(way.email(), STRONG).space(2);
            fact(paper, "Outcome", outcome(way, proof.notice().inSandbox()));
            ProofRepository.Returned returned = proof.returned().get(way.idempotencyKey());
            if (returned != null) {
                fact(paper, "But later", "%s: %s".formatted(Letter.MOMENT.format(returned.at()), returned.reason()));
            }
            fact(paper, "Named by", way.userId() == null ? "address" : "user " + way.userId());
            paper.row(SMALL, COLUMNS, "Idempotency key", way.idempotencyKey());
            if (way.emailId() != null) {
                fact(paper, "Message-ID", Proof.messageId(way));
                fact(paper, "From", way.from());
                fact(paper, "Queued", Letter.MOMENT.format(way.accepted()));
            }
            for (ProofRepository.EmailAttempt attempt : way.attempts()) {
                paper.row(SMALL, TRAIL, Timestamps.text(attempt.at()), "%d ms".formatted(attempt.durationMillis()), answer(attempt));
            }
        }
    }

    private static String answer(ProofRepository.EmailAttempt attempt) {
        if (attempt.error() == null) {
            return "taken by the mail server (%d)".formatted(attempt.code() == null ? TAKEN : attempt.code());
        }
        // Mostly the words hold the code already.
        return attempt.code() == null || attempt.error().contains(attempt.code().toString()) ? attempt.error()
                : "%d: %s".formatted(attempt.code(), attempt.error());
    }

    private static String outcome(ProofRepository.Way way, boolean inSandbox) {
        if (way.refusal() != null) {
            return "failed %s: %s".formatted(Letter.MOMENT.format(way.refusedAt()), way.refusal());
        }
        return switch (way.state() == null ? "waiting" : way.state()) {
            case "waiting" -> "not yet taken by the mail service";
            case "pending" -> way.attempts().isEmpty() ? "not yet sent" : "not yet delivered";
            case "held" -> inSandbox ? "held: the case is a sandbox" : "held: no mail server is configured";
            case "sent" -> "delivered %s".formatted(Letter.MOMENT.format(way.ended()));
            case "bounced" -> "refused by the mail server %s".formatted(Letter.MOMENT.format(way.ended()));
            case "failed" -> "given up %s".formatted(Letter.MOMENT.format(way.ended()));
            case String unknown -> unknown;
        };
    }

    private void hashes(Paper paper) {
        paper.space(14).keep(90).text("Files and their SHA-256", HEADING).space(4);
        for (Proof.Content content : proof.files()) {
            String what = switch (content.file().kind()) {
                case LETTER -> "the letter";
                case ENTRY -> "the document";
                case IMAGE -> "image as it was given, %d x %d pixels".formatted(content.file().width(), content.file().height());
                case PREVIEW -> "the same as the email shows it";
            };
            hash(paper, content.file().name(), what, content.file().fingerprint().bytes(), content.file().fingerprint().sha256());
        }
        for (int i = 0; i < proof.emails().size(); i++) {
            byte[] html = proof.html(i);
            hash(paper, Proof.htmlName(i), "HTML of %d email%s, subject: %s".formatted(proof.emails().get(i).content().emails(),
                    proof.emails().get(i).content().emails() == 1 ? "" : "s", proof.emails().get(i).content().subject()), html.length, Sha256.hex(html));
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
}
