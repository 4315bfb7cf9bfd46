package io.arbitration.platform.reading;

/**
 * What a {@link ReadingProcess} is asked to do with one file.
 *
 * @param contentType of a file that is no PDF; null for a PDF
 * @param filed for COVERED: the PDF as it was before its redaction; null where it was no PDF
 * @param folder for what is read and for temporary files; whoever asks removes it
 * @param charactersMax of text; what is checked alone has none
 * @param pictures whether pages that are pictures of text are drawn
 * @param timeMillis after which the process ends itself, in case nobody is left to end it
 */
record ReadingTask(Kind kind, String file, String contentType, String filed, String folder, int pagesMax, int charactersMax, boolean pictures, long timeMillis) {

    /** The first three are of PDFs. */
    enum Kind { TEXT, CHECK, COVERED, PLAIN, HTML, DOCX }
}
