package io.arbitration.mainapi.filings;

import io.arbitration.domain.evidence.EvidenceBounds;
import io.arbitration.domain.evidence.UploadRefusal;
import io.arbitration.platform.answer.ApiError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.reading.CoveredText;
import io.arbitration.platform.reading.PdfFault;
import io.arbitration.platform.reading.PdfRemains;

/** The errors of files of filings. */
enum FileError implements ApiError {
    EMPTY(400, "file.empty", "file: must not be empty"),
    TYPE_NOT_ALLOWED(415, "file.type-not-allowed", "A file of this document cannot be %s, only %s."),
    REFUSED(422, "file.refused", "file: %s"),
    BYTES_OF_CASE(409, "file.bytes-of-case", "the exhibits and the files of filings of a case are at most %d bytes together"),
    BYTES_OF_PARTY(409, "file.bytes-of-party", "the exhibits and the files of filings of one party in a case are at most %d bytes together"),
    BYTES_OF_USER(409, "file.bytes-of-user", "the exhibits and the files of filings that one user has uploaded are at most %d bytes together"),
    /** The numbers are the place at which the text begins. */
    TEXT_REMAINS(422, "file.text-remains", "file: text remains under %s on page %d, %d mm from the left and %d mm from the top"),
    OBSERVER_OF_CASE(403, "case.observer", "You are registered as an observer and cannot change this case"),
    NOT_CASE_MANAGER(403, "case.not-case-manager", "Only the case manager can do this in this case."),
    ORIGINAL(403, "file.original", "Only the case manager can read what a redaction replaced.");

    private final Terms terms;

    FileError(int status, String code, String text) {
        this.terms = new Terms(status, code, text);
    }

    @Override
    public Terms terms() {
        return terms;
    }

    /** The answer to a party that uploads a PDF that cannot be filed. */
    static Refusal of(PdfFault fault, int pagesMax) {
        return REFUSED.refusal(switch (fault) {
            case NOT_A_PDF -> "does not begin as a PDF does";
            case ARCHIVE_TOO -> "is a PDF and an archive at once";
            case ENCRYPTED -> "is encrypted; file it without a password and without restrictions";
            case DAMAGED -> "is damaged or incomplete";
            case JAVASCRIPT -> "contains JavaScript";
            case LAUNCH_ACTION -> "contains an action that starts a program or opens a file of its reader";
            case PROGRAM -> "contains a program as an attachment";
            case TOO_MANY_PAGES -> "has more than %d pages".formatted(pagesMax);
            case BOMB -> "unpacks to much more than its size explains";
            case TOO_SLOW, TOO_LONG -> "takes too long to check";
        });
    }

    /** The answer to a case manager who uploads a PDF with text that is only covered by a box. */
    static Refusal of(CoveredText place) {
        return TEXT_REMAINS.refusal(place.black() ? "a black box" : "a box or in the colour of its background", place.page(), place.leftMillimetres(), place.topMillimetres());
    }

    /** The answer to a case manager who uploads a redacted PDF that contains more than its pages show. */
    static Refusal of(PdfRemains remains) {
        return REFUSED.refusal(switch (remains) {
            case UNUSED_PARTS -> "still holds text or pictures of an earlier version; save it as a new file, without what is not used";
            case ATTACHMENT -> "holds another file as an attachment; remove it, as nobody can look whether it is redacted";
            case THUMBNAIL -> "holds a small picture of a page, made when that page may have shown more; remove it";
            case HIDDEN_LAYER -> "holds a layer that is switched off; flatten or remove it";
            case HIDDEN_TEXT -> "holds a comment or a field of a form whose text is not shown; remove it";
            case PRIVATE_COPY -> "holds a copy of the document for the program that made it; remove it";
            case OUTSIDE_OF_PAGE -> "holds text beside the part of a page that is shown; remove it";
            case DESCRIPTION -> "holds words that were removed from its pages in its title, author, keywords, bookmarks, comments, fields or alternative texts; remove these";
            case UNREAD_PICTURE -> "holds recognized text under a picture in JBIG2 or JPEG 2000, so that nobody can look what is covered; save its pictures as PNG or JPEG";
        });
    }

    /** The answer to an upload beyond a bound of bytes. */
    static Refusal of(UploadRefusal refusal, EvidenceBounds bounds) {
        return switch (refusal) {
            case TOO_MANY_BYTES_OF_CASE -> BYTES_OF_CASE.refusal(bounds.caseBytesMax());
            case TOO_MANY_BYTES_OF_PARTY -> BYTES_OF_PARTY.refusal(bounds.partyBytesMax());
            case TOO_MANY_BYTES_OF_USER -> BYTES_OF_USER.refusal(bounds.userBytesMax());
            case CASE_NOT_FOUND, CATEGORY_NOT_FOUND, NOT_A_PARTICIPANT, OBSERVER, MAY_NOT_FILE, CASE_CLOSED, NOT_TAKEN_IN_PHASE, TOO_MANY_OF_PARTY ->
                    throw new IllegalStateException("no rule of bytes: " + refusal);
        };
    }
}
