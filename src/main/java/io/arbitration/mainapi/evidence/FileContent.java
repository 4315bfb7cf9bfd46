package io.arbitration.mainapi.evidence;

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
 * What a file is by its first bytes.
 *
 * @param type by the bytes alone
 * @param namedType by the bytes and, where those leave a choice, the file name
 * @param program which kind of program it is; empty for anything else
 * @param office the kind of office document that an archive holds, where its first entries show that
 * @param isWide whether it is text in UTF-16 or UTF-32, in which zero bytes are ordinary
 */
record FileContent(MediaType type, MediaType namedType, Optional<String> program, Optional<Office> office, boolean isWide) {

    /** As much as the detector looks at. */
    private static final int HEAD_BYTES = 65_536;
    private static final int PE_OFFSET_AT = 0x3c;

    /** The kinds of Office Open XML, by the folder in the archive and the media type. */
    enum Office {
        TEXT("word/", "wordprocessingml"), SHEETS("xl/", "spreadsheetml"), SLIDES("ppt/", "presentationml");

        private final byte[] folder;
        private final String inType;

        Office(String folder, String inType) {
            this.folder = folder.getBytes(StandardCharsets.US_ASCII);
            this.inType = "vnd.openxmlformats-officedocument." + inType;
        }

        static Optional<Office> of(MediaType type) {
            return Stream.of(values()).filter(kind -> type.getSubtype().startsWith(kind.inType)).findFirst();
        }

        /** By the name of the first entry that lies in one of the folders: 30 bytes into its local header (APPNOTE, 4.3.7). */
        static Optional<Office> in(byte[] head) {
            for (int at = 0; at + 30 < head.length; at++) {
                if (starts(head, at, 'P', 'K', 3, 4)) {
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

    /** In a class of its own, so that its tables are read at the first use and not at the start of the platform. */
    private static final class Detector {
        private static final MimeTypes TYPES = MimeTypes.getDefaultMimeTypes();
    }

    static MimeTypes types() {
        return Detector.TYPES;
    }

    /**
     * Looks at the start of a file. Takes milliseconds, the first time a few hundred: call it on a worker thread.
     *
     * @param block the first block of the file
     */
    static FileContent of(byte[] block, String fileName) {
        byte[] head = block.length > HEAD_BYTES ? Arrays.copyOf(block, HEAD_BYTES) : block;
        return new FileContent(detected(head, null), detected(head, fileName), program(head), Office.in(head), isWide(head));
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

    private static Optional<String> program(byte[] head) {
        if (starts(head, 0, 0x7f, 'E', 'L', 'F')) {
            return Optional.of("ELF");
        }
        if (starts(head, 0, 'M', 'Z') && isPortableExecutable(head)) {
            return Optional.of("Windows or DOS");
        }
        if (starts(head, 0, 0xca, 0xfe, 0xba, 0xbe)) {
            return Optional.of("Java class or Mach-O");
        }
        if (starts(head, 0, 0xfe, 0xed, 0xfa, 0xce) || starts(head, 0, 0xfe, 0xed, 0xfa, 0xcf)
                || starts(head, 0, 0xce, 0xfa, 0xed, 0xfe) || starts(head, 0, 0xcf, 0xfa, 0xed, 0xfe)) {
            return Optional.of("Mach-O");
        }
        if (starts(head, 0, 0, 'a', 's', 'm')) {
            return Optional.of("WebAssembly");
        }
        if (starts(head, 0, 'd', 'e', 'x', '\n')) {
            return Optional.of("Android");
        }
        int text = starts(head, 0, 0xef, 0xbb, 0xbf) ? 3 : 0;
        return starts(head, text, '#', '!') && slashFollows(head, text + 2) ? Optional.of("script") : Optional.empty();
    }

    /** A text may begin with MZ as well. It is a program when the header is there that MZ points to, or when zero bytes follow. */
    private static boolean isPortableExecutable(byte[] head) {
        if (head.length >= PE_OFFSET_AT + 4) {
            int offset = (head[PE_OFFSET_AT] & 0xff) | (head[PE_OFFSET_AT + 1] & 0xff) << 8
                    | (head[PE_OFFSET_AT + 2] & 0xff) << 16 | (head[PE_OFFSET_AT + 3] & 0xff) << 24;
            if (offset > 0 && offset < head.length && starts(head, offset, 'P', 'E', 0, 0)) {
                return true;
            }
        }
        for (int i = 2; i < Math.min(head.length, 512); i++) {
            if (head[i] == 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean slashFollows(byte[] head, int from) {
        int at = from;
        while (at < head.length && (head[at] == ' ' || head[at] == '\t')) {
            at++;
        }
        return at < head.length && head[at] == '/';
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
