package io.arbitration.platform.reading;

/** Why an object cannot be read. Has no stack trace, because it is an expected outcome. */
public final class Unreadable extends RuntimeException {

    public enum Reason {
        MISSING, ALTERED, EMPTY, TOO_LARGE, UNKNOWN_TYPE, TYPE_MISMATCH, ENCRYPTED, CORRUPT,
        /** Its pages are pictures of text, and the model takes no pictures. */
        NO_TEXT,
        /** It has more pages or more text than the bounds allow. */
        TOO_LONG,
        TOO_SLOW,
        /** It is a picture, and the model takes none. */
        PICTURE;

        public String words() {
            return switch (this) {
                case MISSING -> "it is missing";
                case ALTERED -> "it is not what was stored";
                case EMPTY -> "it is empty";
                case TOO_LARGE -> "it is too large";
                case UNKNOWN_TYPE -> "its type is not one that is read";
                case TYPE_MISMATCH -> "it is not of its declared type";
                case ENCRYPTED -> "it is encrypted";
                case CORRUPT -> "it is damaged";
                case NO_TEXT -> "it has no text";
                case TOO_LONG -> "it is too long";
                case TOO_SLOW -> "reading it takes too long";
                case PICTURE -> "it is a picture, and the model takes none";
            };
        }
    }

    private final Reason reason;

    Unreadable(Reason reason) {
        super(reason.words(), null, false, false);
        this.reason = reason;
    }

    static Unreadable of(PdfFault fault) {
        return new Unreadable(switch (fault) {
            case ENCRYPTED -> Reason.ENCRYPTED;
            case TOO_MANY_PAGES, TOO_LONG, BOMB -> Reason.TOO_LONG;
            case TOO_SLOW -> Reason.TOO_SLOW;
            case NOT_A_PDF, ARCHIVE_TOO, DAMAGED, JAVASCRIPT, LAUNCH_ACTION, PROGRAM -> Reason.CORRUPT;
        });
    }

    public Reason reason() {
        return reason;
    }
}
