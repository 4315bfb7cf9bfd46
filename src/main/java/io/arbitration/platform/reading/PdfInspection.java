package io.arbitration.platform.reading;

import io.arbitration.platform.files.Programs;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSDocument;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSObject;
import org.apache.pdfbox.cos.COSObjectKey;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.cos.COSString;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;

/**
 * Looks through every object of a PDF (ISO 32000-2) for what a party must not file. Looks at what the file holds, not only at what
 * its pages use: another reader may find a way that this one doesn't.
 */
final class PdfInspection {

    /** A file may begin with white space; anything else before the header makes it something else as well. */
    private static final int BEFORE_HEADER_MAX = 16;
    /** As far from the end as readers look for the marker of the end. */
    private static final int END_WITHIN = 1024;
    private static final int ARCHIVE_END_BYTES = 22;
    private static final int ARCHIVE_COMMENT_MAX = 65_535;
    private static final int DEPTH_MAX = 500;
    private static final long MIB = 1024 * 1024;
    /** A stream may unpack to this in any case, a page of a drawing for instance. */
    private static final long UNPACKED_BYTES = 64 * MIB;
    /** Beyond, to so many times its size; flate packs 1 : 1000 at the best, drawings and text about 1 : 20. */
    private static final long UNPACKED_TIMES = 200;
    /** Of one picture, by what it says of itself: half a square metre in colour at 600 dots per inch. */
    private static final long PICTURE_BYTES_MAX = 1024 * MIB;
    /** Of all streams together, beside sixteen times the size of the file. */
    private static final long ALL_UNPACKED_BYTES = 2048 * MIB;
    private static final COSName JS = COSName.getPDFName("JS");
    private static final COSName JAVASCRIPT = COSName.getPDFName("JavaScript");
    private static final COSName LAUNCH = COSName.getPDFName("Launch");
    private static final COSName XFA = COSName.getPDFName("XFA");

    private final PDDocument document;
    private final File file;
    private final int pagesMax;
    private final byte[] unpacked = new byte[65_536];
    private final byte[] packed = new byte[65_536];
    private long allUnpacked;

    PdfInspection(PDDocument document, File file, int pagesMax) {
        this.document = document;
        this.file = file;
        this.pagesMax = pagesMax;
    }

    /** Ends the inspection at the first fault. */
    private static final class Found extends RuntimeException {
        private final PdfFault fault;

        Found(PdfFault fault) {
            super(fault.name(), null, false, false);
            this.fault = fault;
        }
    }

    ReadingAnswer answer() throws IOException {
        int pages = 0;
        try {
            edges();
            if (document.isEncrypted()) {
                throw new Found(PdfFault.ENCRYPTED);
            }
            pages = pages();
            COSDocument objects = document.getDocument();
            inspect(objects.getTrailer());
            for (COSObjectKey key : new ArrayList<>(objects.getXrefTable().keySet())) {
                COSObject object = objects.getObjectFromPool(key);
                inspect(object.getObject());
            }
            return new ReadingAnswer(pages, null);
        } catch (Found found) {
            return new ReadingAnswer(pages, found.fault);
        }
    }

