package io.arbitration.pdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.pdfs.fill.FieldValues;
import io.arbitration.pdfs.fill.Fill;
import io.arbitration.pdfs.template.CompiledTemplate;
import io.arbitration.pdfs.template.FormField;
import io.arbitration.pdfs.template.TemplateCompiler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/** The templates under conf/templates/pdf. */
class OwnFormsTest {

    private static final Path FOLDER = Path.of("conf/templates/pdf");

    static List<Path> templates() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    @Test
    void theyAreWhatTheProgramMakes(@TempDir Path folder) throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf")), "skipped: without fonts-noto-core they look different");
        List<Path> made = OwnForms.write(folder);
        assertThat(made.stream().map(Path::getFileName).sorted()).isEqualTo(templates().stream().map(Path::getFileName).sorted().toList()).hasSizeGreaterThanOrEqualTo(6);
        for (Path file : made) {
            assertThat(TemplateCompiler.compile(Files.readAllBytes(file)).fields().keySet()).as(file.toString())
                    .isEqualTo(TemplateCompiler.compile(Files.readAllBytes(FOLDER.resolve(file.getFileName()))).fields().keySet());
        }
    }

    /** What can be filed can be filled in: the fields of the document type, as long as it allows them. */
    @ParameterizedTest
    @MethodSource("templates")
    void theyHaveTheFieldsOfTheirDocumentType(Path file) throws Exception {
        Path definition = Path.of("conf/definitions/documents", file.getFileName().toString().replace(".pdf", ".yaml"));
        assertThat(definition).as("no form without a type of document").exists();
        Map<String, FormField> fields = TemplateCompiler.compile(Files.readAllBytes(file)).fields();
        for (JsonNode section : new YAMLMapper().readTree(definition.toFile()).path("sections")) {
            for (JsonNode field : section.path("fields")) {
                FormField placeholder = fields.get(field.path("id").asText());
                assertThat(placeholder).as("%s of %s", field.path("id").asText(), file).isNotNull();
                String type = switch (field.path("type").asText()) {
                    case "boolean" -> "checkbox";
                    case "date" -> "date";
                    default -> "text";
                };
                assertThat(placeholder.type()).as(placeholder.name()).isEqualTo(type);
                if (placeholder instanceof FormField.Text text && text.maxLength().isPresent()) {
                    assertThat(text.maxLength().getAsInt()).as(placeholder.name()).isGreaterThanOrEqualTo(field.path("maxLength").asInt());
                }
            }
        }
    }

    @Test
    void everyTypeOfDocumentHasAFormOrSaysThatItHasNone() throws Exception {
        try (Stream<Path> definitions = Files.list(Path.of("conf/definitions/documents"))) {
            for (Path definition : definitions.toList()) {
                JsonNode type = new YAMLMapper().readTree(definition.toFile());
                boolean hasForm = Files.exists(FOLDER.resolve(type.path("id").asText() + ".pdf"));
                assertThat(type.path("form").asText()).as(definition.toString()).isEqualTo(hasForm ? "" : "none");
            }
        }
    }

    private static Map<String, String> values(CompiledTemplate template) {
        Map<String, String> values = new LinkedHashMap<>();
        int number = 0;
        for (FormField field : template.fields().values()) {
            number++;
            values.put(field.name(), switch (field) {
                case FormField.Text text when text.date().isPresent() -> "2026-11-%02d".formatted(1 + number % 28);
                case FormField.Text text -> cut("Value%d żółć".formatted(number), text.maxLength().orElse(100));
                case FormField.Toggle toggle -> toggle.buttons().getLast().on();
                case FormField.Choice choice -> choice.options().keySet().iterator().next();
            });
        }
        return values;
    }

    private static String cut(String text, int most) {
        return text.substring(0, Math.min(most, text.length()));
    }

    @ParameterizedTest
    @MethodSource("templates")
    void filledTheyAreSoundAndEveryValueIsFound(Path file, @TempDir Path folder) throws Exception {
        CompiledTemplate template = TemplateCompiler.compile(Files.readAllBytes(file));
        Map<String, String> values = values(template);
        Map<String, String> shown = FieldValues.checked(template, values);
        Path filled = Files.write(folder.resolve("filled.pdf"), Fill.fill(template, shown));
        assertThat(Files.size(filled)).as("smaller than the template").isLessThan(Files.size(file));
        assumeTrue(Files.exists(Path.of("/usr/bin/pdftotext")) && Files.exists(Path.of("/usr/bin/qpdf")), "skipped: poppler-utils and qpdf are not here");
        assertThat(Programs.run("qpdf", "--check", filled.toString())).contains("No syntax or stream encoding errors found");
        assertThat(Programs.run("pdfinfo", filled.toString())).contains("Tagged:          yes", "JavaScript:      no");
        String text = Programs.run("pdftotext", "-layout", filled.toString(), "-").replaceAll("\\s+", "");
        template.fields().forEach((name, field) -> {
            if (!(field instanceof FormField.Toggle) && shown.containsKey(name) && !(field instanceof FormField.Text comb && comb.comb())) {
                assertThat(text).as(name).contains(shown.get(name).replaceAll("\\s+", ""));
            }
        });
        String structure = Programs.run("pdfinfo", "-struct-text", filled.toString());
        assertThat(structure).as("the value is where the field was in the structure").contains("Form").contains(shown.get("caseTitle"));
    }

    /** Archives take PDF/A; validated by the reference implementation. */
    @ParameterizedTest
    @MethodSource("templates")
    void filledInAnyScriptTheyArePdfA(Path file) throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf")), "skipped: fonts-noto-core is not here");
        assumeTrue(Files.exists(Path.of("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf")), "skipped: fonts-droid-fallback is not here");
        CompiledTemplate template = TemplateCompiler.compile(Files.readAllBytes(file));
        Map<String, String> values = values(template);
        String[] scripts = {"شركة الرافعات", "क्षतिपूर्ति", "仲裁申请书", "המחיר", "Ελλάδα ё", "e\u0301 ✓"};
        int number = 0;
        for (FormField field : template.fields().values()) {
            if (field instanceof FormField.Text text && text.date().isEmpty()) {
                String script = scripts[number++ % scripts.length];
                values.put(field.name(), text.multiLine() ? (script + " more of it. ").repeat(number == 1 ? 600 : 8) : cut(script, text.maxLength().orElse(100)));
            }
        }
        values.put("caseTitle", "A title that is far too long for its field, ".repeat(6));
        byte[] filled = Fill.fill(template, FieldValues.checked(template, values));
        VeraGreenfieldFoundryProvider.initialise();
        for (byte[] pdf : List.of(Files.readAllBytes(file), filled)) {
            try (PDFAParser parser = Foundries.defaultInstance().createParser(new ByteArrayInputStream(pdf), PDFAFlavour.PDFA_2_B);
                    PDFAValidator validator = Foundries.defaultInstance().createValidator(PDFAFlavour.PDFA_2_B, false)) {
                assertThat(validator.validate(parser).getTestAssertions().stream().filter(one -> one.getStatus() == TestAssertion.Status.FAILED)
                        .map(one -> one.getRuleId() + " " + one.getMessage()).distinct()).isEmpty();
            }
        }
    }
}
