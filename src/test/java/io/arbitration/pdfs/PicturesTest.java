package io.arbitration.pdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.pdfs.fill.FieldValues;
import io.arbitration.pdfs.fill.Fill;
import io.arbitration.pdfs.template.CompiledTemplate;
import io.arbitration.pdfs.template.FormField;
import io.arbitration.pdfs.template.TemplateCompiler;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The shipped templates, filled in many scripts and drawn by poppler, against kept pictures that people have looked at. With
 * {@code -Dacp.pictures=keep} the pictures are made anew, to be looked at; a difference leaves the new one in {@code target/pictures}.
 */
class PicturesTest {

    private static final Path FOLDER = Path.of("conf/templates/pdf");
    private static final Path KEPT = Path.of("src/test/resources/pictures");
    private static final Path FOUND = Path.of("target/pictures");
    private static final int DOTS_PER_INCH = 60;
    /** Side of the squares whose mean grey is compared: other versions of poppler smooth the same glyph a little differently. */
    private static final int SQUARE = 5;
    /** Another letter changes its square by more, even another accent; the dot of an Arabic letter, by less. */
    private static final int GREY_MAX = 8;
    private static final List<String> SCRIPTS = List.of("Claimant Shipping GmbH", "شركة الرافعات البحرية", "क्षतिपूर्ति का दावा", "仲裁申请书", "מחיר העגורן",
            "Εταιρεία Γερανών", "Договор поставки", "倉庫の引渡し", "크레인 매매", "Zażółć gęślą jaźń", "e\u0301tude ✓ 😀");

    static List<Path> templates() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    private static void assumePrograms() {
        assumeTrue(Files.exists(Path.of("/usr/bin/pdftoppm")), "skipped: poppler-utils is not here");
        for (String font : List.of("noto/NotoSansArabic-Regular.ttf", "droid/DroidSansFallbackFull.ttf", "nanum/NanumGothic.ttf")) {
            assumeTrue(Files.exists(Path.of("/usr/share/fonts/truetype", font)), "skipped: the font " + font + " is not here");
        }
    }

    private static Map<String, String> values(CompiledTemplate template) {
        Map<String, String> values = new LinkedHashMap<>();
        int number = 0;
        for (FormField field : template.fields().values()) {
            String script = SCRIPTS.get(number++ % SCRIPTS.size());
            int most = field instanceof FormField.Text text ? text.maxLength().orElse(1000) : 0;
            values.put(field.name(), switch (field) {
                case FormField.Text text when text.date().isPresent() -> "2026-11-%02d".formatted(1 + number % 28);
                case FormField.Text text when text.multiLine() -> cut("%s, and so on through several lines of the form. ".formatted(script).repeat(4), most);
                case FormField.Text text -> cut(script, most);
                case FormField.Toggle toggle -> toggle.buttons().getLast().on();
                case FormField.Choice choice -> choice.options().keySet().iterator().next();
            });
        }
        return values;
    }

    private static String cut(String text, int most) {
        return text.substring(0, Math.min(most, text.length()));
    }

    /** The pages, in order. */
    private static List<BufferedImage> drawn(CompiledTemplate template, Map<String, String> values, Path folder) throws Exception {
        Path filled = Files.write(folder.resolve("filled.pdf"), Fill.fill(template, FieldValues.checked(template, values)));
        Programs.run("pdftoppm", "-r", String.valueOf(DOTS_PER_INCH), "-gray", "-png", filled.toString(), folder.resolve("page").toString());
        try (Stream<Path> pages = Files.list(folder)) {
            return pages.filter(page -> page.toString().endsWith(".png")).sorted().map(PicturesTest::read).toList();
        }
    }