    /** Checks how the file begins and ends. */
    private void edges() throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file, "r")) {
            byte[] head = read(bytes, 0, BEFORE_HEADER_MAX + 5);
            if (!new String(head, java.nio.charset.StandardCharsets.ISO_8859_1).replaceFirst("^\u00ef\u00bb\u00bf", "").stripLeading().startsWith("%PDF-")) {
                throw new Found(PdfFault.NOT_A_PDF);
            }
            byte[] tail = read(bytes, Math.max(0, bytes.length() - ARCHIVE_END_BYTES - ARCHIVE_COMMENT_MAX), ARCHIVE_END_BYTES + ARCHIVE_COMMENT_MAX);
            if (endsAsArchive(tail)) {
                throw new Found(PdfFault.ARCHIVE_TOO);
            }
            byte[] end = Arrays.copyOfRange(tail, Math.max(0, tail.length - END_WITHIN), tail.length);
            if (!new String(end, java.nio.charset.StandardCharsets.ISO_8859_1).contains("%%EOF")) {
                throw new Found(PdfFault.DAMAGED);
            }
        }
    }

    private static byte[] read(RandomAccessFile bytes, long from, int most) throws IOException {
        byte[] read = new byte[(int) Math.min(most, bytes.length() - from)];
        bytes.seek(from);
        bytes.readFully(read);
        return read;
    }

    /** Whether the end of central directory of an archive stands there whose comment reaches to the last byte (APPNOTE, 4.3.16). */
    private static boolean endsAsArchive(byte[] tail) {
        for (int at = tail.length - ARCHIVE_END_BYTES; at >= 0; at--) {
            if (tail[at] == 'P' && tail[at + 1] == 'K' && tail[at + 2] == 5 && tail[at + 3] == 6
                    && at + ARCHIVE_END_BYTES + (tail[at + 20] & 0xff) + ((tail[at + 21] & 0xff) << 8) == tail.length) {
                return true;
            }
        }
        return false;
    }

    /** Counts the pages by walking them: the number that a file states may be any. */
    private int pages() throws IOException {
        if (document.getNumberOfPages() > pagesMax) {
            throw new Found(PdfFault.TOO_MANY_PAGES);
        }
        int pages = 0;
        for (PDPage page : document.getPages()) {
            if (++pages > pagesMax) {
                throw new Found(PdfFault.TOO_MANY_PAGES);
            }
            // A page whose size is no size cannot be shown.
            if (!(page.getMediaBox().getWidth() > 0) || !(page.getMediaBox().getHeight() > 0)) {
                throw new Found(PdfFault.DAMAGED);
            }
        }
        if (pages == 0) {
            throw new Found(PdfFault.DAMAGED);
        }
        return pages;
    }

    private record Level(COSBase value, int depth) {}

    /** Inspects an object and the values directly within it. Objects that it refers to are inspected by calls of their own. */
    private void inspect(COSBase object) throws IOException {
        Deque<Level> open = new ArrayDeque<>();
        open.push(new Level(object, 0));
        while (!open.isEmpty()) {
            Level level = open.pop();
            if (level.depth > DEPTH_MAX) {
                throw new Found(PdfFault.DAMAGED);
            }
            switch (level.value) {
                case COSDictionary dictionary -> {
                    dictionary(dictionary);
                    dictionary.getValues().forEach(value -> push(open, value, level.depth));
                }
                case COSArray array -> {
                    for (int i = 0; i < array.size(); i++) {
                        push(open, array.get(i), level.depth);
                    }
                }
                case null, default -> { }
            }
        }
    }

    private static void push(Deque<Level> open, COSBase value, int depth) {
        if (value instanceof COSDictionary || value instanceof COSArray) {
            open.push(new Level(value, depth + 1));
        }
    }

    private void dictionary(COSDictionary dictionary) throws IOException {
        COSName action = dictionary.getDictionaryObject(COSName.S) instanceof COSName name ? name : null;
        if (JAVASCRIPT.equals(action) || action != null && dictionary.containsKey(JS)) {
            throw new Found(PdfFault.JAVASCRIPT);
        }
        if (LAUNCH.equals(action)) {
            throw new Found(PdfFault.LAUNCH_ACTION);
        }
        if (dictionary.containsKey(XFA)) {
            form(dictionary.getDictionaryObject(XFA));
        }
        if (dictionary.containsKey(COSName.EF)) {
            embedded(dictionary);
        }
        if (dictionary instanceof COSStream stream) {
            stream(stream);
        }
    }

    /** An XFA form is XML that may hold scripts. */
    private void form(COSBase xfa) throws IOException {
        List<COSStream> parts = new ArrayList<>();
        switch (xfa) {
            case COSStream one -> parts.add(one);
            case COSArray many -> {
                for (int i = 0; i < many.size(); i++) {
                    if (many.getObject(i) instanceof COSStream part) {
                        parts.add(part);
                    }
                }
            }
            case null, default -> { }
        }
        for (COSStream part : parts) {
            stream(part);
            try (InputStream in = part.createInputStream()) {
                String xml = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
                if (xml.contains("<script") || xml.contains(":script")) {
                    throw new Found(PdfFault.JAVASCRIPT);
                }
            }
        }
    }

    /** A file in the file: programs are told by its names and its bytes. */
    private void embedded(COSDictionary specification) throws IOException {
        for (COSName name : List.of(COSName.F, COSName.UF, COSName.getPDFName("DOS"), COSName.getPDFName("Unix"), COSName.getPDFName("Mac"))) {
            if (specification.getDictionaryObject(name) instanceof COSString text && Programs.ending(text.getString().strip()).isPresent()) {
                throw new Found(PdfFault.PROGRAM);
            }
        }
        if (specification.getDictionaryObject(COSName.EF) instanceof COSDictionary files) {
            for (COSName name : files.keySet()) {
                if (files.getDictionaryObject(name) instanceof COSStream stream) {
                    stream(stream);
                    program(stream);
                }
            }
        }
    }

    private static void program(COSStream stream) throws IOException {
        try (InputStream in = stream.createInputStream()) {
            if (Programs.kind(in.readNBytes(Programs.HEAD_BYTES)).isPresent()) {
                throw new Found(PdfFault.PROGRAM);
            }
        }
    }

    private void stream(COSStream stream) throws IOException {
        boolean picture = COSName.IMAGE.equals(stream.getDictionaryObject(COSName.SUBTYPE));
        long declared = picture ? pictureBytes(stream) : 0;
        if (declared > PICTURE_BYTES_MAX) {
            throw new Found(PdfFault.BOMB);
        }
        if (COSName.EMBEDDED_FILE.equals(stream.getDictionaryObject(COSName.TYPE))) {
            flate(stream, 0);
            program(stream);
        } else {
            flate(stream, declared);
        }
    }

    private static long pictureBytes(COSStream picture) {
        long width = Math.max(0, picture.getLong(COSName.WIDTH));
        long height = Math.max(0, picture.getLong(COSName.HEIGHT));
        long bits = Math.clamp(picture.getInt(COSName.BITS_PER_COMPONENT, 1), 1, 16);
        // Four colours at most, where the space of colours is not looked up.
        long perPixel = COSName.DEVICEGRAY.equals(picture.getDictionaryObject(COSName.COLORSPACE)) || bits == 1 ? 1 : 4;
        return width > Integer.MAX_VALUE || height > Integer.MAX_VALUE ? Long.MAX_VALUE : width * height / 8 * bits * perPixel + height;
    }

    /** The number of flate filters that a stream begins with. */
    private static int flates(COSBase filters) {
        return switch (filters) {
            case COSName name -> COSName.FLATE_DECODE.equals(name) || COSName.FLATE_DECODE_ABBREVIATION.equals(name) ? 1 : 0;
            case COSArray many -> {
                int count = 0;
                while (count < many.size() && many.getObject(count) instanceof COSName name && flates(name) == 1) {
                    count++;
                }
                yield count;
            }
            case null, default -> 0;
        };
    }

    /** Unpacks a stream without keeping it, to see how large it becomes. A second flate within the first has no honest purpose. */
    private void flate(COSStream stream, long declaredBytes) throws IOException {
        int flates = flates(stream.getFilters());
        if (flates == 0) {
            return;
        }
        if (flates > 1) {
            throw new Found(PdfFault.BOMB);
        }
        long in = 0;
        long out = 0;
        // Some writers get the checksum wrong, which no reader minds: the header is left out, and the checksum with it.
        Inflater inflater = new Inflater(true);
        try (InputStream raw = stream.createRawInputStream()) {
            raw.skipNBytes(Math.min(2, raw.available()));
            for (int count = raw.read(packed); count > 0 && !inflater.finished(); count = raw.read(packed)) {
                in += count;
                inflater.setInput(packed, 0, count);
                for (int more = inflater.inflate(unpacked); more > 0; more = inflater.inflate(unpacked)) {
                    out += more;
                    allUnpacked += more;
                    checkSize(in, out, declaredBytes);
                }
            }
        } catch (DataFormatException broken) {
            throw new Found(PdfFault.DAMAGED);
        } finally {
            inflater.end();
        }
    }

    private void checkSize(long in, long out, long declaredBytes) {
        long explained = Math.max(UNPACKED_BYTES, Math.max(declaredBytes, in * UNPACKED_TIMES));
        if (out > explained || allUnpacked > ALL_UNPACKED_BYTES + 16 * file.length()) {
            throw new Found(PdfFault.BOMB);
        }
    }
}
