package io.arbitration.platform.reading;

/**
 * Where text of a PDF is covered, from which everybody can still copy it.
 *
 * @param page from 1
 * @param leftMillimetres from the left edge of the page as it is shown
 * @param topMillimetres from its upper edge
 * @param black whether the cover is black; else it is of another colour, white for instance
 */
public record CoveredText(int page, int leftMillimetres, int topMillimetres, boolean black) {}
