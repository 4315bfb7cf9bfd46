package io.arbitration.pdfs.template;

import static io.arbitration.pdfs.FormMaker.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.pdfs.FormMaker;
import io.arbitration.pdfs.fill.FieldValues;
import io.arbitration.pdfs.fill.Fill;
import io.arbitration.platform.reading.DeflatedRun;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.apache.pdfbox.cos.COSArray;
import org.apache.pdfbox.cos.COSDictionary;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.cos.COSStream;
import org.apache.pdfbox.cos.COSString;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDDocumentNameDictionary;
import org.apache.pdfbox.pdmodel.PDEmbeddedFilesNameTreeNode;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.common.PDStream;
import org.apache.pdfbox.pdmodel.common.filespecification.PDComplexFileSpecification;
import org.apache.pdfbox.pdmodel.common.filespecification.PDEmbeddedFile;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.interactive.action.PDActionJavaScript;
import org.apache.pdfbox.pdmodel.interactive.action.PDActionLaunch;
import org.junit.jupiter.api.Test;

/** What no template may be: each is refused with a reason, in little time and memory, and nothing else happens. */
class HostileTemplatesTest {

    private static final String BUDGET = "unpacks to more than 96 MB";
    private final FormMaker maker = new FormMaker(1);

    HostileTemplatesTest() {
        maker.text("name", at(0, 50, 700, 200, 20));
    }

    private static void refused(byte[] file, String why) {
        assertThatThrownBy(() -> TemplateCompiler.compile(file)).isInstanceOf(RefusedTemplate.class).hasMessageContaining(why);
    }

    private void refused(String why) {
        refused(maker.bytes(), why);
    }

    @Test
    void encrypted() throws IOException {
        for (String password : List.of("", "secret")) {
            FormMaker secret = new FormMaker(1);
            secret.text("name", at(0, 50, 700, 200, 20));
            secret.document.protect(new StandardProtectionPolicy("owner", password, new AccessPermission()));
            refused(secret.bytes(), "is encrypted");
        }
    }

    @Test
    void withAnXfaForm() {
        maker.form.getCOSObject().setItem(COSName.getPDFName("XFA"), new COSString("<xdp/>"));
        refused("has an XFA form");
    }

    @Test
    void withScripts() {
        maker.document.getDocumentCatalog().setOpenAction(new PDActionJavaScript("app.alert(1)"));
        refused("has JavaScript");
        FormMaker inField = new FormMaker(1);
        COSDictionary actions = new COSDictionary();
        actions.setItem(COSName.K, new PDActionJavaScript("event.rc = false"));
        inField.text("name", at(0, 50, 700, 200, 20)).setItem(COSName.AA, actions);
        refused(inField.bytes(), "has JavaScript");
        FormMaker hidden = new FormMaker(1);
        hidden.text("name", at(0, 50, 700, 200, 20));
        COSDictionary next = new COSDictionary();
        next.setItem(COSName.S, COSName.getPDFName("GoTo"));
        next.setItem(COSName.getPDFName("Next"), new COSArray(List.of(new PDActionJavaScript("x").getCOSObject())));
        hidden.document.getDocumentCatalog().getCOSObject().setItem(COSName.OPEN_ACTION, next);
        refused(hidden.bytes(), "has JavaScript");
    }

    @Test
    void withActionsThatLaunch() {
        PDActionLaunch launch = new PDActionLaunch();
        launch.getCOSObject().setString(COSName.F, "/bin/sh");
        maker.document.getDocumentCatalog().setOpenAction(launch);
        refused("has an action Launch");
    }

    @Test
    void withEmbeddedFiles() throws IOException {
        PDComplexFileSpecification file = new PDComplexFileSpecification();
        file.setFile("a.exe");
        file.setEmbeddedFile(new PDEmbeddedFile(maker.document, new ByteArrayInputStream(new byte[10])));
        PDEmbeddedFilesNameTreeNode tree = new PDEmbeddedFilesNameTreeNode();
        tree.setNames(Map.of("a", file));
        PDDocumentNameDictionary names = new PDDocumentNameDictionary(maker.document.getDocumentCatalog());
        names.setEmbeddedFiles(tree);
        maker.document.getDocumentCatalog().setNames(names);
        refused("has embedded files");
    }

