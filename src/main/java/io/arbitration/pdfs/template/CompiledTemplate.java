package io.arbitration.pdfs.template;

import io.arbitration.platform.paper.PdfFile;
import java.util.List;
import java.util.Map;

/**
 * A template ready to be filled: the file without its form, as bytes, and the places of the values. Immutable.
 *
 * @param beginning all objects that are the same in every filled form
 * @param root number of the catalog
 * @param information number of the information dictionary, 0 without one
 * @param tree number of the object that lists the pages, written by a fill
 * @param prefix prefix of resource names that does not occur in the template
 * @param hash SHA-256 of the template
 * @param fields by name, in the order of the template
 */
public record CompiledTemplate(
        PdfFile.Beginning beginning, int root, int information, int tree, String prefix, byte[] hash, List<Sheet> sheets, Map<String, FormField> fields) {

    /**
     * A page, with the numbers of the objects that a fill writes for it: content, and the fonts in its resources.
     *
     * @param page number of the page
     * @param content number of the content stream that is drawn over the page
     * @param fonts number of the fonts in its resources
     * @param ownFonts font entries that the template already has there
     */
    public record Sheet(int page, int content, int fonts, byte[] ownFonts, double left, double bottom, double width, double height) {}

    /** Approximate bytes that it takes in memory. */
    public int weight() {
        return beginning.bytes().length + 2048 * fields.size();
    }
}
