package io.arbitration.platform.reading;

/**
 * Where text of a PDF stands under a black box, from which everybody can still copy it.
 *
 * @param page from 1
 * @param leftMillimetres from the left edge of the page as it is shown
 * @param topMillimetres from its upper edge
 */
public record CoveredText(int page, int leftMillimetres, int topMillimetres) {}