    @Test
    void signed() {
        COSDictionary signature = new COSDictionary();
        signature.setName(COSName.TYPE, "Sig");
        maker.field("signature", "Sig", 0, at(0, 50, 100, 100, 30)).setItem(COSName.V, signature);
        refused("is signed");
    }

    @Test
    void withoutAForm() throws IOException {
        try (PDDocument document = new PDDocument(); ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            document.addPage(new PDPage());
            document.save(out);
            refused(out.toByteArray(), "has no form");
        }
        refused(new FormMaker(1).bytes(), "has no form field that takes a value");
    }

    @Test
    void whatIsNoPdf() {
        refused(new byte[0], "is not a PDF");
        refused("GIF89a".getBytes(StandardCharsets.US_ASCII), "is not a PDF");
        refused("%PDF-1.7 and nothing more".getBytes(StandardCharsets.US_ASCII), "cannot be read");
        refused(Arrays.copyOf("%PDF-1.7\n".getBytes(StandardCharsets.US_ASCII), 12 * 1024 * 1024), "cannot be read");
    }

    @Test
    void cutOffAnywhere() {
        byte[] whole = maker.bytes();
        for (int length = 0; length < whole.length - 40; length += 37) {
            byte[] part = Arrays.copyOf(whole, length);
            try {
                assertThat(TemplateCompiler.compile(part).fields()).containsKey("name");
            } catch (RefusedTemplate refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        }
    }

    private static byte[] packedZeros() {
        return DeflatedRun.of((byte) 0, 200 * 1024 * 1024);
    }

    private static byte[] packed(byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflating = new DeflaterOutputStream(out, new Deflater(9))) {
            deflating.write(content);
        }
        return out.toByteArray();
    }

    private byte[] withStream(byte[] raw, String... filters) throws IOException {
        COSStream stream = maker.document.getDocument().createCOSStream();
        try (var out = stream.createRawOutputStream()) {
            out.write(raw);
        }
        COSArray chain = new COSArray();
        for (String filter : filters) {
            chain.add(COSName.getPDFName(filter));
        }
        stream.setItem(COSName.FILTER, chain);
        maker.document.getPage(0).getCOSObject().setItem(COSName.CONTENTS, stream);
        return maker.bytes();
    }

    @Test
    void thatUnpackToFarMore() throws IOException {
        byte[] once = packedZeros();
        assertThat(once.length).isLessThan(300_000);
        refused(withStream(once, "FlateDecode"), BUDGET);
    }

    @Test
    void thatUnpackTwiceToFarMore() throws IOException {
        byte[] twice = packed(packedZeros());
        assertThat(twice.length).isLessThan(5000);
        refused(withStream(twice, "FlateDecode", "FlateDecode"), BUDGET);
    }

    @Test
    void thatUnpackWithoutAValidHeader() throws IOException {
        byte[] headless = packedZeros();
        headless[0] = 'X';
        headless[1] = 'Y';
        refused(withStream(headless, "FlateDecode"), BUDGET);
    }

    @Test
    void inEncodingsThatHideWhatTheyUnpackTo() throws IOException {
        for (String filter : List.of("LZWDecode", "ASCII85Decode", "ASCIIHexDecode", "RunLengthDecode")) {
            FormMaker other = new FormMaker(1);
            other.text("name", at(0, 50, 700, 200, 20));
            PDStream stream = new PDStream(other.document, new ByteArrayInputStream("q Q".getBytes(StandardCharsets.US_ASCII)), COSName.getPDFName(filter));
            other.document.getPage(0).setContents(stream);
            refused(other.bytes(), "uses the filter " + filter);
        }
    }

    @Test
    void ofFieldsThatContainEachOther() {
        refused(raw("<</T(one)/Kids[5 0 R]>>"), "contain each other");
    }

