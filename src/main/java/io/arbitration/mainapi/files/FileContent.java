package io.arbitration.mainapi.files;

import io.arbitration.platform.files.Programs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.mime.MediaType;
import org.apache.tika.mime.MimeTypes;

/**
 * The type of a file by its first bytes.
 *
 * @param type by the bytes alone
 * @param namedType by the bytes and, if those are ambiguous, the file name; equal to {@code type} if the client has declared one
 * @param program the kind of program; empty for any other file
 * @param office the kind of office document in an archive, if its first entries show it
 * @param isWide whether it is text in UTF-16 or UTF-32, in which zero bytes are ordinary
 */
public record FileContent(MediaType type, MediaType namedType, Optional<String> program, Optional<Office> office, boolean isWide) {

    private static final MediaType PDF = MediaType.application("pdf");
    private static final byte[] PDF_HEADER = {'%', 'P', 'D', 'F', '-'};
    private static final FileContent OF_PDF = new FileContent(PDF, PDF, Optional.empty(), Optional.empty(), false);
    private static volatile boolean areTypesRead;
    /** As much as the detector reads. */
    private static final int HEAD_BYTES = Programs.HEAD_BYTES;

    /** The kinds of Office Open XML, by the folder in the archive and the media type. */
    enum Office {
        TEXT("word/", "wordprocessingml", "a text document (OOXML)"), SHEETS("xl/", "spreadsheetml", "a spreadsheet (OOXML)"),
        SLIDES("ppt/", "presentationml", "a presentation (OOXML)");

        private final byte[] folder;
        private final String inType;
        private final String words;

        Office(String folder, String inType, String words) {
            this.folder = folder.getBytes(StandardCharsets.US_ASCII);
            this.inType = "vnd.openxmlformats-officedocument." + inType;
            this.words = words;
        }

        String inWords() {
            return words;
        }

        static Optional<Office> of(MediaType type) {
            return Stream.of(values()).filter(kind -> type.getSubtype().startsWith(kind.inType)).findFirst();
        }

        /** By the name of the first entry in one of the folders: 30 bytes into its local header (APPNOTE, 4.3.7). */
        static Optional<Office> in(byte[] head) {
            for (int at = 0; at + 30 < head.length; at++) {
                if (head[at] == 'P' && starts(head, at, 'P', 'K', 3, 4)) {
                    int name = at + 30;
                    Optional<Office> found = Stream.of(values())
                            .filter(kind -> name + kind.folder.length <= head.length
                                    && Arrays.equals(head, name, name + kind.folder.length, kind.folder, 0, kind.folder.length))
                            .findFirst();
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
            return Optional.empty();
        }
    }

    /** A separate class, so that its tables are read at the first use and not at the start of the platform. */
    private static final class Detector {
        private static final MimeTypes TYPES = MimeTypes.getDefaultMimeTypes();
    }

    static MimeTypes types() {
        return Detector.TYPES;
    }

    /**
     * The type of a file that is declared as a PDF and begins like one, without using the detector. Empty for every other file,
     * and until the tables of types have been read.
     */
    static Optional<FileContent> declaredPdf(byte[] block, Optional<MediaType> declared) {
        return areTypesRead && declared.isPresent() && isPdf(block) ? Optional.of(OF_PDF) : Optional.empty();
    }

    /**
     * Detects the type by the start of a file. Takes milliseconds, the first time a few hundred: call it on a worker thread.
     *
     * @param block the first block of the file
     * @param declared whether the client has declared a type, so that the name is ignored
     */
    static FileContent of(byte[] block, String fileName, boolean declared) {
        if (declared && isPdf(block)) {
            // The next check of types, on an event loop, must not be the first to read the tables.
            types();
            areTypesRead = true;
            return OF_PDF;
        }
        byte[] head = block.length > HEAD_BYTES ? Arrays.copyOf(block, HEAD_BYTES) : block;
        MediaType type = detected(head, null);
        return new FileContent(type, declared ? type : detected(head, fileName), Programs.kind(head), Office.in(head), isWide(head));
    }

    /**
     * Whether every reader takes the file for a PDF. The detector, which takes half a millisecond of processor time, would give
     * the same result. The inspection, which reads all of the file, finds whether it also is another format.
     */
    private static boolean isPdf(byte[] block) {
        return Arrays.equals(block, 0, Math.min(block.length, PDF_HEADER.length), PDF_HEADER, 0, PDF_HEADER.length);
    }

    private static MediaType detected(byte[] head, String fileName) {
        Metadata metadata = new Metadata();
        if (fileName != null) {
            metadata.set(TikaCoreProperties.RESOURCE_NAME_KEY, fileName);
        }
        try {
            MediaType type = types().detect(new ByteArrayInputStream(head), metadata);
            return types().getMediaTypeRegistry().normalize(type.getBaseType());
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static boolean isWide(byte[] head) {
        return starts(head, 0, 0xff, 0xfe) || starts(head, 0, 0xfe, 0xff) || starts(head, 0, 0, 0, 0xfe, 0xff);
    }

    private static boolean starts(byte[] bytes, int at, int... wanted) {
        if (bytes.length < at + wanted.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if ((bytes[at + i] & 0xff) != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
