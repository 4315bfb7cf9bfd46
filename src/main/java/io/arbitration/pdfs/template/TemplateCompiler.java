package io.arbitration.pdfs.template;

import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.paper.PdfBuffer;
import io.arbitration.platform.paper.PdfFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSNumber;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;

/**
 * Makes a template from a PDF with a form, once, so that a fill reads nothing: fields and their places become values, the blank
 * form becomes part of its pages, and everything that all filled forms share is stored as bytes.
 */
public final class TemplateCompiler {

    static final int PAGES_MAX = 200;
    private static final int TREE_DEPTH_MAX = 32;
    private static final Set<String> OF_CATALOG = Set.of("Type", "Lang", "MarkInfo", "StructTreeRoot", "Metadata", "OutputIntents",
            "ViewerPreferences", "PageLabels", "PageLayout", "Outlines", "OCProperties", "Dests");
    private static final Set<String> OF_PAGE = Set.of("Type", "MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox", "Rotate", "UserUnit",
            "Group", "Tabs", "StructParents", "Annots", "Resources", "Contents");
    private static final Set<String> INHERITED = Set.of("Resources", "MediaBox", "CropBox", "Rotate");
    private static final double[] A4 = {0, 0, 595.276, 841.89};

    private final COSDictionary catalog;
    private final COSDictionary information;
    private final byte[] hash;
    private final List<COSDictionary> pages = new ArrayList<>();

    private TemplateCompiler(COSDictionary catalog, COSDictionary information, byte[] hash) {
        this.catalog = catalog;
        this.information = information;
        this.hash = hash;
    }

    /**
     * @param file at most as large as the settings allow
     * @throws RefusedTemplate for a file that is no PDF with a form, or has content that a template must not have
     */
    public static CompiledTemplate compile(byte[] file) throws RefusedTemplate {
        TemplateGuard.check(file);
        try (PDDocument document = Loader.loadPDF(file)) {
            if (document.isEncrypted()) {
                throw new RefusedTemplate("is encrypted");
            }
            COSDictionary trailer = document.getDocument().getTrailer();
            COSDictionary catalog = trailer.getCOSDictionary(COSName.ROOT);
            if (catalog == null) {
                throw new RefusedTemplate("cannot be read: no catalog");
            }
            ObjectGraph.check(catalog);
            return new TemplateCompiler(catalog, trailer.getCOSDictionary(COSName.INFO), Sha256.of(file)).compile();
        } catch (InvalidPasswordException encrypted) {
            throw new RefusedTemplate("is encrypted");
        } catch (IOException | RuntimeException | StackOverflowError broken) {
            // The reader reports unexpected content by many kinds of exceptions.
            throw new RefusedTemplate("cannot be read: %s".formatted(broken.getMessage()), broken);
        }
    }

    private CompiledTemplate compile() throws IOException, RefusedTemplate {
        readPages();
        String prefix = freePrefix();
        List<PageCanvas> canvases = pages.stream().map(page -> new PageCanvas(page, prefix, box(page))).toList();
        StructureTree structure = new StructureTree(catalog);
        FormReader form = new FormReader(catalog.getCOSDictionary(COSName.ACRO_FORM), canvases, structure);
        Map<String, FormField> fields = form.read();
        if (fields.isEmpty()) {
            throw new RefusedTemplate("has no form field that takes a value");
        }
        structure.finish();
        PdfFile file = new PdfFile();
        ObjectWriter writer = new ObjectWriter(file);
        COSDictionary tree = new COSDictionary();
        int treeNumber = writer.reserve(tree);
        List<CompiledTemplate.Sheet> sheets = new ArrayList<>();
        for (PageCanvas canvas : canvases) {
            sheets.add(sheet(canvas, tree, file, writer));
        }
        int root = writer.number(catalogWithout(form, tree));
        int info = information == null ? 0 : writer.number(information);
        writer.finish();
        return new CompiledTemplate(file.beginning(), root, info, treeNumber, prefix, hash, List.copyOf(sheets), Collections.unmodifiableMap(fields));
    }

    /** The page; its resources and contents include the content that a fill draws over it. */
    private static CompiledTemplate.Sheet sheet(PageCanvas canvas, COSDictionary tree, PdfFile file, ObjectWriter writer) throws IOException, RefusedTemplate {
        COSDictionary page = canvas.page();
        COSDictionary blank = new COSDictionary();
        int blankNumber = writer.reserve(blank);
        COSDictionary drawn = new COSDictionary();
        int drawnNumber = writer.reserve(drawn);
        COSDictionary fonts = new COSDictionary();
        int fontsNumber = writer.reserve(fonts);
        file.stream(blankNumber, "", canvas.content());
        COSDictionary resources = page.getCOSDictionary(COSName.RESOURCES);
        COSDictionary own = resources == null ? new COSDictionary() : new COSDictionary(resources);
        COSDictionary ownFonts = own.getCOSDictionary(COSName.FONT);
        own.setItem(COSName.FONT, fonts);
        if (canvas.pictures().size() > 0) {
            COSDictionary pictures = own.getCOSDictionary(COSName.XOBJECT);
            COSDictionary all = pictures == null ? new COSDictionary() : new COSDictionary(pictures);
            all.addAll(canvas.pictures());
            own.setItem(COSName.XOBJECT, all);
        }
        page.setItem(COSName.RESOURCES, own);
        page.setItem(COSName.PARENT, tree);
        COSArray contents = new COSArray();
        contents.add(blank);
        contents.add(drawn);
        page.setItem(COSName.CONTENTS, contents);
        PdfBuffer entries = new PdfBuffer(64);
        if (ownFonts != null) {
            writer.entries(ownFonts, entries, 0);
        }
        double[] box = canvas.box();
        return new CompiledTemplate.Sheet(writer.number(page), drawnNumber, fontsNumber, entries.toBytes(), box[0], box[1], box[2] - box[0], box[3] - box[1]);
    }

