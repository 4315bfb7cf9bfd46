package io.arbitration.platform.reading;

import java.io.File;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSDocument;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSObject;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.cos.COSString;

/** Looks for what a redacted PDF holds beside what its pages show: its text and pictures of before may be there. */
final class PdfRemainsSearch {

    private static final COSName THUMBNAIL = COSName.getPDFName("Thumb");
    private static final COSName PRIVATE = COSName.getPDFName("PieceInfo");
    private static final COSName OFF = COSName.getPDFName("OFF");
    private static final COSName BASE_STATE = COSName.getPDFName("BaseState");
    /** Flags of annotations: hidden, not viewed (ISO 32000-2, 12.5.3). */
    private static final int NOT_SHOWN = 2 | 32;
    private static final int PARENTS_MAX = 50;

    private final COSDocument objects;
    private final File file;

    PdfRemainsSearch(COSDocument objects, File file) {
        this.objects = objects;
        this.file = file;
    }

    /** What is found first; empty where everything in the file is on its pages. */
    Optional<PdfRemains> first() throws IOException {
        Optional<PdfRemains> found = everywhere(objects.getTrailer(), this::of);
        return found.isPresent() || !new PdfUnusedParts(objects, file).hold() ? found : Optional.of(PdfRemains.UNUSED_PARTS);
    }

    /** What a dictionary shows to be there. */
    @FunctionalInterface
    interface Look {
        Optional<PdfRemains> at(COSDictionary dictionary);
    }

    /** What is found first in a dictionary that can be reached. */
    static Optional<PdfRemains> everywhere(COSBase from, Look look) {
        Set<COSBase> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<COSBase> open = new ArrayDeque<>();
        open.push(from);
        while (!open.isEmpty()) {
            COSBase value = open.pop();
            COSBase object = value instanceof COSObject reference ? reference.getObject() : value;
            if (object == null || !seen.add(object)) {
                continue;
            }
            switch (object) {
                case COSDictionary dictionary -> {
                    Optional<PdfRemains> found = look.at(dictionary);
                    if (found.isPresent()) {
                        return found;
                    }
                    dictionary.getValues().forEach(open::push);
                }
                case COSArray array -> array.forEach(open::push);
                case COSBase other -> { }
            }
        }
        return Optional.empty();
    }

    private Optional<PdfRemains> of(COSDictionary dictionary) {
        if (dictionary.containsKey(COSName.EF) || COSName.EMBEDDED_FILE.equals(dictionary.getDictionaryObject(COSName.TYPE))) {
            return Optional.of(PdfRemains.ATTACHMENT);
        }
        if (dictionary.containsKey(THUMBNAIL)) {
            return Optional.of(PdfRemains.THUMBNAIL);
        }
        if (dictionary.getDictionaryObject(PRIVATE) instanceof COSDictionary kept && holdsStream(kept)) {
            return Optional.of(PdfRemains.PRIVATE_COPY);
        }
        if (dictionary.getDictionaryObject(COSName.OCPROPERTIES) instanceof COSDictionary layers
                && layers.getDictionaryObject(COSName.D) instanceof COSDictionary shown && hidesLayers(shown)) {
            return Optional.of(PdfRemains.HIDDEN_LAYER);
        }
        return isAnnotation(dictionary) && isNotShown(dictionary) && saysText(dictionary) ? Optional.of(PdfRemains.HIDDEN_TEXT) : Optional.empty();
    }

    private static boolean holdsStream(COSDictionary kept) {
        return everywhere(kept, part -> part instanceof COSStream ? Optional.of(PdfRemains.PRIVATE_COPY) : Optional.empty()).isPresent();
    }

    private static boolean hidesLayers(COSDictionary shown) {
        return OFF.equals(shown.getDictionaryObject(BASE_STATE)) || shown.getDictionaryObject(OFF) instanceof COSArray layers && layers.size() > 0;
    }

    private static boolean isAnnotation(COSDictionary dictionary) {
        return dictionary.containsKey(COSName.SUBTYPE) && dictionary.containsKey(COSName.RECT);
    }

    private static boolean isNotShown(COSDictionary annotation) {
        return (annotation.getInt(COSName.F, 0) & NOT_SHOWN) != 0;
    }

    /** The value of a field may stand with the field that an annotation belongs to. */
    private static boolean saysText(COSDictionary annotation) {
        COSDictionary holder = annotation;
        for (int level = 0; holder != null && level < PARENTS_MAX; level++) {
            for (COSName name : Set.of(COSName.CONTENTS, COSName.RC, COSName.V)) {
                if (holder.getDictionaryObject(name) instanceof COSString text && text.getString().strip().length() >= 2) {
                    return true;
                }
            }
            holder = holder.getDictionaryObject(COSName.PARENT) instanceof COSDictionary parent ? parent : null;
        }
        return false;
    }
}
