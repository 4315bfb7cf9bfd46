package io.arbitration.emails;

import io.arbitration.platform.answer.Refusal;
import io.pebbletemplates.pebble.error.PebbleException;
import io.pebbletemplates.pebble.template.PebbleTemplate;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A template: subject, HTML and text over the variables that it declares. Thread-safe.
 *
 * @param variables by name
 */
record EmailTemplate(
        String name, Map<String, Variable> variables, PebbleTemplate subject, PebbleTemplate html, PebbleTemplate text) {

    /** @param example shown to authors of the template, and rendered at every start */
    record Variable(boolean required, Object example) {}

    /**
     * Fills the template; it takes processor time in proportion to the size of the text, so do not call it on an event loop.
     *
     * @param subjectGiven instead of its own subject
     * @throws Refusal 400 for undeclared or missing values, and for values that make its subject longer than a line
     */
    RenderedEmail render(JsonObject values, Optional<String> subjectGiven) {
        values.fieldNames().stream().filter(given -> !variables.containsKey(given)).findFirst().ifPresent(unknown -> {
            throw EmailsError.INVALID.refusal("data/" + shown(unknown), "is not a variable of the template " + name);
        });
        Map<String, Object> context = new HashMap<>();
        variables.forEach((variable, declared) -> {
            Object value = plain(values.getValue(variable));
            if (value == null && declared.required()) {
                throw EmailsError.INVALID.refusal("data/" + variable, "is required by the template " + name);
            }
            context.put(variable, value);
        });
        try {
            return fill(context, subjectGiven);
        } catch (PebbleException unfit) {
            throw EmailsError.INVALID.refusal("data", "does not fit the template %s: %s".formatted(name, unfit.getPebbleMessage()));
        }
    }

    /** The text of the template with these values, unchecked. */
    RenderedEmail fill(Map<String, Object> context, Optional<String> subjectGiven) {
        String line = subjectGiven.orElseGet(() -> evaluate(subject, context).strip());
        if (line.isEmpty() || line.codePointCount(0, line.length()) > NewEmail.SUBJECT_LENGTH_MAX) {
            throw EmailsError.INVALID.refusal("subject", "from 1 to %d characters".formatted(NewEmail.SUBJECT_LENGTH_MAX));
        }
        return new RenderedEmail(NewEmail.subject(line), evaluate(html, context), Optional.of(evaluate(text, context)));
    }

    private static String evaluate(PebbleTemplate template, Map<String, Object> context) {
        StringWriter out = new StringWriter();
        try {
            template.evaluate(out, context, Locale.ROOT);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return out.toString();
    }

    /** The error repeats names of the request only as far as they are readable. */
    private static String shown(String name) {
        return name.codePoints().limit(60).map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }

    /** Maps and lists, in which the template engine looks up names only by key. */
    private static Object plain(Object value) {
        return switch (value) {
            case JsonObject object -> {
                Map<String, Object> map = new HashMap<>();
                object.forEach(member -> map.put(member.getKey(), plain(member.getValue())));
                yield map;
            }
            case JsonArray array -> {
                List<Object> list = new java.util.ArrayList<>();
                array.forEach(item -> list.add(plain(item)));
                yield list;
            }
            case null, default -> value;
        };
    }
}