    private COSDictionary catalogWithout(FormReader form, COSDictionary tree) {
        COSDictionary kept = new COSDictionary();
        catalog.entrySet().stream().filter(entry -> OF_CATALOG.contains(entry.getKey().getName()))
                .forEach(entry -> kept.setItem(entry.getKey(), entry.getValue()));
        kept.setItem(COSName.TYPE, COSName.CATALOG);
        kept.setItem(COSName.PAGES, tree);
        COSDictionary names = catalog.getCOSDictionary(COSName.NAMES);
        if (names != null && names.containsKey(COSName.DESTS)) {
            COSDictionary destinations = new COSDictionary();
            destinations.setItem(COSName.DESTS, names.getItem(COSName.DESTS));
            kept.setItem(COSName.NAMES, destinations);
        }
        COSArray signatures = form.signatures();
        if (signatures.size() > 0) {
            COSDictionary live = new COSDictionary();
            live.setItem(COSName.FIELDS, signatures);
            kept.setItem(COSName.ACRO_FORM, live);
        }
        return kept;
    }

    private void readPages() throws RefusedTemplate {
        COSDictionary root = catalog.getCOSDictionary(COSName.PAGES);
        if (root != null) {
            readPages(root, new COSDictionary(), Collections.newSetFromMap(new IdentityHashMap<>()), 0);
        }
        if (pages.isEmpty()) {
            throw new RefusedTemplate("has no pages");
        }
    }

    private void readPages(COSDictionary node, COSDictionary above, Set<COSBase> seen, int depth) throws RefusedTemplate {
        if (!seen.add(node) || depth > TREE_DEPTH_MAX) {
            throw new RefusedTemplate("has a tree of pages that does not end");
        }
        COSDictionary inherited = new COSDictionary(above);
        node.entrySet().stream().filter(entry -> INHERITED.contains(entry.getKey().getName()))
                .forEach(entry -> inherited.setItem(entry.getKey(), entry.getValue()));
        COSArray kids = node.getCOSArray(COSName.KIDS);
        if (kids == null) {
            if (pages.size() >= PAGES_MAX) {
                throw new RefusedTemplate("has more than %d pages".formatted(PAGES_MAX));
            }
            node.keySet().stream().filter(key -> !OF_PAGE.contains(key.getName())).toList().forEach(node::removeItem);
            inherited.entrySet().forEach(entry -> node.setItem(entry.getKey(), entry.getValue()));
            node.setItem(COSName.TYPE, COSName.PAGE);
            pages.add(node);
            return;
        }
        for (int i = 0; i < kids.size(); i++) {
            if (kids.getObject(i) instanceof COSDictionary kid) {
                readPages(kid, inherited, seen, depth + 1);
            }
        }
    }

    /** The visible part of a page: the crop box, else the media box. */
    private static double[] box(COSDictionary page) {
        COSArray array = page.getCOSArray(COSName.CROP_BOX) != null ? page.getCOSArray(COSName.CROP_BOX) : page.getCOSArray(COSName.MEDIA_BOX);
        if (array == null) {
            COSArray sheet = new COSArray();
            for (double edge : A4) {
                sheet.add(new org.apache.pdfbox.cos.COSFloat((float) edge));
            }
            page.setItem(COSName.MEDIA_BOX, sheet);
            return A4;
        }
        return rectangle(array);
    }

    /** Left, bottom, right, top, in whichever order the corners were given. */
    public static double[] rectangle(COSArray array) {
        double[] edges = new double[4];
        for (int i = 0; i < 4; i++) {
            edges[i] = array != null && array.size() > i && array.getObject(i) instanceof COSNumber number ? number.floatValue() : 0;
        }
        return new double[] {Math.min(edges[0], edges[2]), Math.min(edges[1], edges[3]), Math.max(edges[0], edges[2]), Math.max(edges[1], edges[3])};
    }

    private String freePrefix() {
        StringBuilder prefix = new StringBuilder("Acp");
        while (pages.stream().anyMatch(page -> uses(page, prefix.toString()))) {
            prefix.append('x');
        }
        return prefix.toString();
    }

    private static boolean uses(COSDictionary page, String prefix) {
        COSDictionary resources = page.getCOSDictionary(COSName.RESOURCES);
        return resources != null && List.of(COSName.FONT, COSName.XOBJECT).stream().map(resources::getCOSDictionary)
                .anyMatch(names -> names != null && names.keySet().stream().anyMatch(name -> name.getName().startsWith(prefix)));
    }
}