    private static BufferedImage read(Path file) {
        try {
            return ImageIO.read(file.toFile());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static BufferedImage squares(BufferedImage image) {
        BufferedImage small = new BufferedImage(image.getWidth() / SQUARE, image.getHeight() / SQUARE, BufferedImage.TYPE_BYTE_GRAY);
        for (int y = 0; y < small.getHeight(); y++) {
            for (int x = 0; x < small.getWidth(); x++) {
                int sum = 0;
                for (int dot = 0; dot < SQUARE * SQUARE; dot++) {
                    sum += image.getRaster().getSample(x * SQUARE + dot % SQUARE, y * SQUARE + dot / SQUARE, 0);
                }
                small.getRaster().setSample(x, y, 0, sum / (SQUARE * SQUARE));
            }
        }
        return small;
    }

    /** The largest difference of a square's grey, of 255; all of it when the sizes differ. */
    private static int difference(BufferedImage one, BufferedImage other) {
        if (one.getWidth() != other.getWidth() || one.getHeight() != other.getHeight()) {
            return 255;
        }
        int[] left = squares(one).getData().getSamples(0, 0, one.getWidth() / SQUARE, one.getHeight() / SQUARE, 0, (int[]) null);
        int[] right = squares(other).getData().getSamples(0, 0, one.getWidth() / SQUARE, one.getHeight() / SQUARE, 0, (int[]) null);
        int most = 0;
        for (int i = 0; i < left.length; i++) {
            most = Math.max(most, Math.abs(left[i] - right[i]));
        }
        return most;
    }

    @ParameterizedTest
    @MethodSource("templates")
    void filledInManyScriptsItLooksAsItWasLookedAt(Path file, @TempDir Path folder) throws Exception {
        assumePrograms();
        CompiledTemplate template = TemplateCompiler.compile(Files.readAllBytes(file));
        List<BufferedImage> pages = drawn(template, values(template), folder);
        String name = file.getFileName().toString().replace(".pdf", "");
        for (int page = 1; page <= pages.size(); page++) {
            Path kept = KEPT.resolve("%s-%d.png".formatted(name, page));
            if ("keep".equals(System.getProperty("acp.pictures"))) {
                ImageIO.write(pages.get(page - 1), "png", kept.toFile());
            }
            int difference = difference(pages.get(page - 1), ImageIO.read(kept.toFile()));
            if (difference > GREY_MAX) {
                ImageIO.write(pages.get(page - 1), "png", Files.createDirectories(FOUND).resolve(kept.getFileName()).toFile());
            }
            assertThat(difference).as("%s against %s", kept, FOUND.resolve(kept.getFileName())).isLessThanOrEqualTo(GREY_MAX);
        }
        assertThat(KEPT.resolve("%s-%d.png".formatted(name, pages.size() + 1))).as("no page is missing").doesNotExist();
    }

    /** Else the comparison would be one that nothing fails. */
    @Test
    void aSingleWrongLetterIsSeen(@TempDir Path folder) throws Exception {
        assumePrograms();
        CompiledTemplate template = TemplateCompiler.compile(Files.readAllBytes(FOLDER.resolve("answer.pdf")));
        Map<String, String> values = values(template);
        BufferedImage right = drawn(template, values, Files.createDirectory(folder.resolve("right"))).getFirst();
        for (Map.Entry<String, String> one : Map.of("caseTitle", "Claimant Shopping GmbH", "respondentCity", "Εταιρεία Γερανων", "respondentName", "क्षतिपूर्ति की दावा",
                "caseNumber", "شركة الرافعات العربية").entrySet()) {
            assertThat(SCRIPTS).as("kept with another letter").contains(values.get(one.getKey())).doesNotContain(one.getValue());
            Map<String, String> wrong = new LinkedHashMap<>(values);
            wrong.put(one.getKey(), one.getValue());
            BufferedImage page = drawn(template, wrong, Files.createDirectory(folder.resolve(one.getKey()))).getFirst();
            assertThat(difference(right, page)).as(one.getKey()).isGreaterThan(GREY_MAX);
        }
    }
}
