package io.arbitration.platform.paper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.Character.UnicodeScript;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fonts of this machine, chosen for each character: first the Noto family, then the fonts with the widest coverage. Without
 * any of them PDFBox's own font draws Latin, Greek, Cyrillic and Hebrew; other characters become boxes, whose text can still be
 * extracted.
 */
final class Typefaces {

    private static final Logger LOG = LoggerFactory.getLogger(Typefaces.class);
    private static final List<Path> FOLDERS = List.of(Path.of("/usr/share/fonts"), Path.of("/usr/local/share/fonts"));
    /** Names a file that the JDK reads instead of asking the fontconfig library. */
    private static final String FONT_CONFIGURATION = "sun.awt.fontconfig";
    private static final int FILES_MAX = 20_000;
    private static final int FOLDER_DEPTH_MAX = 6;
    private static final String BASE = "NotoSans-Regular.ttf";
    private static final String BUNDLED = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";
    /** Searched in this order for characters that the font of their script does not have. */
    private static final List<String> OTHERS = List.of("DejaVuSans.ttf", "DroidSansFallbackFull.ttf", "DroidSansFallback.ttf", "NanumGothic.ttf", "UnDotum.ttf",
            "NotoSansSymbols-Regular.ttf", "NotoSansSymbols2-Regular.ttf", "NotoSansMath-Regular.ttf", "NotoMusic-Regular.ttf",
            "NotoEmoji-Regular.ttf", "Symbola.ttf", "FreeSans.ttf", "FreeSerif.ttf");

    private final Map<String, Path> files;
    private final Map<String, Optional<Typeface>> loaded = new ConcurrentHashMap<>();
    private final Map<Integer, Optional<Typeface>> byCharacter = new ConcurrentHashMap<>();
    private final Typeface bundled;
    private final Typeface base;

    Typefaces(List<Path> folders) {
        prepareLayout();
        this.files = found(folders);
        try (InputStream in = PDDocument.class.getResourceAsStream(BUNDLED)) {
            this.bundled = Typeface.of(in.readAllBytes());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        this.base = named(BASE).orElse(bundled);
    }

    /** Prepares the JDK's text layout to work without a screen and without the fontconfig library, which slim machines lack. */
    private static void prepareLayout() {
        if (System.getProperty("java.awt.headless") == null) {
            System.setProperty("java.awt.headless", "true");
        }
        if (System.getProperty(FONT_CONFIGURATION) != null) {
            return;
        }
        try (InputStream in = Typefaces.class.getResourceAsStream("/paper/fontconfig.properties")) {
            Path file = Files.createTempFile("fontconfig", ".properties");
            file.toFile().deleteOnExit();
            Files.write(file, in.readAllBytes());
            System.setProperty(FONT_CONFIGURATION, file.toString());
        } catch (IOException unwritable) {
            LOG.warn("text layout uses the fontconfig library, because no temporary file can be written: {}", unwritable.getMessage());
        }
    }

    /** The fonts of this machine, read at first use. */
    static Typefaces ofMachine() {
        return Machine.FONTS;
    }

    private static final class Machine {
        static final Typefaces FONTS = new Typefaces(FOLDERS);
    }

    private static Map<String, Path> found(List<Path> folders) {
        return folders.stream().filter(Files::isDirectory).flatMap(folder -> {
            try (Stream<Path> all = Files.walk(folder, FOLDER_DEPTH_MAX)) {
                return all.limit(FILES_MAX).filter(file -> file.toString().endsWith(".ttf")).sorted().toList().stream();
            } catch (IOException | UncheckedIOException unreadable) {
                LOG.warn("fonts in {} cannot be read: {}", folder, unreadable.getMessage());
                return Stream.empty();
            }
        }).collect(Collectors.toMap(file -> file.getFileName().toString(), file -> file, (first, second) -> first));
    }

    /** The font for characters that no font has, and for isolated characters. */
    Typeface base() {
        return base;
    }

    /** The font for a character; empty when no font here has it. */
    Optional<Typeface> of(int codePoint) {
        return byCharacter.computeIfAbsent(codePoint, this::search);
    }

    private Optional<Typeface> search(int codePoint) {
        return Stream.concat(
                        Stream.of(base(), bundled),
                        candidates(UnicodeScript.of(codePoint)).stream().flatMap(name -> named(name).stream()))
                .filter(face -> face.has(codePoint))
                .findFirst();
    }

    private static List<String> candidates(UnicodeScript script) {
        List<String> names = new ArrayList<>();
        String inName = Stream.of(script.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT))
                .collect(Collectors.joining());
        names.add("NotoSans" + inName + "-Regular.ttf");
        names.add("NotoSerif" + inName + "-Regular.ttf");
        names.addAll(OTHERS);
        return names;
    }

    private Optional<Typeface> named(String file) {
        return loaded.computeIfAbsent(file, name -> Optional.ofNullable(files.get(name)).flatMap(Typefaces::read));
    }

    private static Optional<Typeface> read(Path file) {
        try {
            return Optional.of(Typeface.of(Files.readAllBytes(file)));
        } catch (IOException | RuntimeException broken) {
            LOG.warn("font {} is not used: {}", file, broken.getMessage());
            return Optional.empty();
        }
    }
}
