package io.arbitration.platform.reading;

/** What can be wrong with a PDF. */
public enum PdfFault {
    /** It does not begin as a PDF. */
    NOT_A_PDF,
    /** It is a PDF and an archive at once: readers would show different things. */
    ARCHIVE_TOO,
    /** With or without a password. */
    ENCRYPTED,
    /** It cannot be read, or its end is missing. */
    DAMAGED,
    JAVASCRIPT,
    /** It starts a program or opens a file of its reader. */
    LAUNCH_ACTION,
    /** A program is embedded in it. */
    PROGRAM,
    TOO_MANY_PAGES,
    /** It unpacks to more than its size explains, or than a reader has memory for. */
    BOMB,
    /** Looking through it took longer than the bound. */
    TOO_SLOW,
    /** More text or larger pictures than are taken; only where its text is read. */
    TOO_LONG
}
