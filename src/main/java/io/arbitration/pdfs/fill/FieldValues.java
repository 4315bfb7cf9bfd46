package io.arbitration.pdfs.fill;

import io.arbitration.pdfs.template.CompiledTemplate;
import io.arbitration.pdfs.template.FormField;
import io.arbitration.platform.answer.Refusal;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The values given for a template, checked against its fields, as they are to be shown. */
public final class FieldValues {

    /** All values together. */
    public static final int CHARACTERS_MAX = 200_000;
    private static final Set<String> YES = Set.of("true", "yes");
    private static final Set<String> NO = Set.of("", "false", "no", "off");
    private static final int OPTIONS_NAMED = 10;

    private FieldValues() {}

    /**
     * @return what each field shows, for a button the state that is on; fields that show nothing are omitted
     * @throws io.arbitration.platform.answer.Refusal for placeholders that the template does not have, and for values that a
     * field cannot show
     */
    public static Map<String, String> checked(CompiledTemplate template, Map<String, String> given) {
        List<String> unknown = given.keySet().stream().filter(name -> !template.fields().containsKey(name)).toList();
        if (!unknown.isEmpty()) {
            throw FillError.UNKNOWN_PLACEHOLDERS.refusal(String.join(", ", unknown));
        }
        if (characters(given) > CHARACTERS_MAX) {
            throw Refusal.badRequest("placeholders: at most %d characters in all values together".formatted(CHARACTERS_MAX));
        }
        Map<String, String> shown = new LinkedHashMap<>();
        for (FormField field : template.fields().values()) {
            String value = given.get(field.name());
            String text = value == null ? initial(field) : shown(field, plain(field.name(), value));
            if (!text.isEmpty()) {
                shown.put(field.name(), text);
            }
        }
        return shown;
    }

    /** Characters of all values. */
    public static long characters(Map<String, String> given) {
        return given.values().stream().mapToLong(String::length).sum();
    }

    private static Refusal wrong(String name, String what) {
        return Refusal.badRequest("placeholders/%s: %s".formatted(name, what));
    }

    /** Line ends as one character, tabs as spaces; other control characters cannot be shown. */
    private static String plain(String name, String value) {
        boolean plain = true;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c >= 0x7f && c < 0xa0) {
                if (c != '\n' && c != '\r' && c != '\t' && c != 0x85) {
                    throw wrong(name, "must not contain the control character U+%04X".formatted((int) c));
                }
                plain = false;
            }
        }
        return plain ? value : value.replace("\r\n", "\n").replace('\r', '\n').replace('\u0085', '\n').replace("\t", "    ");
    }

    private static String initial(FormField field) {
        return switch (field) {
            case FormField.Text text -> text.multiLine() ? text.initial() : text.initial().replace('\n', ' ');
            case FormField.Choice choice -> choice.options().getOrDefault(choice.initial(), choice.initial());
            case FormField.Toggle toggle -> toggle.buttons().stream().anyMatch(button -> toggle.initial().equals(button.on())) ? toggle.initial() : "";
        };
    }

    private static String shown(FormField field, String value) {
        return switch (field) {
            case FormField.Text text -> text(text, value);
            case FormField.Choice choice -> choice(choice, value);
            case FormField.Toggle toggle -> state(toggle, value);
        };
    }

    private static String text(FormField.Text field, String value) {
        String line = field.multiLine() ? value : value.replace('\n', ' ');
        if (field.date().isPresent() && !line.isBlank()) {
            try {
                return field.date().get().format(LocalDate.parse(line.strip()));
            } catch (DateTimeParseException noDate) {
                throw wrong(field.name(), "must be a date, yyyy-MM-dd");
            }
        }
        if (field.maxLength().isPresent() && line.codePointCount(0, line.length()) > field.maxLength().getAsInt()) {
            throw wrong(field.name(), "at most %d characters".formatted(field.maxLength().getAsInt()));
        }
        return field.secret() ? "*".repeat(line.codePointCount(0, line.length())) : line;
    }

    private static String choice(FormField.Choice field, String value) {
        if (value.isEmpty()) {
            return "";
        }
        List<String> shown = new ArrayList<>();
        for (String one : field.several() ? value.split("\n") : new String[] {value}) {
            String option = field.options().get(one);
            if (option == null && !field.options().containsValue(one) && !field.open()) {
                throw wrong(field.name(), oneOf(field.options().keySet()));
            }
            shown.add(option == null ? one.replace('\n', ' ') : option);
        }
        return String.join("\n", shown);
    }

    private static String oneOf(Set<String> options) {
        String named = String.join(", ", options.stream().limit(OPTIONS_NAMED).toList());
        return "must be one of " + named + (options.size() > OPTIONS_NAMED ? ", …" : "");
    }

    /** The state with this name, with this export value, or, for a check box, for yes and no. */
    private static String state(FormField.Toggle field, String value) {
        Set<String> states = new TreeSet<>();
        field.buttons().stream().map(FormField.Button::on).filter(java.util.Objects::nonNull).forEach(states::add);
        if (states.contains(value)) {
            return value;
        }
        if (field.exports().containsKey(value)) {
            return field.exports().get(value);
        }
        String word = value.strip().toLowerCase(Locale.ROOT);
        if (NO.contains(word)) {
            return "";
        }
        if (!field.radio() && YES.contains(word)) {
            return field.buttons().stream().map(FormField.Button::on).filter(java.util.Objects::nonNull).findFirst().orElseThrow();
        }
        throw wrong(field.name(), oneOf(states));
    }
}
