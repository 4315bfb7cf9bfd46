package io.arbitration.platform.reading;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The text of a Word document (ISO/IEC 29500): paragraphs, table cells, footnotes and endnotes, with all tracked changes accepted and
 * without hidden text. The document is read as a stream, so only its text is in memory.
 */
final class DocxText {

    private static final String WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    private static final String WORD_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main";
    private static final String USUAL_DOCUMENT = "word/document.xml";
    private static final String RELATIONS = "_rels/.rels";
    private static final int ENTRIES_MAX = 10_000;
    /** Depth of nested tables. The JDK's own limit of 100 is too low for some templates. */
    private static final int DEPTH_MAX = 500;
    /** Bytes of XML that are unpacked, whatever sizes the archive states. */
    private static final long UNPACKED_BYTES_MAX = 200L * 1024 * 1024;
    private static final XMLInputFactory XML = xml();

    private final StringBuilder text = new StringBuilder();
    private final int charactersMax;
    private final Counter unpacked = new Counter();

    private DocxText(int charactersMax) {
        this.charactersMax = charactersMax;
    }

    /** Reads no other file and no entity. */
    static XMLInputFactory xml() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty("jdk.xml.maxElementDepth", String.valueOf(2 * DEPTH_MAX));
        return factory;
    }

    static String read(Path file, int charactersMax) throws IOException {
        DocxText reader = new DocxText(charactersMax);
        try (ZipFile archive = new ZipFile(file.toFile())) {
            if (archive.size() > ENTRIES_MAX) {
                throw new Unreadable(Unreadable.Reason.TOO_LONG);
            }
            String document = reader.documentOf(archive);
            reader.part(archive, document, true);
            String folder = document.substring(0, document.lastIndexOf('/') + 1);
            for (String notes : List.of("footnotes.xml", "endnotes.xml")) {
                reader.part(archive, folder + notes, false);
            }
            return reader.text.toString();
        } catch (ZipException | XMLStreamException broken) {
            // The XML reader wraps the exception by which the bound was reported.
            throw new Unreadable(reader.unpacked.isOver() ? Unreadable.Reason.TOO_LONG : Unreadable.Reason.CORRUPT);
        }
    }

    /** The name of the main part: the one that the relations of the package name, or else the usual one. */
    private String documentOf(ZipFile archive) throws IOException, XMLStreamException {
        ZipEntry relations = archive.getEntry(RELATIONS);
        if (relations == null) {
            return USUAL_DOCUMENT;
        }
        try (InputStream in = bounded(archive, relations)) {
            XMLStreamReader reader = XML.createXMLStreamReader(in);
            while (reader.hasNext()) {
                if (reader.next() == XMLStreamConstants.START_ELEMENT && reader.getLocalName().equals("Relationship")
                        && String.valueOf(reader.getAttributeValue(null, "Type")).endsWith("/officeDocument")) {
                    return Optional.ofNullable(reader.getAttributeValue(null, "Target")).map(target -> target.replaceFirst("^/", "")).orElse(USUAL_DOCUMENT);
                }
            }
        }
        return USUAL_DOCUMENT;
    }

    private void part(ZipFile archive, String name, boolean needed) throws IOException, XMLStreamException {
        ZipEntry entry = archive.getEntry(name);
        if (entry == null) {
            if (needed) {
                throw new Unreadable(Unreadable.Reason.TYPE_MISMATCH);
            }
            return;
        }
        try (InputStream in = bounded(archive, entry)) {
            words(XML.createXMLStreamReader(in));
        }
    }

    private InputStream bounded(ZipFile archive, ZipEntry entry) throws IOException {
        return new BoundedStream(archive.getInputStream(entry), unpacked);
    }

    /** Bytes that were unpacked from the whole archive so far. */
    private static final class Counter {
        private long bytes;

        void add(int count) {
            bytes += Math.max(0, count);
            if (isOver()) {
                throw new Unreadable(Unreadable.Reason.TOO_LONG);
            }
        }

        boolean isOver() {
            return bytes > UNPACKED_BYTES_MAX;
        }
    }

    private static final class BoundedStream extends java.io.FilterInputStream {

        private final Counter counter;

        BoundedStream(InputStream in, Counter counter) {
            super(in);
            this.counter = counter;
        }

        @Override
        public int read() throws IOException {
            int one = super.read();
            counter.add(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int count = super.read(into, from, length);
            counter.add(count);
            return count;
        }
    }

    private void words(XMLStreamReader reader) throws XMLStreamException {
        int depth = 0;
        boolean hidden = false;
        boolean inText = false;
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (++depth > DEPTH_MAX) {
                        throw new Unreadable(Unreadable.Reason.TOO_LONG);
                    }
                    if (isFallback(reader)) {
                        // Repeats the text for readers that do not understand the first form.
                        skip(reader);
                        depth--;
                    } else if (isWord(reader)) {
                        switch (reader.getLocalName()) {
                            case "r" -> hidden = false;
                            case "vanish" -> hidden = isOn(reader);
                            case "t" -> inText = !hidden;
                            case "tab" -> append("\t");
                            case "br", "cr" -> append("\n");
                            case "noBreakHyphen" -> append("-");
                            default -> { }
                        }
                    }
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    if (inText) {
                        append(reader.getText());
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    depth--;
                    if (isWord(reader)) {
                        switch (reader.getLocalName()) {
                            case "t" -> inText = false;
                            case "p" -> append("\n");
                            case "tc" -> append("\t");
                            default -> { }
                        }
                    }
                }
                default -> { }
            }
        }
    }

    private void append(String more) {
        if (text.length() + more.length() > charactersMax) {
            throw new Unreadable(Unreadable.Reason.TOO_LONG);
        }
        text.append(more);
    }

    private static boolean isWord(XMLStreamReader reader) {
        return WORD.equals(reader.getNamespaceURI()) || WORD_STRICT.equals(reader.getNamespaceURI());
    }

    private static boolean isFallback(XMLStreamReader reader) {
        return reader.getLocalName().equals("Fallback");
    }

    private static boolean isOn(XMLStreamReader reader) {
        String value = reader.getAttributeValue(reader.getNamespaceURI(), "val");
        return value == null || !(value.equals("0") || value.equals("false") || value.equals("off"));
    }

    private static void skip(XMLStreamReader reader) throws XMLStreamException {
        for (int depth = 1; depth > 0 && reader.hasNext();) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> depth++;
                case XMLStreamConstants.END_ELEMENT -> depth--;
                default -> { }
            }
        }
    }
}