    /** A PDF by hand, in which the form has the field {@code 5 0 R} with this body. */
    private static byte[] raw(String field) {
        return raw("<</Type/Pages/Count 1/Kids[3 0 R]>>", field);
    }

    private static byte[] raw(String pages, String field) {
        List<String> bodies = List.of("<</Type/Catalog/Pages 2 0 R/AcroForm 4 0 R>>", pages, "<</Type/Page/MediaBox[0 0 100 100]/Parent 2 0 R>>", "<</Fields[5 0 R]>>", field);
        StringBuilder file = new StringBuilder("%PDF-1.7\n");
        StringBuilder table = new StringBuilder("xref\n0 %d\n0000000000 65535 f \n".formatted(bodies.size() + 1));
        for (int i = 0; i < bodies.size(); i++) {
            table.append("%010d 00000 n \n".formatted(file.length()));
            file.append("%d 0 obj\n%s\nendobj\n".formatted(i + 1, bodies.get(i)));
        }
        int start = file.length();
        file.append(table).append("trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n".formatted(bodies.size() + 1, start));
        return file.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void ofPagesThatContainEachOther() {
        refused(raw("<</Type/Pages/Count 1/Kids[2 0 R]>>", "<</T(name)/FT/Tx>>"), "has a tree of pages that does not end");
        refused(raw("<</Type/Pages/Count 1/Kids[%s]>>".formatted("3 0 R ".repeat(300)), "<</T(name)/FT/Tx>>"), "has a tree of pages that does not end");
        refused(raw("<</Type/Pages/Count 0/Kids[]>>", "<</T(name)/FT/Tx>>"), "has no pages");
    }

    @Test
    void nestedWithoutEnd() {
        refused(raw("<</T(name)/FT/Tx/X%s>>".formatted("[".repeat(2_000_000))), "");
        refused(raw("<</T(name)/FT/Tx/X%s%s>>".formatted("[".repeat(300), "]".repeat(300))), "");
    }

    @Test
    void withMoreFieldsThanAnyoneFills() {
        StringBuilder kids = new StringBuilder();
        for (int i = 0; i < 2001; i++) {
            kids.append("<</T(f").append(i).append(")/FT/Tx>>");
        }
        refused(raw("<</T(all)/Kids[%s]>>".formatted(kids)), "has more than 2000 fields");
        refused(raw("<</T(%s)/FT/Tx>>".formatted("x".repeat(501))), "has a field with a name of more than 500 characters");
    }

    /** Any of its bytes may be anything: the answer is a template that fills, or a reason. */
    @Test
    void changedAtRandom() throws Exception {
        FormMaker rich = new FormMaker(2);
        rich.text("name", at(0, 50, 700, 200, 20), at(1, 50, 700, 200, 20));
        rich.states(rich.field("agree", "Btn", 0, at(0, 50, 600, 14, 14)), "Yes");
        FormMaker.with(rich.field("code", "Tx", 1 << 24, at(0, 50, 500, 200, 20)), "MaxLen", 8);
        FormMaker.with(rich.field("language", "Ch", 1 << 17, at(0, 50, 400, 120, 18)), "Opt", FormMaker.strings("English", "French"));
        rich.field("signature", "Sig", 0, at(1, 50, 100, 100, 30));
        byte[] other = java.nio.file.Files.readAllBytes(java.nio.file.Path.of("conf/templates/pdf/certificateOfService.pdf"));
        Random random = new Random(20261121);
        int taken = 0;
        byte[] plain = rich.bytes();
        for (int round = 0; round < 900; round++) {
            byte[] changed = (round % 3 == 0 ? other : plain).clone();
            int changes = 1 + random.nextInt(8);
            for (int i = 0; i < changes; i++) {
                int at = random.nextInt(changed.length);
                switch (random.nextInt(3)) {
                    case 0 -> changed[at] = (byte) random.nextInt(256);
                    case 1 -> changed[at] = (byte) "0123456789<>[]()/ ".charAt(random.nextInt(18));
                    default -> System.arraycopy(changed, random.nextInt(changed.length - 30), changed, Math.min(at, changed.length - 30), random.nextInt(30));
                }
            }
            taken += compiledAndFilled(changed) ? 1 : 0;
        }
        assertThat(taken).as("some changes do no harm").isGreaterThan(30);
    }

    private static boolean compiledAndFilled(byte[] file) {
        try {
            CompiledTemplate template = TemplateCompiler.compile(file);
            Map<String, String> values = new java.util.HashMap<>();
            template.fields().forEach((name, field) -> {
                if (field instanceof FormField.Text text && text.date().isEmpty() && text.maxLength().isEmpty()) {
                    values.put(name, "Text");
                }
            });
            assertThat(Fill.fill(template, FieldValues.checked(template, values))).isNotEmpty();
            return true;
        } catch (RefusedTemplate refused) {
            assertThat(refused.getMessage()).isNotBlank();
            return false;
        }
    }

    /** Any text that JSON can carry is shown or refused with a reason. */
    @Test
    void valuesOfAnyCharacters() throws Exception {
        FormMaker rich = new FormMaker(1);
        rich.text("line", at(0, 50, 700, 100, 20));
        rich.field("lines", "Tx", 1 << 12, at(0, 50, 500, 100, 60));
        FormMaker.with(rich.field("comb", "Tx", 1 << 24, at(0, 50, 400, 100, 20)), "MaxLen", 12);
        CompiledTemplate template = TemplateCompiler.compile(rich.bytes());
        Random random = new Random(1);
        int[][] blocks = {{0, 0x2ff}, {0x300, 0x36f}, {0x590, 0x8ff}, {0x900, 0xdff}, {0x2000, 0x20ff}, {0x3000, 0x9fff}, {0xac00, 0xd7a3}, {0xd800, 0xdfff}, {0xe000, 0xffff}, {0x10000, 0x1ffff}, {0xe0000, 0xe01ef}};
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(round % 10 == 0 ? 400 : 12);
            for (int i = 0; i < length; i++) {
                int[] block = blocks[random.nextInt(blocks.length)];
                text.appendCodePoint(block[0] + random.nextInt(block[1] - block[0] + 1));
            }
            for (String field : List.of("line", "lines", "comb")) {
                try {
                    assertThat(Fill.fill(template, FieldValues.checked(template, Map.of(field, text.toString())))).isNotEmpty();
                } catch (io.arbitration.platform.answer.Refusal refused) {
                    assertThat(refused.status()).isEqualTo(400);
                }
            }
        }
    }

