package io.arbitration.platform.reading;

/**
 * What a {@link ReadingProcess} found.
 *
 * @param pages of the file; 0 where nobody counted them
 * @param fault null for a file without one
 * @param covered null where no text is covered, or nobody looked for any
 * @param remains null where the file holds nothing beside what its pages show, or nobody looked
 * @param unreadable why a file that is no PDF was not read; null where it was
 */
record ReadingAnswer(int pages, PdfFault fault, CoveredText covered, PdfRemains remains, Unreadable.Reason unreadable) {

    ReadingAnswer(int pages, PdfFault fault) {
        this(pages, fault, null, null, null);
    }
}
