package io.arbitration.mainapi.files;

import io.arbitration.platform.files.Programs;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.tika.mime.MediaType;
import org.apache.tika.mime.MediaTypeRegistry;

/**
 * Decides which files are accepted: the declared type must be among the allowed types, and must agree with the content. So must a name
 * ending of a usual type, because the reader's system opens the file by its ending. Programs are never accepted, whatever their names are.
 */
public final class FileTypeCheck {

    /** Text that a browser executes: accepted only under its own type, if the category allows it. */
    private static final Set<String> ACTIVE = Set.of("text/html", "application/xhtml+xml", "image/svg+xml", "text/javascript",
            "application/javascript", "application/xslt+xml", "text/x-php", "application/hta");
    private static final Set<String> HTML = Set.of("text/html", "application/xhtml+xml");
    /** Names of one container format: its bytes do not show whether it contains sound or film. */
    private static final Set<String> MP4 = Set.of("audio/mp4", "video/mp4", "application/mp4", "video/quicktime", "video/x-m4v", "audio/x-m4a");

    /** The endings of usual types. Another ending says nothing: a name may end in a number, as "Exhibit C-1.2". */
    private static final Map<String, MediaType> ENDINGS = Map.ofEntries(
            ending("pdf", "application/pdf"), ending("json", "application/json"), ending("zip", "application/zip"), ending("rtf", "application/rtf"),
            ending("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            ending("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
            ending("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
            ending("mp3", "audio/mpeg"), ending("ogg", "audio/ogg"), ending("wav", "audio/wav"), ending("m4a", "audio/mp4"),
            ending("mp4", "video/mp4"), ending("m4v", "video/mp4"), ending("mov", "video/quicktime"), ending("webm", "video/webm"),
            ending("jpg", "image/jpeg"), ending("jpeg", "image/jpeg"), ending("png", "image/png"), ending("gif", "image/gif"),
            ending("tif", "image/tiff"), ending("tiff", "image/tiff"), ending("webp", "image/webp"), ending("svg", "image/svg+xml"),
            ending("eml", "message/rfc822"), ending("csv", "text/csv"), ending("txt", "text/plain"),
            ending("htm", "text/html"), ending("html", "text/html"), ending("xhtml", "application/xhtml+xml"));

    /** Represents a declared text that is no media type. */
    private static final MediaType UNREADABLE = MediaType.parse("application/x-unreadable");
    /** Prefix of families that only the detector names. */
    private static final String DETECTOR = "application/x-tika-";

    private FileTypeCheck() {}

    /**
     * Checks whether a file may be accepted.
     *
     * @param contentTypes the allowed ones
     * @param declared Content-Type of the part; a missing one and {@code application/octet-stream} declare nothing
     */
    public static CheckedType check(List<String> contentTypes, FileContent content, Optional<String> declared, String fileName) {
        Optional<String> program = content.program().or(() -> Programs.ending(fileName).map(ending -> "its name ends in ." + ending));
        if (program.isPresent()) {
            return new CheckedType.Program(program.get());
        }
        String allowed = String.join(", ", contentTypes);
        Optional<MediaType> said = declared(declared);
        if (said.isEmpty()) {
            return contentTypes.stream()
                    .filter(type -> MediaType.parse(type) != null && same(MediaType.parse(type), content.namedType()))
                    .findFirst().map(type -> accepted(type, fileName))
                    .orElseGet(() -> new CheckedType.NotAllowed(name(content.namedType(), content), allowed));
        }
        String type = said.get().getBaseType().toString();
        if (contentTypes.stream().noneMatch(one -> same(parsed(one), said.get()))) {
            return new CheckedType.NotAllowed(said.get().equals(UNREADABLE) ? "of an unknown type" : type, allowed);
        }
        boolean fits = fits(said.get(), content.type()) && fitsOffice(said.get(), content);
        return fits ? accepted(type, fileName) : new CheckedType.Mismatch(type, name(content.type(), content));
    }

    private static Map.Entry<String, MediaType> ending(String ending, String type) {
        return Map.entry(ending, registry().normalize(MediaType.parse(type)));
    }

    /** Accepts a file of this type unless its name ends as another type does. */
    private static CheckedType accepted(String type, String fileName) {
        String ending = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        MediaType named = fileName.contains(".") ? ENDINGS.get(ending) : null;
        MediaType is = registry().normalize(parsed(type));
        return named == null || fits(named, is) && fits(is, named)
                ? new CheckedType.Accepted(type)
                : new CheckedType.Mismatch("%s by its ending .%s".formatted(named, ending), type);
    }

    /** The type of a file, for a sentence. */
    private static String name(MediaType type, FileContent content) {
        return !type.toString().startsWith(DETECTOR) ? type.toString() : content.office().map(FileContent.Office::inWords).orElse("an office document");
    }

    /** The type that a client declares; empty if it declares none. */
    static Optional<MediaType> declared(Optional<String> declared) {
        return declared.map(FileTypeCheck::parsed).filter(type -> !type.equals(MediaType.OCTET_STREAM));
    }

    /** A text that is no media type becomes a type that no category allows. */
    private static MediaType parsed(String text) {
        MediaType type = text.length() > 200 ? null : MediaType.parse(text.strip().toLowerCase(Locale.ROOT));
        return type == null ? UNREADABLE : type;
    }

    private static MediaTypeRegistry registry() {
        return FileContent.types().getMediaTypeRegistry();
    }

    private static boolean same(MediaType one, MediaType other) {
        return registry().normalize(one.getBaseType()).equals(registry().normalize(other.getBaseType()));
    }

    /** Bytes often show only the family of a type, so a declared type may be a narrower one of that family. */
    private static boolean fits(MediaType declared, MediaType shown) {
        MediaType said = registry().normalize(declared.getBaseType());
        if (said.equals(shown) || both(MP4, said, shown) || both(HTML, said, shown)) {
            return true;
        }
        if (shown.equals(MediaType.OCTET_STREAM) || ACTIVE.contains(shown.toString())) {
            return false;
        }
        return registry().isSpecializationOf(said, shown) || registry().isSpecializationOf(shown, said) || isText(said) && isText(shown);
    }

    /** Every office document is an archive, but not every archive is one. */
    private static boolean fitsOffice(MediaType declared, FileContent content) {
        return FileContent.Office.of(registry().normalize(declared.getBaseType()))
                .map(said -> content.office().map(said::equals).orElse(content.type().toString().equals(DETECTOR + "ooxml")))
                .orElse(true);
    }

    private static boolean both(Set<String> family, MediaType one, MediaType other) {
        return family.contains(one.toString()) && family.contains(other.toString());
    }

    public static boolean isText(String type) {
        return isText(parsed(type));
    }

    private static boolean isText(MediaType type) {
        MediaType normal = registry().normalize(type.getBaseType());
        return normal.equals(MediaType.TEXT_PLAIN) || registry().isSpecializationOf(normal, MediaType.TEXT_PLAIN);
    }
}
