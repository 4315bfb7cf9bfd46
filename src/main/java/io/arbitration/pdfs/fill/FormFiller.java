package io.arbitration.pdfs.fill;

import io.arbitration.pdfs.template.CompiledTemplate;
import io.arbitration.pdfs.template.FormField;
import io.arbitration.pdfs.template.RefusedTemplate;
import io.arbitration.pdfs.template.TemplateCompiler;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A template ready to be filled by code of this process, as the operation fills it; CPU-bound. Safe for threads. */
public final class FormFiller {

    private final CompiledTemplate template;

    private FormFiller(CompiledTemplate template) {
        this.template = template;
    }

    /** @throws IllegalArgumentException when the PDF is no template */
    public static FormFiller of(byte[] pdf) {
        try {
            return new FormFiller(TemplateCompiler.compile(pdf));
        } catch (RefusedTemplate refused) {
            throw new IllegalArgumentException("the template " + refused.getMessage(), refused);
        }
    }

    /** Names of the placeholders of a type: text, date, checkbox, radio, choice. */
    public Set<String> placeholders(String type) {
        return template.fields().values().stream().filter(field -> field.type().equals(type)).map(FormField::name)
                .collect(Collectors.toCollection(java.util.LinkedHashSet::new));
    }

    public int pages() {
        return template.sheets().size();
    }

    /**
     * @return the PDF
     * @throws io.arbitration.platform.answer.Refusal for values that the template does not accept
     */
    public byte[] fill(Map<String, String> values) {
        return Fill.fill(template, FieldValues.checked(template, values));
    }
}