    /** What is shaped and broken into lines may be as long as a value may be, and as odd. */
    @Test
    void noValueTakesLong() throws Exception {
        FormMaker one = new FormMaker(1);
        one.field("lines", "Tx", 1 << 12, at(0, 50, 500, 100, 60));
        one.text("line", at(0, 50, 400, 100, 20));
        CompiledTemplate template = TemplateCompiler.compile(one.bytes());
        for (String unit : List.of("x", "x ", "x\n", "e\u0301", "\u0301", "\u0634", "\u0634a", "\u0915\u094d", "\u4e00", "\u200f", "\ud83d\ude00", "\u200d")) {
            String value = unit.repeat(40_000 / unit.length());
            for (String field : List.of("line", "lines")) {
                long begin = System.nanoTime();
                assertThat(Fill.fill(template, FieldValues.checked(template, Map.of(field, value)))).isNotEmpty();
                assertThat((System.nanoTime() - begin) / 1e9).as("seconds for %s of U+%04X", field, unit.codePointAt(0)).isLessThan(15);
            }
        }
        String marks = "e" + "\u0301".repeat(40_000);
        long begin = System.nanoTime();
        assertThat(Fill.fill(template, FieldValues.checked(template, Map.of("lines", marks)))).isNotEmpty();
        assertThat((System.nanoTime() - begin) / 1e9).isLessThan(15);
    }
}
