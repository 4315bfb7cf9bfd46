package io.arbitration.platform.reading;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSBase;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSDocument;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.cos.COSString;
import org.apache.pdfbox.pdmodel.PDDocument;

/**
 * Looks for words that were removed from the pages of a PDF and still stand in its description: title, author and keywords, also as XMP
 * (ISO 16684-1), bookmarks, alternative texts for screen readers, names and values of fields, comments.
 */
final class PdfDescriptionSearch {

    /** Keys of texts for people, in any dictionary (ISO 32000-2). */
    private static final Set<COSName> TEXTS = Stream.of("Title", "Author", "Subject", "Keywords", "Subj", "Desc", "Alt", "ActualText", "E", "T", "TU", "TM", "Contents", "RC", "V", "DV")
            .map(COSName::getPDFName).collect(Collectors.toUnmodifiableSet());
    /** Of the document information dictionary: what the program that made the file says of itself. */
    private static final Set<COSName> OF_THE_PROGRAM = Stream.of("Producer", "Creator", "CreationDate", "ModDate", "Trapped")
            .map(COSName::getPDFName).collect(Collectors.toUnmodifiableSet());
    /** The same in XMP, by local names. */
    private static final Set<String> OF_THE_PROGRAM_IN_XMP = Set.of("Producer", "CreatorTool", "CreateDate", "ModifyDate", "MetadataDate", "DocumentID", "InstanceID",
            "OriginalDocumentID", "format", "softwareAgent", "when", "Trapped", "about", "lang", "parseType", "resource", "xmptk");
    private static final COSName METADATA = COSName.getPDFName("Metadata");
    private static final XMLInputFactory XML = DocxText.xml();

    private final COSDocument objects;
    private final Set<String> removed;

    /** @param filed the file before its redaction */
    PdfDescriptionSearch(PDDocument filed, PDDocument redacted) throws IOException {
        this.objects = redacted.getDocument();
        this.removed = TextWords.of(filed);
        removed.removeAll(TextWords.of(redacted));
    }

    /** Whether a removed word stands there. */
    boolean finds() {
        return !removed.isEmpty() && (describes(objects.getTrailer().getCOSDictionary(COSName.INFO))
                || PdfRemainsSearch.everywhere(objects.getTrailer(), this::of).isPresent());
    }

    private boolean describes(COSDictionary information) {
        return information != null && information.entrySet().stream()
                .anyMatch(entry -> !OF_THE_PROGRAM.contains(entry.getKey()) && says(information.getDictionaryObject(entry.getKey())));
    }

    private Optional<PdfRemains> of(COSDictionary dictionary) {
        boolean found = dictionary.keySet().stream().anyMatch(key -> TEXTS.contains(key) && says(dictionary.getDictionaryObject(key)))
                || dictionary.getDictionaryObject(METADATA) instanceof COSStream metadata && saysXmp(metadata);
        return found ? Optional.of(PdfRemains.DESCRIPTION) : Optional.empty();
    }

    /** The value of a field may be several texts; a long one may stand in a stream. */
    private boolean says(COSBase value) {
        return switch (value) {
            case COSString text -> says(text.getString());
            case COSStream text -> says(text.toTextString());
            case COSArray several -> several.toList().stream().anyMatch(one -> one instanceof COSString text && says(text.getString()));
            case null, default -> false;
        };
    }

    private boolean says(String text) {
        return TextWords.of(text).stream().anyMatch(removed::contains);
    }

    private boolean saysXmp(COSStream metadata) {
        try (InputStream in = metadata.createInputStream()) {
            XMLStreamReader reader = XML.createXMLStreamReader(in);
            boolean ofTheProgram = false;
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.START_ELEMENT -> {
                        ofTheProgram = OF_THE_PROGRAM_IN_XMP.contains(reader.getLocalName());
                        for (int i = 0; i < reader.getAttributeCount(); i++) {
                            if (!OF_THE_PROGRAM_IN_XMP.contains(reader.getAttributeLocalName(i)) && says(reader.getAttributeValue(i))) {
                                return true;
                            }
                        }
                    }
                    case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                        if (!ofTheProgram && says(reader.getText())) {
                            return true;
                        }
                    }
                    default -> { }
                }
            }
            return false;
        } catch (IOException | XMLStreamException notXml) {
            // A reader shows nothing of it, but it can be opened as text.
            return says(metadata.toTextString());
        }
    }
}
