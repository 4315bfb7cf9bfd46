package io.arbitration.platform.reading;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
import org.apache.pdfbox.pdfparser.PDFObjectStreamParser;

/**
 * Looks for text and pictures in those objects of a PDF that nothing in it refers to any more: a file that was changed keeps its earlier versions
 * (ISO 32000-2, 7.5.6), and some programs leave behind what they have replaced. No reader shows them, and everybody can take them out of the file.
 */
final class PdfUnusedParts {

    private static final int WINDOW_BYTES = 1024 * 1024;
    /** The longest head of an object, with white space in it. */
    private static final int HEAD_BYTES = 48;
    private static final int DICTIONARY_BYTES_MAX = 65_536;
    private static final int STREAM_BYTES_MAX = 64 * 1024 * 1024;
    /** A table of objects may count from the header, which may stand behind some white space. */
    private static final long OFFSET_DIFFERENCE_MAX = 24;
    /** The operators that show text (ISO 32000-2, 9.4.3). */
    private static final Pattern SHOWS_TEXT = Pattern.compile("[)>\\]]\\s*T[jJ][\\s\\[(<]");
    private static final Pattern SAYS_TEXT = Pattern.compile("/(?:Contents|V|RC|ActualText)\\s*(?:\\([^)]{2}|<(?!<)\\s*[0-9A-Fa-f]{4})");
    private static final Pattern PICTURE = Pattern.compile("/Subtype\\s*/Image\\b");
    private static final Pattern EMBEDDED = Pattern.compile("/Type\\s*/EmbeddedFile\\b");
    private static final Pattern TABLE = Pattern.compile("/Type\\s*/XRef\\b");
    private static final Pattern OBJECTS = Pattern.compile("/Type\\s*/ObjStm\\b");
    private static final Pattern FILTER = Pattern.compile("/Filter\\b");
    private static final Pattern FLATE_ALONE = Pattern.compile("/Filter\\s*(?:/FlateDecode\\b|\\[\\s*/FlateDecode\\s*])");

    private final COSDocument objects;
    private final File file;
    private final Map<COSObjectKey, Long> places;
    private final Set<COSObjectKey> used;
    /** The numbers of the streams that hold objects. */
    private final Set<Long> streams;

    PdfUnusedParts(COSDocument objects, File file) {
        this.objects = objects;
        this.file = file;
        this.places = new HashMap<>(objects.getXrefTable());
        this.used = used(objects.getTrailer());
        this.streams = places.values().stream().filter(place -> place < 0).map(place -> -place).collect(Collectors.toSet());
    }

    /** All objects to which a way leads from the trailer. */
    private static Set<COSObjectKey> used(COSBase trailer) {
        Set<COSObjectKey> found = new HashSet<>();
        Deque<COSBase> open = new ArrayDeque<>();
        open.push(trailer);
        while (!open.isEmpty()) {
            switch (open.pop()) {
                case COSObject object -> {
                    if (found.add(object.getKey()) && object.getObject() != null) {
                        open.push(object.getObject());
                    }
                }
                case COSDictionary dictionary -> dictionary.getValues().forEach(open::push);
                case COSArray array -> array.forEach(open::push);
                case COSBase other -> { }
            }
        }
        return found;
    }

