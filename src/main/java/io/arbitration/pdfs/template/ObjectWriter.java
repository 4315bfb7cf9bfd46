package io.arbitration.pdfs.template;

import io.arbitration.platform.paper.PdfBuffer;
import io.arbitration.platform.paper.PdfFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSBoolean;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSFloat;
import org.apache.pdfbox.cos.COSInteger;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSObject;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.cos.COSString;

/** Writes the objects that can be reached from some objects into a file, renumbered in the order in which they are found. */
final class ObjectWriter {

    private static final int DEPTH_MAX = 100;
    private static final int PACK = 200;
    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final PdfFile file;
    private final Map<COSBase, Integer> numbers = new IdentityHashMap<>();
    private final Deque<COSBase> waiting = new ArrayDeque<>();
    private final List<Integer> packedNumbers = new ArrayList<>();
    private final List<byte[]> packedBodies = new ArrayList<>();

    ObjectWriter(PdfFile file) {
        this.file = file;
    }

    /** A number for an object that another class writes and that replaces this one. */
    int reserve(COSBase standIn) {
        int number = file.reserve();
        numbers.put(standIn, number);
        return number;
    }

    /** The number of an object that is copied as it is; {@link #finish} writes it, with the objects that it refers to. */
    int number(COSBase object) {
        Integer known = numbers.get(object);
        if (known != null) {
            return known;
        }
        int number = file.reserve();
        numbers.put(object, number);
        waiting.add(object);
        return number;
    }

    /** Writes all numbered objects and those that can be reached from them. */
    void finish() throws IOException, RefusedTemplate {
        while (!waiting.isEmpty()) {
            COSBase object = waiting.poll();
            if (object instanceof COSStream stream) {
                write(stream);
            } else {
                PdfBuffer body = new PdfBuffer(256);
                content(object, body, 0);
                packedNumbers.add(numbers.get(object));
                packedBodies.add(body.toBytes());
            }
        }
        for (int from = 0; from < packedNumbers.size(); from += PACK) {
            int to = Math.min(packedNumbers.size(), from + PACK);
            file.packed(packedNumbers.subList(from, to).stream().mapToInt(Integer::intValue).toArray(),
                    packedBodies.subList(from, to).toArray(byte[][]::new));
        }
        packedNumbers.clear();
        packedBodies.clear();
    }

    private void write(COSStream stream) throws IOException, RefusedTemplate {
        if (stream.containsKey(COSName.F)) {
            throw new RefusedTemplate("has a stream in another file");
        }
        PdfBuffer entries = new PdfBuffer(256);
        entries(stream, entries, 0);
        byte[] raw;
        try (InputStream in = stream.createRawInputStream()) {
            raw = in.readAllBytes();
        }
        file.encoded(numbers.get(stream), entries.toBytes(), raw);
    }

    /** A value inside another object. */
    void value(COSBase value, PdfBuffer out, int depth) throws IOException, RefusedTemplate {
        COSBase object = value instanceof COSObject reference ? reference.getObject() : value;
        boolean apart = object instanceof COSStream || numbers.containsKey(object)
                || value instanceof COSObject && (object instanceof COSDictionary || object instanceof COSArray);
        if (apart) {
            out.whole(number(object)).text(" 0 R");
        } else {
            content(object, out, depth);
        }
    }

    private void content(COSBase object, PdfBuffer out, int depth) throws IOException, RefusedTemplate {
        if (depth > DEPTH_MAX) {
            throw new RefusedTemplate("is nested too deep");
        }
        switch (object) {
            case null -> out.bytes(NULL);
            case COSDictionary dictionary -> {
                out.text("<<");
                entries(dictionary, out, depth);
                out.text(">>");
            }
            case COSArray array -> {
                out.text("[");
                for (int i = 0; i < array.size(); i++) {
                    if (i > 0) {
                        out.text(" ");
                    }
                    value(array.get(i), out, depth + 1);
                }
                out.text("]");
            }
            case COSName name -> scalar(name::writePDF, out);
            case COSString text -> string(text, out);
            case COSInteger number -> out.whole(number.longValue());
            case COSFloat number -> scalar(number::writePDF, out);
            case COSBoolean truth -> out.bytes(truth.getValue() ? TRUE : FALSE);
            default -> out.bytes(NULL);
        }
    }

    /** The members of a dictionary, without the brackets; of a stream without its length. */
    void entries(COSDictionary dictionary, PdfBuffer out, int depth) throws IOException, RefusedTemplate {
        for (Map.Entry<COSName, COSBase> entry : dictionary.entrySet()) {
            if (!(dictionary instanceof COSStream && COSName.LENGTH.equals(entry.getKey()))) {
                scalar(entry.getKey()::writePDF, out);
                out.text(" ");
                value(entry.getValue(), out, depth + 1);
            }
        }
    }

    private static void string(COSString text, PdfBuffer out) {
        byte[] bytes = text.getBytes();
        for (byte b : bytes) {
            if (b < 0x20 || b > 0x7e || b == '(' || b == ')' || b == '\\') {
                out.hexString(bytes);
                return;
            }
        }
        out.text("(").bytes(bytes).text(")");
    }

    private interface Written {
        void to(java.io.OutputStream out) throws IOException;
    }

    private static void scalar(Written written, PdfBuffer out) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        written.to(bytes);
        out.bytes(bytes.toByteArray());
    }
}
