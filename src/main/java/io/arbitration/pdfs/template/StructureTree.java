package io.arbitration.pdfs.template;

import java.util.TreeMap;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSInteger;
import org.apache.pdfbox.cos.COSName;

/**
 * The structure of a tagged PDF (ISO 32000-1, section 14.7). A field is an object in it; in a filled form marked text content
 * replaces it, so that a screen reader reads the value where the field was.
 */
final class StructureTree {

    private static final int DEPTH_MAX = 32;
    private static final int ENTRIES_MAX = 100_000;
    private static final COSName ROOT = COSName.getPDFName("StructTreeRoot");
    private static final COSName PARENT_TREE = COSName.getPDFName("ParentTree");
    private static final COSName NEXT_KEY = COSName.getPDFName("ParentTreeNextKey");
    private static final COSName STRUCT_PARENT = COSName.getPDFName("StructParent");
    private static final COSName STRUCT_PARENTS = COSName.getPDFName("StructParents");
    private static final COSName OBJ = COSName.getPDFName("Obj");
    private static final COSName PG = COSName.getPDFName("Pg");
    private static final COSName MCID = COSName.getPDFName("MCID");

    private final COSDictionary root;
    private final TreeMap<Integer, COSBase> parents = new TreeMap<>();

    StructureTree(COSDictionary catalog) throws RefusedTemplate {
        this.root = catalog.getCOSDictionary(ROOT);
        if (root != null) {
            read(root.getCOSDictionary(PARENT_TREE), 0);
        }
    }

    private void read(COSDictionary node, int depth) throws RefusedTemplate {
        if (node == null) {
            return;
        }
        COSArray numbers = node.getCOSArray(COSName.NUMS);
        for (int i = 0; numbers != null && i + 1 < numbers.size(); i += 2) {
            parents.put(numbers.getInt(i), numbers.get(i + 1));
        }
        COSArray kids = node.getCOSArray(COSName.KIDS);
        for (int i = 0; kids != null && i < kids.size(); i++) {
            if (depth > DEPTH_MAX || parents.size() > ENTRIES_MAX) {
                throw new RefusedTemplate("has a structure that is too large");
            }
            if (kids.getObject(i) instanceof COSDictionary kid) {
                read(kid, depth + 1);
            }
        }
    }

    /** Replaces a widget by marked content of the page; answers its number, or -1 if the structure has no such widget. */
    int mark(COSDictionary widget, COSDictionary page) {
        int key = widget.getInt(STRUCT_PARENT, -1);
        if (root == null || key < 0 || !(resolved(parents.get(key)) instanceof COSDictionary element)) {
            return -1;
        }
        COSArray marked = markedContent(page);
        COSDictionary reference = new COSDictionary();
        reference.setName(COSName.TYPE, "MCR");
        reference.setItem(PG, page);
        reference.setInt(MCID, marked.size());
        if (!replaced(element, widget, reference)) {
            return -1;
        }
        parents.remove(key);
        marked.add(element);
        return marked.size() - 1;
    }

    private static boolean replaced(COSDictionary element, COSDictionary widget, COSDictionary by) {
        COSBase kids = element.getDictionaryObject(COSName.K);
        if (isReference(kids, widget)) {
            element.setItem(COSName.K, by);
            return true;
        }
        if (kids instanceof COSArray array) {
            for (int i = 0; i < array.size(); i++) {
                if (isReference(array.getObject(i), widget)) {
                    array.set(i, by);
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isReference(COSBase kid, COSDictionary widget) {
        return kid instanceof COSDictionary dictionary && dictionary.getDictionaryObject(OBJ) == widget;
    }

    private COSArray markedContent(COSDictionary page) {
        int key = page.getInt(STRUCT_PARENTS, -1);
        if (key < 0) {
            key = parents.isEmpty() ? 0 : parents.lastKey() + 1;
            page.setInt(STRUCT_PARENTS, key);
        }
        if (resolved(parents.get(key)) instanceof COSArray known) {
            return known;
        }
        COSArray made = new COSArray();
        parents.put(key, made);
        return made;
    }

    private static COSBase resolved(COSBase base) {
        return base instanceof org.apache.pdfbox.cos.COSObject reference ? reference.getObject() : base;
    }

    /** Writes the changes. */
    void finish() {
        if (root == null) {
            return;
        }
        COSArray numbers = new COSArray();
        parents.forEach((key, value) -> {
            numbers.add(COSInteger.get(key));
            numbers.add(value);
        });
        COSDictionary tree = new COSDictionary();
        tree.setItem(COSName.NUMS, numbers);
        root.setItem(PARENT_TREE, tree);
        root.setInt(NEXT_KEY, parents.isEmpty() ? 0 : parents.lastKey() + 1);
    }
}
