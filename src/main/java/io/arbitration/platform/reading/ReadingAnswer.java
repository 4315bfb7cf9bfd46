package io.arbitration.platform.reading;

/**
 * What a {@link ReadingProcess} found.
 *
 * @param pages of the file; 0 where nobody counted them
 * @param fault null for a file without one
 * @param covered null where no text is covered, or nobody looked for any
 */
record ReadingAnswer(int pages, PdfFault fault, CoveredText covered) {

    ReadingAnswer(int pages, PdfFault fault) {
        this(pages, fault, null);
    }
}
