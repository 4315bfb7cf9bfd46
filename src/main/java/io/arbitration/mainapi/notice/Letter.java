package io.arbitration.mainapi.notice;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.paper.Paper;
import io.arbitration.platform.paper.Picture;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * What a notice says, as its letter and its email both say it.
 *
 * @param heading display name of the mail type
 * @param servedBy who serves, in words
 * @param details what the sender gave as JSON, in the order of the fields
 * @param images in the order of the fields; the first field of a mail type is its attachment area
 * @param paperHash SHA-256 of the PDF of the subject
 */
record Letter(
        UUID noticeId, String heading, String servedBy, Instant servedAt, Subject subject, String documentName,
        List<Detail> details, List<NoticeImage> images, String paperHash) {

    /** A value of the sender's, as people write it. */
    record Detail(String name, String value) {}

    static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm:ss 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final Paper.Look KIND = new Paper.Look(9, false, 0.35f);
    private static final Paper.Look TITLE = new Paper.Look(19, true, 0);
    private static final Paper.Look HEADING = new Paper.Look(12.5f, true, 0.1f);
    private static final Paper.Look LABEL = new Paper.Look(8.5f, true, 0.35f);
    private static final Paper.Look BODY = new Paper.Look(10.5f, false, 0);
    private static final Paper.Look FACT = new Paper.Look(9, false, 0.1f);
    private static final Paper.Look CAPTION = new Paper.Look(7.5f, false, 0.35f);
    private static final float[] COLUMNS = {130, Paper.WIDTH - 130};
    private static final int ROW_CHARACTERS_MAX = 160;
    /** An image no higher than this, that is not the attachment area, is one to put at the head of a letter. */
    private static final int LETTERHEAD_PIXELS_MAX = 200;
    private static final float LETTERHEAD_HEIGHT = 60;

    Letter {
        details = List.copyOf(details);
        images = List.copyOf(images);
    }

    String fileName() {
        return "notice.pdf";
    }

    String paperName() {
        return subject.fileName();
    }

    /** Whether an image stands at the head, as a logo does. */
    boolean isLetterhead(NoticeImage image, String attachmentArea) {
        return !image.field().id().equals(attachmentArea) && image.field().pixelHeight() <= LETTERHEAD_PIXELS_MAX;
    }

    /** The letter as a PDF; its images without loss. */
    byte[] pdf(String attachmentArea) {
        Paper paper = new Paper();
        List<NoticeImage> shown = new ArrayList<>(images);
        for (NoticeImage image : images) {
            if (isLetterhead(image, attachmentArea)) {
                paper.picture(Picture.of(image.pixels()), Paper.WIDTH / 2, LETTERHEAD_HEIGHT, false).space(14);
                shown.remove(image);
            }
        }
        paper.text("Service of notice", KIND).space(2).text(heading, TITLE).space(6);
        paper.text("Notice is hereby given by %s in the case %s. The document named below is served with this letter, as the file %s."
                .formatted(servedBy, subject.caseTitle(), paperName()), BODY).space(12);
        facts(paper);
        details.forEach(detail -> detail(paper, detail));
        paper.space(12).keep(40).text("This notice was sent by email through the Arbitration Case Platform. Whether and when a copy reached its "
                + "recipient's mail server is recorded there, in the proof of service of this notice.", FACT);
        shown.forEach(image -> figure(paper, image));
        return paper.bytes("%s — %s".formatted(heading, subject.caseTitle()), servedAt,
                (page, pages) -> "Notice %s · %s · page %d of %d".formatted(noticeId, MOMENT.format(servedAt), page, pages));
    }

    private void facts(Paper paper) {
        paper.rule(0.4f).space(3);
        fact(paper, "Case", subject.caseTitle());
        fact(paper, "Case ID", subject.caseId().toString());
        fact(paper, "Notice ID", noticeId.toString());
        fact(paper, "Served", MOMENT.format(servedAt));
        fact(paper, "Served by", servedBy);
        fact(paper, "Document", "%s: %s".formatted(documentName, subject.title()));
        subject.facts().forEach(fact -> fact(paper, fact.name(), fact.value()));
        fact(paper, "SHA-256 of file", paperHash);
    }

    private static void fact(Paper paper, String label, String value) {
        paper.row(FACT, COLUMNS, label, value);
    }

    private static void detail(Paper paper, Detail detail) {
        if (detail.value.length() <= ROW_CHARACTERS_MAX && detail.value.indexOf('\n') < 0) {
            paper.row(BODY, COLUMNS, detail.name, detail.value);
        } else {
            paper.space(8).keep(48).text(detail.name, LABEL).space(2).text(detail.value, BODY).space(6);
        }
    }

    private static void figure(Paper paper, NoticeImage image) {
        float captionHeight = 70;
        Picture picture = Picture.of(image.pixels());
        paper.space(16);
        float height = Math.min(0.75f, Math.min(Paper.WIDTH / image.width(), (Paper.height() - captionHeight) / image.height())) * image.height();
        paper.keep(height + captionHeight).text(image.field().displayName(), HEADING).space(4)
                .picture(picture, Paper.WIDTH, Paper.height() - captionHeight, true).space(3)
                .text("%s, %d x %d pixels, SHA-256 %s".formatted(image.kind(), image.width(), image.height(), Sha256.hex(image.bytes())), CAPTION);
    }
}
