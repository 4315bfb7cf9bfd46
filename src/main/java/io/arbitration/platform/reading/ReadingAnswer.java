package io.arbitration.platform.reading;

/**
 * What a {@link ReadingProcess} found.
 *
 * @param pages of the file; 0 where nobody counted them
 * @param fault null for a file without one
 */
record ReadingAnswer(int pages, PdfFault fault) {}
