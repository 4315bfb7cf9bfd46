package io.arbitration.platform.body;

import io.arbitration.platform.answer.Refusal;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The schema of a request body, compiled once from the contract into rules. The check ends at the first violation, so a body with a million
 * wrong entries takes no longer than one of them. The refusal has the form {@code field: what is wrong}, and names the bound.
 *
 * <p>Supports the keywords of JSON Schema 2020-12 that the contracts use, and fails to compile any other, so that every keyword of a
 * contract is checked. Lengths count code points.
 *
 * <p>An optional member that is null is removed from the body, as if it were absent, unless the keyword {@code x-null} of its schema says
 * what null means. A required member that is null counts as missing.
 */
public final class BodySchema {

    /** The keyword that says what null means for a member, if it does not mean that the member is absent. */
    private static final String NULL_MEANING = "x-null";
    private static final String NULL = "null";
    /**
     * The keyword with the sentence for an object that has fewer members than {@code minProperties}; {@code <member>: <what is wrong>}
     * names one member.
     */
    private static final String CHOICE = "x-choice";
    /**
     * The keyword for an enumeration of answers to which a later version may add values. In a request it allows the values of this version
     * only.
     */
    private static final String EXTENSIBLE = "x-extensible";

    /** Keywords without a rule. */
    private static final Set<String> ANNOTATIONS =
            Set.of("description", "title", "default", "example", "examples", "deprecated", "readOnly", "writeOnly", "$comment", NULL_MEANING, EXTENSIBLE, CHOICE);

    /** One keyword, ready to be checked. */
    private interface Rule {
        void check(Object value, Place place);
    }

    private final List<Rule> rules = new ArrayList<>();

    /**
     * @param schema a schema without references
     * @throws IllegalStateException for a keyword, type or format that is not known here
     */
    public BodySchema(JsonObject schema) {
        // The type is checked first, because the other keywords ignore values of other types.
        if (schema.containsKey("type")) {
            rules.add(type(schema.getValue("type")));
        }
        schema.forEach(keyword -> rule(keyword.getKey(), keyword.getValue()));
        members(schema);
        if (schema.containsKey("minProperties")) {
            // Checked after the members, because a member that is null does not count.
            rules.add(size("minProperties", whole(schema.getValue("minProperties")), schema.getString(CHOICE)));
        }
    }

    /**
     * Checks a body, and removes the optional members that are null.
     *
     * @throws Refusal 400 for the first violation
     */
    public void check(Object body) {
        check(body, Place.BODY);
    }

    private void check(Object value, Place place) {
        for (Rule rule : rules) {
            rule.check(value, place);
        }
    }

    private void rule(String keyword, Object bound) {
        switch (keyword) {
            case "type", "properties", "required", "additionalProperties", "minProperties" -> { }
            case "minLength", "maxLength" -> rules.add(length(keyword, whole(bound)));
            case "pattern" -> rules.add(pattern((String) bound));
            case "format" -> {
                // The format of a number says how many bits a client needs, and is no bound.
                if (!bound.equals("int64")) {
                    rules.add(format((String) bound));
                }
            }
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum" -> rules.add(bound(keyword, decimal((Number) bound)));
            case "enum" -> rules.add(oneOf(((JsonArray) bound).stream().toList()));
            case "const" -> rules.add(oneOf(List.of(bound)));
            case "minItems", "maxItems" -> rules.add(items(keyword, whole(bound)));
            case "uniqueItems" -> rules.add(unique((Boolean) bound));
            case "items" -> rules.add(each(new BodySchema((JsonObject) bound)));
            case "maxProperties" -> rules.add(size(keyword, whole(bound), null));
            case "propertyNames" -> rules.add(names(new BodySchema((JsonObject) bound)));
            case "oneOf" -> rules.add(unlessNull((JsonArray) bound));
            case "allOf" -> ((JsonArray) bound).forEach(part -> rules.add(new BodySchema((JsonObject) part)::check));
            default -> {
                if (!ANNOTATIONS.contains(keyword)) {
                    throw new IllegalStateException("a request body uses the keyword %s, which is not checked".formatted(keyword));
                }
            }
        }
    }

    /** One schema or null, the form of a contract for a named schema that may be null. */
    private static Rule unlessNull(JsonArray choices) {
        List<JsonObject> schemas = choices.stream().map(JsonObject.class::cast).filter(choice -> !NULL.equals(choice.getValue("type"))).toList();
        if (schemas.size() != 1 || choices.size() != 2) {
            throw new IllegalStateException("a request body uses oneOf for more than a schema or null, which is not checked");
        }
        BodySchema given = new BodySchema(schemas.getFirst());
        return (value, place) -> {
            if (value != null) {
                given.check(value, place);
            }
        };
    }

