package io.arbitration.platform.reading;

/** An object that cannot be read, and why. Travels as a failed future, without a stack trace. */
public final class Unreadable extends RuntimeException {

    public enum Reason {
        MISSING, ALTERED, EMPTY, TOO_LARGE, UNKNOWN_TYPE, TYPE_MISMATCH, ENCRYPTED, CORRUPT,
        /** Pages that are pictures of text, for a model that takes no pictures. */
        NO_TEXT,
        /** More pages or text than are read. */
        TOO_LONG,
        TOO_SLOW,
        /** A picture, for a model that takes none. */
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

    public Reason reason() {
        return reason;
    }
}
