package io.arbitration.pdfs.fill;

import static io.arbitration.pdfs.FormMaker.at;
import static io.arbitration.pdfs.FormMaker.strings;
import static io.arbitration.pdfs.FormMaker.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.pdfs.FormMaker;
import io.arbitration.pdfs.Programs;
import io.arbitration.pdfs.template.CompiledTemplate;
import io.arbitration.pdfs.template.RefusedTemplate;
import io.arbitration.pdfs.template.TemplateCompiler;
import io.arbitration.platform.answer.Refusal;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.interactive.form.PDAcroForm;
import org.apache.pdfbox.pdmodel.interactive.form.PDSignatureField;
import org.apache.pdfbox.rendering.PDFRenderer;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of field, filled; looked at as text and as a picture. */
class FillTest {

    private static final int MULTI_LINE = 1 << 12;
    private static final int RADIO = 1 << 15;
    private static final int COMBO = 1 << 17;
    private static final int EDITABLE = 1 << 18;
    private static final int COMB = 1 << 24;

    private final FormMaker maker = new FormMaker(2);

    private static byte[] fill(byte[] form, String... values) throws RefusedTemplate {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i += 2) {
            given.put(values[i], values[i + 1]);
        }
        CompiledTemplate template = TemplateCompiler.compile(form);
        return Fill.fill(template, FieldValues.checked(template, given));
    }

    private byte[] fill(String... values) throws RefusedTemplate {
        return fill(maker.bytes(), values);
    }

    private static String text(byte[] pdf) throws IOException {
        try (PDDocument document = Loader.loadPDF(pdf)) {
            return new PDFTextStripper().getText(document);
        }
    }

    /** Share of dark dots in a part of a page, in the coordinates of the page. */
    private static double darkness(byte[] pdf, int page, double x, double y, double width, double height) throws IOException {
        try (PDDocument document = Loader.loadPDF(pdf)) {
            BufferedImage image = new PDFRenderer(document).renderImage(page, 2);
            double top = document.getPage(page).getMediaBox().getHeight();
            int dark = 0;
            int all = 0;
            for (int row = (int) (2 * (top - y - height)); row < 2 * (top - y); row++) {
                for (int column = (int) (2 * x); column < 2 * (x + width); column++) {
                    dark += (image.getRGB(column, row) & 0xff) < 128 ? 1 : 0;
                    all++;
                }
            }
            return (double) dark / all;
        }
    }

    @Test
    void everyPlaceOfAFieldIsFilled() throws Exception {
        maker.text("name", at(0, 50, 700, 200, 20), at(0, 50, 600, 200, 20), at(1, 50, 700, 200, 20));
        assertThat(text(fill("name", "Clara Claimant")).split("Clara Claimant", -1)).hasSize(4);
    }

    @Test
    void fieldsAreNamedFromTheRootOn() throws Exception {
        COSDictionary field = maker.text("counsel.name", at(0, 50, 700, 200, 20));
        COSDictionary parent = new COSDictionary();
        parent.setString(COSName.T, "parties");
        parent.setItem(COSName.KIDS, new org.apache.pdfbox.cos.COSArray(List.of(field)));
        field.setString(COSName.T, "claimant");
        field.setItem(COSName.PARENT, parent);
        maker.form.getCOSObject().setItem(COSName.FIELDS, new org.apache.pdfbox.cos.COSArray(List.of(parent)));
        assertThat(text(fill("parties.claimant", "Clara"))).contains("Clara");
    }

    @Test
    void theFormIsGoneAndWhatWasPrintedStays() throws Exception {
        maker.text("name", at(0, 50, 700, 200, 20));
        byte[] filled = fill("name", "Clara");
        assertThat(text(filled)).contains("Printed on page 1", "Printed on page 2", "Clara");
        try (PDDocument document = Loader.loadPDF(filled)) {
            assertThat(document.getDocumentCatalog().getAcroForm()).isNull();
            assertThat(document.getPage(0).getAnnotations()).isEmpty();
            for (PDPage page : document.getPages()) {
                for (COSName name : page.getResources().getFontNames()) {
                    PDFont font = page.getResources().getFont(name);
                    assertThat(font.isEmbedded() || font.getName().equals("Helvetica")).as(font.getName()).isTrue();
                }
            }
        }
    }

    @Test
    void whatIsNotGivenKeepsTheValueOfTheTemplate() throws Exception {
        with(maker.text("seat", at(0, 50, 700, 200, 20)), "V", "Geneva");
        with(maker.text("city", at(0, 50, 650, 200, 20)), "V", "Paris");
        assertThat(text(fill("city", "Vienna"))).contains("Geneva", "Vienna").doesNotContain("Paris");
        assertThat(text(fill(formWithSeat(), "seat", ""))).doesNotContain("Geneva");
    }

    private static byte[] formWithSeat() {
        FormMaker maker = new FormMaker(1);
        with(maker.text("seat", at(0, 50, 700, 200, 20)), "V", "Geneva");
        return maker.bytes();
    }

    @Test
    void aCheckBoxIsOnByItsStateByTrueAndByYes() throws Exception {
        maker.states(maker.field("agree", "Btn", 0, at(0, 50, 700, 20, 20), at(1, 50, 700, 20, 20)), "Agreed", "Agreed");
        byte[] form = maker.bytes();
        for (String on : List.of("Agreed", "true", "yes", "YES")) {
            assertThat(darkness(fill(form, "agree", on), 0, 52, 702, 16, 16)).as(on).isGreaterThan(0.9);
            assertThat(darkness(fill(form, "agree", on), 1, 52, 702, 16, 16)).as(on).isGreaterThan(0.9);
        }
        for (String off : List.of("", "Off", "false", "no")) {
            assertThat(darkness(fill(form, "agree", off), 0, 56, 706, 8, 8)).as(off).isZero();
        }
        assertThatThrownBy(() -> fill(form, "agree", "maybe")).isInstanceOf(Refusal.class).hasMessage("placeholders/agree: must be one of Agreed");
    }

    @Test
    void ofRadioButtonsTheNamedOneIsOn() throws Exception {
        with(maker.states(maker.field("seat", "Btn", RADIO, at(0, 50, 700, 20, 20), at(0, 100, 700, 20, 20)), "0", "1"), "Opt", strings("Paris", "Geneva"));
        byte[] form = maker.bytes();
        for (String second : List.of("1", "Geneva")) {
            assertThat(darkness(fill(form, "seat", second), 0, 52, 702, 16, 16)).as(second).isLessThan(0.5);
            assertThat(darkness(fill(form, "seat", second), 0, 102, 702, 16, 16)).as(second).isGreaterThan(0.9);
        }
        assertThatThrownBy(() -> fill(form, "seat", "yes")).hasMessage("placeholders/seat: must be one of 0, 1");
    }

    @Test
    void aButtonWithoutAPictureIsTicked() throws Exception {
        maker.field("plain", "Btn", 0, at(0, 50, 700, 20, 20));
        byte[] form = maker.bytes();
        assertThat(darkness(fill(form, "plain", "yes"), 0, 54, 704, 12, 12)).isGreaterThan(0.1);
        assertThat(darkness(fill(form, "plain", "no"), 0, 54, 704, 12, 12)).isZero();
    }

    @Test
    void aChoiceShowsItsOptionAndTakesNoOther() throws Exception {
        org.apache.pdfbox.cos.COSArray options = new org.apache.pdfbox.cos.COSArray(List.of(strings("en", "English"), strings("fr", "Français")));
        with(maker.field("language", "Ch", COMBO, at(0, 50, 700, 200, 20)), "Opt", options);
        with(maker.field("open", "Ch", COMBO | EDITABLE, at(0, 50, 600, 200, 20)), "Opt", strings("one", "two"));
        byte[] form = maker.bytes();
        assertThat(text(fill(form, "language", "fr", "open", "three"))).contains("Français", "three");
        assertThat(text(fill(form, "language", "English"))).contains("English");
        assertThatThrownBy(() -> fill(form, "language", "de")).hasMessage("placeholders/language: must be one of en, fr");
    }

    @Test
    void aCombHasOneCharacterInTheMiddleOfEachCell() throws Exception {
        with(maker.field("code", "Tx", COMB, at(0, 50, 700, 200, 20)), "MaxLen", 10);
        byte[] form = maker.bytes();
        byte[] filled = fill(form, "code", "IIe\u0301I");
        for (int cell = 0; cell < 4; cell++) {
            assertThat(darkness(filled, 0, 50 + 20 * cell + 6, 703, 8, 14)).as("middle of cell %d", cell).isGreaterThan(0.05);
            assertThat(darkness(filled, 0, 50 + 20 * cell + 2, 703, 3, 14)).as("left of cell %d", cell).isZero();
        }
        assertThatThrownBy(() -> fill(form, "code", "12345678901")).hasMessage("placeholders/code: at most 10 characters");
    }

    @Test
    void aDateIsWrittenAsTheTemplateSays() throws Exception {
        with(maker.text("due", at(0, 50, 700, 200, 20)), "ACPDateFormat", "d MMMM yyyy");
        byte[] form = maker.bytes();
        assertThat(text(fill(form, "due", "2026-11-21"))).contains("21 November 2026");
        for (String none : List.of("21.11.2026", "2026-02-30", "soon")) {
            assertThatThrownBy(() -> fill(form, "due", none)).hasMessage("placeholders/due: must be a date, yyyy-MM-dd");
        }
    }

    @Test
    void aLongLineIsMadeSmallerAndThenGoesOnBehindTheForm() throws Exception {
        with(maker.text("short", at(0, 50, 700, 200, 20)), "TU", "The short field");
        byte[] form = maker.bytes();
        byte[] smaller = fill(form, "short", "Forty characters of text, or a few more.");
        assertThat(pages(smaller)).isEqualTo(2);
        String whole = "Words upon words, ".repeat(12).strip();
        byte[] longer = fill(form, "short", whole);
        assertThat(pages(longer)).isEqualTo(3);
        assertThat(words(text(longer))).contains("[1]The shortfield".replace(" ", "") + words(whole)).contains("…[1]");
        assertThat(darkness(longer, 0, 252, 690, 300, 40)).as("nothing beside the field").isZero();
    }

    @Test
    void longTextIsBrokenIntoLinesMadeSmallerAndGoesOn() throws Exception {
        maker.field("story", "Tx", MULTI_LINE, at(0, 50, 600, 300, 100), at(1, 50, 600, 300, 60));
        byte[] form = maker.bytes();
        String some = "One sentence. ".repeat(12).strip();
        assertThat(words(text(fill(form, "story", some + "\n\nSecond paragraph.")))).contains(words(some) + "Secondparagraph.");
        StringBuilder much = new StringBuilder();
        for (int i = 0; i < 900; i++) {
            much.append("Sentence number ").append(i).append(". ").append(i % 50 == 0 ? "\n" : "");
        }
        much.append("unbroken".repeat(80));
        byte[] filled = fill(form, "story", much.toString());
        assertThat(words(text(filled))).as("nothing is lost").contains(words(much.toString()));
        assertThat(pages(filled)).isGreaterThan(4);
        assertThat(darkness(filled, 0, 50, 560, 300, 38)).as("nothing below the field").isZero();
    }

    private static int pages(byte[] pdf) throws IOException {
        try (PDDocument document = Loader.loadPDF(pdf)) {
            return document.getNumberOfPages();
        }
    }

    private static String words(String text) {
        return text.replaceAll("\\s+", "");
    }

    @Test
    void aTurnedFieldIsFilledAsItReads() throws Exception {
        COSDictionary field = maker.text("turned", at(0, 300, 300, 20, 200));
        COSDictionary widget = (COSDictionary) field.getCOSArray(COSName.KIDS).getObject(0);
        widget.getCOSDictionary(COSName.getPDFName("MK")).setInt(COSName.R, 90);
        byte[] filled = fill("turned", "Upwards it goes");
        assertThat(darkness(filled, 0, 302, 302, 16, 90)).isGreaterThan(0.05);
        assertThat(darkness(filled, 0, 302, 420, 16, 78)).isZero();
        assertThat(words(text(filled))).contains("Upwardsitgoes");
    }

    @Test
    void aFieldForASignatureStaysLive() throws Exception {
        maker.text("name", at(0, 50, 700, 200, 20));
        maker.field("signature", "Sig", 0, at(1, 50, 100, 200, 60));
        byte[] form = maker.bytes();
        assertThatThrownBy(() -> fill(form, "signature", "Me")).hasMessage("unknown placeholders: signature");
        try (PDDocument document = Loader.loadPDF(fill(form, "name", "Clara"))) {
            PDAcroForm left = document.getDocumentCatalog().getAcroForm();
            assertThat(left.getFields()).hasSize(1);
            assertThat(left.getField("signature")).isInstanceOf(PDSignatureField.class);
            assertThat(document.getPage(1).getAnnotations()).hasSize(1);
            assertThat(left.getField("signature").getWidgets()).hasSize(1);
        }
    }

    @Test
    void alignedTextStandsWhereTheFieldSays() throws Exception {
        with(maker.text("right", at(0, 50, 700, 200, 20)), "Q", 2);
        with(maker.text("middle", at(0, 50, 600, 200, 20)), "Q", 1);
        byte[] filled = fill("right", "Right", "middle", "Middle");
        assertThat(darkness(filled, 0, 52, 702, 150, 16)).isZero();
        assertThat(darkness(filled, 0, 210, 702, 38, 16)).isGreaterThan(0.03);
        assertThat(darkness(filled, 0, 52, 602, 60, 16)).isZero();
        assertThat(darkness(filled, 0, 130, 602, 40, 16)).isGreaterThan(0.03);
    }

    @Test
    void contentThatLeavesThePageTurnedDoesNotTurnTheValues() throws Exception {
        maker.text("name", at(0, 50, 700, 200, 20));
        byte[] bad = "Q q 0.1 0 0 0.1 500 20 cm q".getBytes(StandardCharsets.US_ASCII);
        maker.document.getPage(0).setContents(new org.apache.pdfbox.pdmodel.common.PDStream(maker.document, new java.io.ByteArrayInputStream(bad)));
        assertThat(darkness(fill("name", "Where it belongs"), 0, 52, 702, 80, 16)).isGreaterThan(0.03);
    }

    @Test
    void theSameValuesInParallelGiveTheSameBytes() throws Exception {
        for (String name : List.of("latin", "arabic", "hindi", "chinese")) {
            maker.field(name, "Tx", MULTI_LINE, at(0, 50, 700 - 60 * name.length(), 200, 50));
        }
        CompiledTemplate template = TemplateCompiler.compile(maker.bytes());
        Map<String, String> values = Map.of("latin", "Łukasz", "arabic", "العربية 12", "hindi", "क्षतिपूर्ति", "chinese", "价款已到期");
        byte[] expected = Fill.fill(template, FieldValues.checked(template, values));
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Callable<byte[]>> fills = IntStream.range(0, 200).<Callable<byte[]>>mapToObj(i -> () -> Fill.fill(template, FieldValues.checked(template, values))).toList();
            for (Future<byte[]> one : threads.invokeAll(fills)) {
                assertThat(one.get()).isEqualTo(expected);
            }
        }
    }

    @Test
    void popplerFindsEveryScript(@TempDir Path folder) throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/pdftotext")), "skipped: no pdftotext here");
        assumeTrue(Files.exists(Path.of("/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf")), "skipped: fonts-noto-core is not here");
        assumeTrue(Files.exists(Path.of("/usr/share/fonts/truetype/nanum/NanumGothic.ttf")), "skipped: fonts-nanum is not here");
        assumeTrue(Files.exists(Path.of("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf")), "skipped: fonts-droid-fallback is not here");
        List<String> scripts = List.of("naïve Straße Łódź", "Ελληνικά οφείλεται", "Цена подлежит", "الثمن وقدره", "המחיר עומד", "मूल्य क्षतिपूर्ति", "ราคาถึงกำหนดชำระ",
                "价款已到期", "代金の支払期限", "대금의 지급기한", "𝒜 😀 ✓", "e\u0301a\u0308");
        String[] values = new String[2 * scripts.size()];
        for (int i = 0; i < scripts.size(); i++) {
            maker.text("f" + i, at(0, 50, 760 - 40 * i, 250, 22));
            values[2 * i] = "f" + i;
            values[2 * i + 1] = scripts.get(i);
        }
        Path file = Files.write(folder.resolve("scripts.pdf"), fill(values));
        String text = Programs.run("pdftotext", "-layout", file.toString(), "-").replaceAll("[\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]", "");
        for (String script : scripts) {
            for (String word : script.split(" ")) {
                assertThat(java.text.Normalizer.normalize(text, java.text.Normalizer.Form.NFC)).contains(java.text.Normalizer.normalize(word, java.text.Normalizer.Form.NFC));
            }
        }
    }
}