    boolean hold() throws IOException {
        for (long stream : streams) {
            if (inObjectStream(stream)) {
                return true;
            }
        }
        try (RandomAccessFile bytes = new RandomAccessFile(file, "r")) {
            byte[] window = new byte[WINDOW_BYTES];
            for (long from = 0; from < bytes.length(); from += WINDOW_BYTES - HEAD_BYTES) {
                int length = read(bytes, from, window);
                for (int at = indexOf(window, length, "obj", 0); at >= 0; at = indexOf(window, length, "obj", at + 1)) {
                    Head head = headBefore(window, at);
                    if (head != null && !isUsed(head, from) && holds(bytes, from + at + 3)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Whether a stream of objects holds one that was replaced or is not used. */
    private boolean inObjectStream(long number) throws IOException {
        COSObject stream = objects.getObjectFromPool(new COSObjectKey(number, 0));
        if (!(stream.getObject() instanceof COSStream content)) {
            return false;
        }
        for (Map.Entry<COSObjectKey, COSBase> object : new PDFObjectStreamParser(content, objects).parseAllObjects().entrySet()) {
            boolean isCurrent = used.contains(object.getKey()) && Long.valueOf(-number).equals(places.get(object.getKey()));
            if (!isCurrent && object.getValue() instanceof COSDictionary dictionary && saysText(dictionary)) {
                return true;
            }
        }
        return false;
    }

    private static boolean saysText(COSDictionary dictionary) {
        return Set.of(COSName.CONTENTS, COSName.V, COSName.RC, COSName.ACTUAL_TEXT).stream()
                .anyMatch(name -> dictionary.getItem(name) instanceof COSString text && text.getString().strip().length() >= 2);
    }

    /** Number, generation, and where they begin in the window. */
    private record Head(COSObjectKey key, int begin) {}

    /** The head of an object that ends before the word "obj"; null where it is another word. */
    private static Head headBefore(byte[] window, int end) {
        int generation = digits(window, spaces(window, end));
        int behindNumber = spaces(window, generation);
        int number = digits(window, behindNumber);
        int behindGeneration = spaces(window, end);
        if (behindGeneration == end || generation == behindGeneration || behindNumber == generation || number == behindNumber
                || behindNumber - number > 10 || behindGeneration - generation > 5) {
            return null;
        }
        return new Head(new COSObjectKey(Long.parseLong(text(window, number, behindNumber)), Integer.parseInt(text(window, generation, behindGeneration))), number);
    }

    private static int spaces(byte[] window, int end) {
        int at = end;
        while (at > 0 && (window[at - 1] == ' ' || window[at - 1] == '\r' || window[at - 1] == '\n' || window[at - 1] == '\t')) {
            at--;
        }
        return at;
    }

    private static int digits(byte[] window, int end) {
        int at = end;
        while (at > 0 && window[at - 1] >= '0' && window[at - 1] <= '9') {
            at--;
        }
        return at;
    }

    private boolean isUsed(Head head, long from) {
        Long place = places.get(head.key);
        if (place == null || place < 0) {
            return false;
        }
        long difference = from + head.begin - place;
        boolean isHere = difference >= 0 && difference <= OFFSET_DIFFERENCE_MAX;
        // A stream of objects is named by the table alone; its objects are looked at one by one.
        return isHere && (used.contains(head.key) || streams.contains(head.key.getNumber()));
    }

    /** Whether an object holds text, a picture or a file, or what cannot be looked at. */
    private static boolean holds(RandomAccessFile bytes, long from) throws IOException {
        byte[] start = new byte[DICTIONARY_BYTES_MAX];
        int length = read(bytes, from, start);
        int stream = indexOf(start, length, "stream", 0);
        int end = indexOf(start, length, "endobj", 0);
        if (stream < 0 || end >= 0 && end < stream) {
            String object = text(start, 0, end < 0 ? length : end);
            // A signature is no text.
            return !object.contains("/ByteRange") && SAYS_TEXT.matcher(object).find();
        }
        String dictionary = text(start, 0, stream);
        if (TABLE.matcher(dictionary).find()) {
            return false;
        }
        if (PICTURE.matcher(dictionary).find() || EMBEDDED.matcher(dictionary).find()) {
            return true;
        }
        boolean isPacked = FILTER.matcher(dictionary).find();
        if (isPacked && !FLATE_ALONE.matcher(dictionary).find()) {
            return true;
        }
        int begin = stream + "stream".length();
        begin += begin < length && start[begin] == '\r' ? 1 : 0;
        begin += begin < length && start[begin] == '\n' ? 1 : 0;
        String content = text(isPacked ? unpacked(bytes, from + begin) : plain(bytes, from + begin));
        return SHOWS_TEXT.matcher(content).find() || OBJECTS.matcher(dictionary).find() && SAYS_TEXT.matcher(content).find();
    }

    /** As much as can be unpacked: what is broken may still be read by somebody. */
    private static byte[] unpacked(RandomAccessFile bytes, long from) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Inflater inflater = new Inflater();
        byte[] packed = new byte[WINDOW_BYTES];
        byte[] out = new byte[WINDOW_BYTES];
        try {
            long at = from;
            while (!inflater.finished() && all.size() < STREAM_BYTES_MAX) {
                int length = read(bytes, at, packed);
                if (length == 0) {
                    break;
                }
                at += length;
                inflater.setInput(packed, 0, length);
                for (int count = inflater.inflate(out); count > 0 && all.size() < STREAM_BYTES_MAX; count = inflater.inflate(out)) {
                    all.write(out, 0, count);
                }
            }
        } catch (DataFormatException broken) {
            // What was unpacked before is looked at.
            return all.toByteArray();
        } finally {
            inflater.end();
        }
        return all.toByteArray();
    }

    private static byte[] plain(RandomAccessFile bytes, long from) throws IOException {
        byte[] all = new byte[(int) Math.min(STREAM_BYTES_MAX, bytes.length() - from)];
        int length = read(bytes, from, all);
        int end = indexOf(all, length, "endstream", 0);
        return java.util.Arrays.copyOf(all, end < 0 ? length : end);
    }

    /** Reads all bytes from there on, at most as many as the array has. */
    private static int read(RandomAccessFile bytes, long from, byte[] into) throws IOException {
        int length = (int) Math.clamp(bytes.length() - from, 0, into.length);
        bytes.seek(from);
        bytes.readFully(into, 0, length);
        return length;
    }

    private static int indexOf(byte[] bytes, int length, String word, int from) {
        byte[] wanted = word.getBytes(StandardCharsets.ISO_8859_1);
        for (int at = from; at <= length - wanted.length; at++) {
            int same = 0;
            while (same < wanted.length && bytes[at + same] == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return at;
            }
        }
        return -1;
    }

    private static String text(byte[] bytes) {
        return text(bytes, 0, bytes.length);
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