    private static boolean takesNull(JsonObject schema) {
        boolean anyType = !schema.containsKey("type") && !schema.containsKey("oneOf") && !schema.containsKey("enum") && !schema.containsKey("const");
        return anyType || NULL.equals(schema.getValue("type"))
                || schema.getValue("type") instanceof JsonArray types && types.contains(NULL)
                || schema.getJsonArray("oneOf", new JsonArray()).stream().anyMatch(choice -> takesNull((JsonObject) choice));
    }

    private static int whole(Object bound) {
        return ((Number) bound).intValue();
    }

    private static Refusal wrong(Place place, String what) {
        return Refusal.badRequest(place + ": " + what);
    }

    private static Rule type(Object declared) {
        List<Kind> kinds = declared instanceof JsonArray several
                ? several.stream().map(name -> Kind.of((String) name)).toList()
                : List.of(Kind.of((String) declared));
        String sentence = "must be " + kinds.stream().map(kind -> kind.words).collect(Collectors.joining(" or "));
        return (value, place) -> {
            for (Kind kind : kinds) {
                if (kind.fits(value)) {
                    return;
                }
            }
            throw wrong(place, sentence);
        };
    }

    private enum Kind {
        STRING("a string"), INTEGER("a whole number"), NUMBER("a number"), BOOLEAN("true or false"), OBJECT("an object"),
        ARRAY("an array"), NULL("null");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        static Kind of(String name) {
            return valueOf(name.toUpperCase(java.util.Locale.ROOT));
        }

        boolean fits(Object value) {
            return switch (this) {
                case STRING -> value instanceof String;
                // 1.0 and 1e2 are whole numbers (JSON Schema, section 4.2.3).
                case INTEGER -> value instanceof Number number
                        && (!(number instanceof BigDecimal written) || written.signum() == 0 || written.stripTrailingZeros().scale() <= 0);
                case NUMBER -> value instanceof Number;
                case BOOLEAN -> value instanceof Boolean;
                case OBJECT -> value instanceof JsonObject;
                case ARRAY -> value instanceof JsonArray;
                case NULL -> value == null;
            };
        }
    }

    private static Rule length(String keyword, int bound) {
        boolean most = keyword.equals("maxLength");
        String sentence = "%s %d character%s".formatted(most ? "at most" : "at least", bound, bound == 1 ? "" : "s");
        return (value, place) -> {
            if (value instanceof String text) {
                // A code point has one or two chars, so the number of chars mostly suffices, without counting code points.
                int units = text.length();
                boolean counted = most ? units > bound : units < 2L * bound;
                int length = counted ? text.codePointCount(0, units) : units;
                if (most ? length > bound : length < bound) {
                    throw wrong(place, sentence);
                }
            }
        };
    }

    private static Rule pattern(String pattern) {
        // In ECMA-262, $ at the end matches only the end of the text; in Java also before a final line break.
        boolean toTheEnd = pattern.endsWith("$") && !pattern.endsWith("\\$");
        Pattern compiled = Pattern.compile(toTheEnd ? pattern.substring(0, pattern.length() - 1) + "\\z" : pattern);
        return (value, place) -> {
            if (value instanceof String text && !compiled.matcher(text).find()) {
                throw wrong(place, "must match " + pattern);
            }
        };
    }

    private static Rule format(String name) {
        TextFormat format = TextFormat.of(name);
        return (value, place) -> {
            if (value instanceof String text && !format.fits(text)) {
                throw wrong(place, "must be " + format.words());
            }
        };
    }

    private static Rule bound(String keyword, BigDecimal bound) {
        String words = switch (keyword) {
            case "minimum" -> "at least ";
            case "maximum" -> "at most ";
            case "exclusiveMinimum" -> "more than ";
            default -> "less than ";
        };
        String sentence = words + bound.toPlainString();
        return (value, place) -> {
            if (value instanceof Number number) {
                int order = decimal(number).compareTo(bound);
                boolean fits = switch (keyword) {
                    case "minimum" -> order >= 0;
                    case "maximum" -> order <= 0;
                    case "exclusiveMinimum" -> order > 0;
                    default -> order < 0;
                };
                if (!fits) {
                    throw wrong(place, sentence);
                }
            }
        };
    }

    private static Rule oneOf(List<Object> allowed) {
        String sentence = (allowed.size() == 1 ? "must be " : "must be one of ")
                + allowed.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (value, place) -> {
            for (Object one : allowed) {
                if (same(one, value)) {
                    return;
                }
            }
            throw wrong(place, sentence);
        };
    }

    private static boolean same(Object one, Object other) {
        return one instanceof Number a && other instanceof Number b
                ? decimal(a).compareTo(decimal(b)) == 0
                : java.util.Objects.equals(one, other);
    }

    private static BigDecimal decimal(Number number) {
        return number instanceof BigDecimal written ? written : new BigDecimal(number.toString());
    }

