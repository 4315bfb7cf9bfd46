package io.arbitration.pdfs.template;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSObject;

/** Visits every reachable object of a PDF once, and searches for what a template must not contain. */
final class ObjectGraph {

    private static final int OBJECTS_MAX = 300_000;
    private static final Set<String> ACTIONS = Set.of("JavaScript", "Launch", "ImportData", "GoToE", "Rendition", "Movie", "Sound",
            "RichMediaExecute", "GoTo3DView", "SetOCGState");
    private static final Set<String> ANNOTATIONS = Set.of("FileAttachment", "RichMedia", "Movie", "Sound", "Screen", "3D");
    private static final COSName JS = COSName.getPDFName("JS");
    private static final COSName EF = COSName.getPDFName("EF");
    private static final COSName EMBEDDED = COSName.getPDFName("EmbeddedFiles");
    private static final COSName JAVA_SCRIPT = COSName.getPDFName("JavaScript");
    private static final COSName XFA = COSName.getPDFName("XFA");

    private final Set<COSBase> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<COSBase> waiting = new ArrayDeque<>();

    private ObjectGraph() {}

    static void check(COSDictionary root) throws RefusedTemplate {
        ObjectGraph graph = new ObjectGraph();
        graph.add(root);
        while (!graph.waiting.isEmpty()) {
            graph.look(graph.waiting.pop());
        }
    }

    private void add(COSBase base) throws RefusedTemplate {
        COSBase object = base instanceof COSObject reference ? reference.getObject() : base;
        if ((object instanceof COSDictionary || object instanceof COSArray) && seen.add(object)) {
            if (seen.size() > OBJECTS_MAX) {
                throw new RefusedTemplate("has more than %d objects".formatted(OBJECTS_MAX));
            }
            waiting.push(object);
        }
    }

    private void look(COSBase object) throws RefusedTemplate {
        if (object instanceof COSDictionary dictionary) {
            examine(dictionary);
            for (COSBase value : dictionary.getValues()) {
                add(value);
            }
        } else {
            for (COSBase value : (COSArray) object) {
                add(value);
            }
        }
    }

    private static void examine(COSDictionary dictionary) throws RefusedTemplate {
        String action = dictionary.getNameAsString(COSName.S);
        if (dictionary.containsKey(JS) || dictionary.containsKey(JAVA_SCRIPT) || "JavaScript".equals(action)) {
            throw new RefusedTemplate("has JavaScript");
        }
        if (action != null && ACTIONS.contains(action) && !dictionary.containsKey(COSName.P)) {
            throw new RefusedTemplate("has an action %s".formatted(action));
        }
        if (dictionary.containsKey(EF) || dictionary.containsKey(EMBEDDED)) {
            throw new RefusedTemplate("has embedded files");
        }
        String kind = dictionary.getNameAsString(COSName.SUBTYPE);
        if (kind != null && ANNOTATIONS.contains(kind) && dictionary.containsKey(COSName.RECT)) {
            throw new RefusedTemplate("has an annotation %s".formatted(kind));
        }
        if (dictionary.containsKey(XFA)) {
            throw new RefusedTemplate("has an XFA form");
        }
    }
}
