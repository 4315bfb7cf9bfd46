package io.arbitration.guides;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares what a page shows with what was printed. What is made anew each time (ids, times, hashes, tokens) stands for any of its
 * kind; an id that the page shows twice has to be the same both times. {@code …} stands for anything within a line or a string, a
 * line of it for any lines, a member or last element of it for any more.
 */
final class ShownAnswer {

    private static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    private static final List<String> KINDS = List.of(
            UUID,
            "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z",
            "(?!0{64})[0-9a-f]{64}",
            "eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+",
            "whsec_[A-Za-z0-9+/]+=*",
            "v1,[A-Za-z0-9+/]+=*",
            "[0-9]{4}-[0-9]{2}-[0-9]{2}",
            "…");
    private static final Pattern VARYING = Pattern.compile(String.join("|", KINDS.stream().map(kind -> "(" + kind + ")").toList()));
    private static final String MORE = "…";

    /** Ids as the page shows them, and what they were. */
    private final Map<String, String> ids = new HashMap<>();

    /** What does not fit; empty when all does. */
    Optional<String> json(String shown, String printed) {
        try {
            List<JsonNode> expected = values(shown);
            List<JsonNode> actual;
            try {
                actual = values(printed);
            } catch (IOException notJson) {
                return Optional.of("no JSON was printed: " + printed);
            }
            if (expected.size() != actual.size()) {
                return Optional.of("%d values are shown, %d were printed: %s".formatted(expected.size(), actual.size(), printed));
            }
            for (int i = 0; i < expected.size(); i++) {
                Optional<String> difference = difference("", expected.get(i), actual.get(i));
                if (difference.isPresent()) {
                    return difference.map(told -> told + "\nprinted: " + printed);
                }
            }
            return Optional.empty();
        } catch (IOException broken) {
            return Optional.of("what is shown is no JSON: " + broken.getMessage());
        }
    }

    static List<JsonNode> values(String text) throws IOException {
        try (MappingIterator<JsonNode> values = new JsonMapper().readerFor(JsonNode.class).readValues(text)) {
            return values.readAll();
        }
    }

    private Optional<String> difference(String path, JsonNode shown, JsonNode printed) {
        if (shown.isTextual() && printed.isTextual()) {
            // Numbers of entries and filings are texts, and differ with what happened before.
            boolean fits = shown.asText().matches("[0-9]+") ? printed.asText().matches("[0-9]+") : fits(shown.asText(), printed.asText());
            return fits ? Optional.empty() : told(path, shown, printed);
        }
        if (shown.isObject() && printed.isObject()) {
            TreeSet<String> names = new TreeSet<>();
            shown.fieldNames().forEachRemaining(names::add);
            boolean more = names.remove(MORE);
            TreeSet<String> printedNames = new TreeSet<>();
            printed.fieldNames().forEachRemaining(printedNames::add);
            if (more ? !printedNames.containsAll(names) : !printedNames.equals(names)) {
                return Optional.of("%s: shown are the members %s, printed were %s".formatted(path, names, printedNames));
            }
            return names.stream().map(name -> difference(path + "." + name, shown.get(name), printed.get(name))).flatMap(Optional::stream).findFirst();
        }
        if (shown.isArray() && printed.isArray()) {
            boolean more = !shown.isEmpty() && shown.get(shown.size() - 1).asText().equals(MORE);
            int size = more ? shown.size() - 1 : shown.size();
            if (more ? printed.size() < size : printed.size() != size) {
                return told(path, shown, printed);
            }
            List<Optional<String>> found = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                found.add(difference(path + "[" + i + "]", shown.get(i), printed.get(i)));
            }
            return found.stream().flatMap(Optional::stream).findFirst();
        }
        return shown.equals(printed) ? Optional.empty() : told(path, shown, printed);
    }

    private static Optional<String> told(String path, JsonNode shown, JsonNode printed) {
        return Optional.of("%s: shown is %s, printed was %s".formatted(path, shown, printed));
    }

    /** Whether all that was printed is what is shown. */
    boolean lines(String shown, String printed) {
        return match(linesPattern(shown), printed.strip(), true);
    }

    /** Whether what is shown is somewhere in what was printed until now. */
    boolean linesWithin(String shown, String printed) {
        return match(linesPattern(shown), printed, false);
    }

    private boolean fits(String shown, String printed) {
        return match(pattern(shown), printed, true);
    }

    private record Expected(Pattern pattern, Map<String, Integer> groups) {}

    private boolean match(Expected expected, String printed, boolean whole) {
        Matcher matcher = expected.pattern.matcher(printed);
        if (whole ? !matcher.matches() : !matcher.find()) {
            return false;
        }
        expected.groups.forEach((id, group) -> ids.put(id, matcher.group(group)));
        return true;
    }

    private Expected linesPattern(String shown) {
        StringBuilder expression = new StringBuilder();
        Map<String, Integer> groups = new HashMap<>();
        List<String> lines = shown.strip().lines().map(String::stripTrailing).toList();
        for (int i = 0; i < lines.size(); i++) {
            boolean last = i == lines.size() - 1;
            if (lines.get(i).equals(MORE)) {
                expression.append(last ? "(?:.*\\R?)*" : "(?:.*\\R)*?");
            } else {
                append(expression, groups, lines.get(i));
                expression.append(last ? "[ \\t]*" : "[ \\t]*\\R");
            }
        }
        return new Expected(Pattern.compile(expression.toString()), groups);
    }

    private Expected pattern(String shown) {
        StringBuilder expression = new StringBuilder();
        Map<String, Integer> groups = new HashMap<>();
        append(expression, groups, shown);
        return new Expected(Pattern.compile(expression.toString(), Pattern.DOTALL), groups);
    }

    private void append(StringBuilder expression, Map<String, Integer> groups, String shown) {
        Matcher varying = VARYING.matcher(shown);
        int end = 0;
        while (varying.find()) {
            expression.append(Pattern.quote(shown.substring(end, varying.start())));
            end = varying.end();
            String value = varying.group();
            if (value.equals(MORE)) {
                expression.append(".*?");
            } else if (varying.group(1) == null) {
                expression.append("(?:").append(kind(varying)).append(')');
            } else if (ids.containsKey(value)) {
                expression.append(Pattern.quote(ids.get(value)));
            } else if (groups.containsKey(value)) {
                expression.append('\\').append(groups.get(value)).append("(?:)");
            } else {
                groups.put(value, groups.size() + 1);
                expression.append('(').append(UUID).append(')');
            }
        }
        expression.append(Pattern.quote(shown.substring(end)));
    }

    private static String kind(Matcher varying) {
        for (int i = 0; i < KINDS.size(); i++) {
            if (varying.group(i + 1) != null) {
                return KINDS.get(i);
            }
        }
        throw new IllegalStateException(varying.group());
    }
}