    private static Rule items(String keyword, int bound) {
        boolean most = keyword.equals("maxItems");
        String sentence = "%s %d entr%s".formatted(most ? "at most" : "at least", bound, bound == 1 ? "y" : "ies");
        return (value, place) -> {
            if (value instanceof JsonArray array && (most ? array.size() > bound : array.size() < bound)) {
                throw wrong(place, sentence);
            }
        };
    }

    private static Rule unique(boolean asked) {
        return (value, place) -> {
            if (asked && value instanceof JsonArray array) {
                Set<Object> seen = new HashSet<>();
                for (int i = 0; i < array.size(); i++) {
                    Object item = array.getValue(i);
                    if (!seen.add(item instanceof Number number ? decimal(number).stripTrailingZeros() : item)) {
                        throw wrong(place, "entries must not repeat");
                    }
                }
            }
        };
    }

    private static Rule each(BodySchema item) {
        return (value, place) -> {
            if (value instanceof JsonArray array) {
                for (int i = 0; i < array.size(); i++) {
                    item.check(array.getValue(i), place.item(i));
                }
            }
        };
    }

    private static Rule size(String keyword, int bound, String choice) {
        boolean most = keyword.equals("maxProperties");
        String sentence = choice != null ? choice : "%s %d member%s".formatted(most ? "at most" : "at least", bound, bound == 1 ? "" : "s");
        int colon = sentence.indexOf(": ");
        return (value, place) -> {
            if (value instanceof JsonObject object && (most ? object.size() > bound : object.size() < bound)) {
                throw colon < 0 ? wrong(place, sentence) : wrong(place.member(sentence.substring(0, colon)), sentence.substring(colon + 2));
            }
        };
    }

    private static Rule names(BodySchema name) {
        return (value, place) -> {
            if (value instanceof JsonObject object) {
                object.fieldNames().forEach(member -> name.check(member, place.member(member)));
            }
        };
    }

    /** A member that the schema describes. */
    private record Member(BodySchema schema, boolean required, boolean nullIsAValue) {

        static Member of(JsonObject schema, boolean required) {
            boolean nullIsAValue = takesNull(schema) && (required || schema.containsKey(NULL_MEANING));
            return new Member(new BodySchema(nullIsAValue ? schema : withoutNull(schema)), required, nullIsAValue);
        }

        /** If null was never allowed here, a violation does not offer it. */
        private static JsonObject withoutNull(JsonObject schema) {
            return schema.getValue("type") instanceof JsonArray types
                    ? schema.copy().put("type", new JsonArray(types.stream().filter(type -> !NULL.equals(type)).toList())) : schema;
        }

        boolean isMissing(JsonObject object, String name) {
            return required && (nullIsAValue ? !object.containsKey(name) : object.getValue(name) == null);
        }

        void check(JsonObject object, String name, Place place) {
            Object value = object.getValue(name);
            if (value != null || nullIsAValue && object.containsKey(name)) {
                schema.check(value, place.member(name));
            } else {
                object.remove(name);
            }
        }
    }

    /** Adds the rules for the members of an object: which are required, which are allowed, and the schema of each. */
    private void members(JsonObject schema) {
        List<String> required = schema.getJsonArray("required", new JsonArray()).stream().map(String.class::cast).toList();
        JsonObject described = schema.getJsonObject("properties", new JsonObject());
        Map<String, Member> known = new LinkedHashMap<>();
        required.forEach(name -> known.put(name, Member.of(described.getJsonObject(name, new JsonObject()), true)));
        described.forEach(member -> known.computeIfAbsent(member.getKey(), name -> Member.of((JsonObject) member.getValue(), false)));
        Rule others = switch (schema.getValue("additionalProperties", true)) {
            case JsonObject each -> eachOther(known, Member.of(each, false));
            case Boolean allowed when allowed -> null;
            default -> (value, place) -> {
                ((JsonObject) value).fieldNames().stream().filter(name -> !known.containsKey(name)).findFirst().ifPresent(name -> {
                    throw wrong(place.member(name), "is not allowed");
                });
            };
        };
        if (!known.isEmpty() || others != null) {
            rules.add((value, place) -> {
                if (value instanceof JsonObject object) {
                    known.forEach((name, member) -> {
                        if (member.isMissing(object, name)) {
                            throw wrong(place.member(name), "is required");
                        }
                    });
                    known.forEach((name, member) -> member.check(object, name, place));
                    if (others != null) {
                        others.check(object, place);
                    }
                }
            });
        }
    }

    private static Rule eachOther(Map<String, Member> known, Member other) {
        return (value, place) -> {
            JsonObject object = (JsonObject) value;
            List.copyOf(object.fieldNames()).stream().filter(name -> !known.containsKey(name)).forEach(name -> other.check(object, name, place));
        };
    }
}
