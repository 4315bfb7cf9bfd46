package io.arbitration.platform.reading;

/** What becomes of pages, and of files, that are pictures of text. */
public enum Scans {
    /** They are handed on as pictures. */
    SHOWN,
    /** The file is refused: a page that nobody can read may be the one that matters. */
    REFUSED,
    /** They are passed over, and the text says where. */
    PASSED_OVER
}
