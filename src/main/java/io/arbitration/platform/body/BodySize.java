package io.arbitration.platform.body;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;

/** Computes the size of the largest JSON body that a schema allows, so that an operation with short texts accepts no megabytes. */
public final class BodySize {

    /** The size of a value that the schema does not bound. */
    public static final long UNBOUNDED = Long.MAX_VALUE;
    /** Two escapes of six characters stand for one code point beyond the first plane (RFC 8259, section 7). */
    private static final int CHARACTER_BYTES_MAX = 12;
    private static final int LITERAL_BYTES_MAX = 5;
    /** Quotes, colon and comma of a member. */
    private static final int MEMBER_BYTES = 4;
    /** Allowed in addition, for white space and for unknown members, which are ignored. */
    private static final int SPARE_BYTES = 1024;
    private static final int SPARE_PARTS = 4;
    /**
     * The bound of a text without {@code maxLength}, which is always an id. Up to this length, a text that is no id gets the answer for an
     * unknown id.
     */
    private static final int ID_BYTES_MAX = 65_536;
    private static final int UUID_CHARACTERS = 36;
    private static final int TIME_CHARACTERS_MAX = 40;

    private BodySize() {}

    /** The bytes of the largest body, with a margin for white space; {@link #UNBOUNDED} if the schema sets no bound. */
    public static long most(JsonObject schema) {
        long needed = value(schema);
        return needed == UNBOUNDED ? UNBOUNDED : plus(plus(needed, needed / SPARE_PARTS), SPARE_BYTES);
    }

    private static long value(JsonObject schema) {
        if (schema.containsKey("const")) {
            return literal(schema.getValue("const"));
        }
        if (schema.containsKey("enum")) {
            return schema.getJsonArray("enum").stream().mapToLong(BodySize::literal).max().orElse(0);
        }
        if (schema.containsKey("oneOf")) {
            return schema.getJsonArray("oneOf").stream().mapToLong(choice -> value((JsonObject) choice)).max().orElse(UNBOUNDED);
        }
        Stream<String> types = switch (schema.getValue("type")) {
            case JsonArray several -> several.stream().map(String.class::cast);
            case String one -> Stream.of(one);
            case null, default -> Stream.of(schema.containsKey("properties") ? "object" : schema.containsKey("allOf") ? "null" : "");
        };
        long own = types.mapToLong(type -> ofType(type, schema)).max().orElse(UNBOUNDED);
        for (Object part : schema.getJsonArray("allOf", new JsonArray())) {
            own = plus(own, value((JsonObject) part));
        }
        return own;
    }

    private static long literal(Object value) {
        return literalOf(String.valueOf(value).length());
    }

    private static long literalOf(int characters) {
        return 2 + (long) CHARACTER_BYTES_MAX * characters;
    }

    private static long ofType(String type, JsonObject schema) {
        return switch (type) {
            case "string" -> text(schema);
            case "integer", "number" -> JsonBody.NUMBER_LENGTH_MAX;
            case "boolean", "null" -> LITERAL_BYTES_MAX;
            case "array" -> items(schema);
            case "object" -> members(schema);
            default -> UNBOUNDED;
        };
    }

    private static long items(JsonObject schema) {
        JsonObject item = schema.getJsonObject("items", new JsonObject());
        // Each value occurs at most once.
        boolean choices = schema.getBoolean("uniqueItems", false) && item.containsKey("enum");
        return item.isEmpty() || !choices && !schema.containsKey("maxItems") ? UNBOUNDED
                : plus(2, times(choices ? item.getJsonArray("enum").size() : schema.getInteger("maxItems"), plus(1, value(item))));
    }

    private static long text(JsonObject schema) {
        if (schema.containsKey("maxLength")) {
            return plus(2, times(CHARACTER_BYTES_MAX, schema.getInteger("maxLength")));
        }
        return switch (schema.getString("format", "")) {
            case "uuid" -> literalOf(UUID_CHARACTERS);
            case "date-time" -> literalOf(TIME_CHARACTERS_MAX);
            default -> ID_BYTES_MAX;
        };
    }

    private static long members(JsonObject schema) {
        long bytes = 2;
        JsonObject known = schema.getJsonObject("properties", new JsonObject());
        for (String name : known.fieldNames()) {
            bytes = plus(bytes, plus((long) CHARACTER_BYTES_MAX * name.length() + MEMBER_BYTES, value(known.getJsonObject(name))));
        }
        if (schema.getValue("additionalProperties") instanceof JsonObject others) {
            long name = schema.containsKey("propertyNames") ? value(schema.getJsonObject("propertyNames").copy().put("type", "string")) : UNBOUNDED;
            return schema.containsKey("maxProperties")
                    ? plus(bytes, times(schema.getInteger("maxProperties"), plus(MEMBER_BYTES, plus(name, value(others))))) : UNBOUNDED;
        }
        // Unknown members are ignored; an object whose schema has no members may have any.
        return known.isEmpty() && !Boolean.FALSE.equals(schema.getValue("additionalProperties")) ? UNBOUNDED : bytes;
    }

    private static long plus(long one, long other) {
        return one == UNBOUNDED || other == UNBOUNDED || one > UNBOUNDED - other ? UNBOUNDED : one + other;
    }

    private static long times(long count, long bytes) {
        return count == 0 || bytes == 0 ? 0 : bytes == UNBOUNDED || bytes > UNBOUNDED / count ? UNBOUNDED : count * bytes;
    }
}
