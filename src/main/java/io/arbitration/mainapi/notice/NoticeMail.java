package io.arbitration.mainapi.notice;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.domain.text.OneLine;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;

/**
 * A notice made ready to be kept: its letter, the paper of its entry, its images and their previews, and what its email says.
 *
 * @param parts in the order in which the email carries them
 * @param values for the template of the email
 */
record NoticeMail(List<Part> parts, JsonObject values) {

    /** Of everything that an email carries; more the mail service refuses. */
    private static final long CARRIED_BYTES_MAX = 16_777_216;
    /** Width of a picture in the email, in its pixels; previews have twice as many for sharp screens. */
    private static final int SHOWN_WIDTH_MAX = 480;
    private static final int LETTERHEAD_HEIGHT_MAX = 60;
    private static final int LINE_LENGTH_MAX = 200;

    /**
     * A file of the notice, not stored yet.
     *
     * @param fieldId of an image and its preview; null for others
     * @param width in pixels; null for what is no image, as is height
     */
    record Part(NoticeFile.Kind kind, String fieldId, String name, String contentType, Integer width, Integer height, byte[] bytes) {}

    /**
     * Makes it; CPU-bound.
     *
     * @param entryPdf the paper of the subject
     * @param attachmentArea the field of the capture; empty where the mail type has none
     */
    static NoticeMail of(Letter letter, byte[] entryPdf, String attachmentArea) {
        byte[] pdf = letter.pdf(attachmentArea);
        List<Part> parts = new java.util.ArrayList<>();
        parts.add(new Part(NoticeFile.Kind.LETTER, null, letter.fileName(), "application/pdf", null, null, pdf));
        parts.add(new Part(NoticeFile.Kind.ENTRY, null, letter.paperName(), "application/pdf", null, null, entryPdf));
        JsonArray heads = new JsonArray();
        JsonArray pictures = new JsonArray();
        for (NoticeImage image : letter.images()) {
            String fieldId = image.field().id();
            NoticeImage.Preview preview = image.preview();
            parts.add(new Part(NoticeFile.Kind.IMAGE, fieldId, image.fileName(), image.kind().contentType, image.width(), image.height(), image.bytes()));
            parts.add(new Part(NoticeFile.Kind.PREVIEW, fieldId, fieldId + "-preview." + preview.kind().ending, preview.kind().contentType,
                    preview.width(), preview.height(), preview.bytes()));
            boolean head = letter.isLetterhead(image, attachmentArea);
            double scale = Math.min(1, Math.min((double) SHOWN_WIDTH_MAX / image.width(), head ? (double) LETTERHEAD_HEIGHT_MAX / image.height() : 1));
            (head ? heads : pictures).add(new JsonObject().put("contentID", contentId(fieldId, letter.noticeId()))
                    .put("label", image.field().displayName()).put("width", (int) Math.ceil(image.width() * scale))
                    .put("height", (int) Math.ceil(image.height() * scale)));
        }
        long carried = parts.stream().filter(part -> part.kind != NoticeFile.Kind.IMAGE).mapToLong(part -> part.bytes.length).sum();
        if (carried > CARRIED_BYTES_MAX) {
            throw NoticeError.INVALID.refusal("images", "too large together to be sent by email");
        }
        return new NoticeMail(parts, values(letter, heads, pictures, pdf));
    }

    /** Under which the email shows the preview of an image. */
    static String contentId(String fieldId, UUID noticeId) {
        return fieldId + "@" + noticeId;
    }

    private static JsonObject values(Letter letter, JsonArray heads, JsonArray pictures, byte[] pdf) {
        JsonArray details = new JsonArray();
        letter.details().forEach(detail -> details.add(new JsonObject().put("name", detail.name()).put("value", detail.value())));
        return letter.subject().values()
                .put("heading", line(letter.heading())).put("caseTitle", line(letter.subject().caseTitle())).put("caseID", letter.subject().caseId().toString())
                .put("noticeID", letter.noticeId().toString()).put("servedBy", line(letter.servedBy())).put("servedAt", Letter.MOMENT.format(letter.servedAt()))
                .put("entryTitle", line(letter.subject().title())).put("documentName", letter.documentName())
                .put("details", details).put("heads", heads).put("pictures", pictures)
                .put("letterName", letter.fileName()).put("letterHash", Sha256.hex(pdf))
                .put("paperName", letter.paperName()).put("paperHash", letter.paperHash());
    }

    private static String line(String text) {
        return OneLine.of(text, LINE_LENGTH_MAX);
    }
}
