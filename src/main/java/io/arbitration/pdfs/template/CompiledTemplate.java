package io.arbitration.pdfs.template;

import io.arbitration.platform.paper.PdfFile;
import java.util.List;
import java.util.Map;

/**
 * A template ready to be filled: the file without its form, as bytes, and where the values go. Never changes.
 *
 * @param beginning all objects that are the same in every filled form
 * @param root number of the catalog
 * @param information number of the information dictionary, 0 without one
 * @param tree number of the object that lists the pages, written by a fill
 * @param prefix of names in resources that the template has not
 * @param hash SHA-256 of the template
 * @param fields by name, in the order of the template
 */
public record CompiledTemplate(
        PdfFile.Beginning beginning, int root, int information, int tree, String prefix, byte[] hash, List<Sheet> sheets, Map<String, FormField> fields) {

    /**
     * A page. What a fill writes for it: content, and the fonts in its resources.
     *
     * @param page number of the page
     * @param content number of the content stream that is drawn over the page
     * @param fonts number of the fonts in its resources
     * @param ownFonts entries that the template has there
     */
    public record Sheet(int page, int content, int fonts, byte[] ownFonts, double left, double bottom, double width, double height) {}

    /** Bytes it takes in memory, about. */
    public int weight() {
        return beginning.bytes().length + 2048 * fields.size();
    }
}
