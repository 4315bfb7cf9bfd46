package io.arbitration.pdfs.template;

/**
 * A place on a page that shows the text of a field.
 *
 * @param page from 0
 * @param toPage the matrix from the place, its lower left corner at 0 0, to the page: six numbers
 * @param width of the place in reading direction, in points
 * @param style how its text looks
 * @param inset points between its edge and the text
 * @param mark number of the marked content that represents it in the document's structure, -1 without
 */
public record Widget(int page, double[] toPage, double width, double height, Style style, double inset, int mark) {

    /**
     * @param size in points; 0: as large as fits
     * @param colour operators that set the colour of filling and stroking
     * @param alignment 0 left, 1 centre, 2 right
     */
    public record Style(double size, boolean bold, String colour, int alignment) {}
}
