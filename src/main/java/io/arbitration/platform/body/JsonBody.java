package io.arbitration.platform.body;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import io.arbitration.platform.answer.Refusal;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a JSON body strictly (RFC 8259, I-JSON RFC 7493): valid UTF-8, no duplicate keys, no NUL, no lone surrogates,
 * nesting at most {@value #DEPTH_MAX}, numbers at most {@value #NUMBER_LENGTH_MAX} characters.
 */
public final class JsonBody {

    static final int DEPTH_MAX = 64;
    static final int NUMBER_LENGTH_MAX = 100;
    private static final int EXPONENT_MAX = 400;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX + 1)
                    .maxNumberLength(NUMBER_LENGTH_MAX)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(1000)
                    .build())
            .build();

    private JsonBody() {}

    /**
     * @throws Refusal 400 that says what is wrong and, inside the document, where
     */
    public static Object parse(Buffer body) {
        CharBuffer characters = decode(body);
        try (JsonParser parser = FACTORY.createParser(characters.array(), characters.arrayOffset(), characters.length())) {
            if (parser.nextToken() == null) {
                throw Refusal.badRequest("body: must be JSON");
            }
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw Refusal.badRequest("body: more than one JSON value");
            }
            return value;
        } catch (StreamConstraintsException bound) {
            // The depth was checked before: only the lengths of numbers and names are left.
            throw Refusal.badRequest("body: a number or name is too long");
        } catch (JsonProcessingException malformed) {
            throw Refusal.badRequest("body: not JSON at line %d, column %d".formatted(line(malformed), column(malformed)));
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static int line(JsonProcessingException e) {
        return e.getLocation() == null ? 1 : e.getLocation().getLineNr();
    }

    private static int column(JsonProcessingException e) {
        return e.getLocation() == null ? 1 : e.getLocation().getColumnNr();
    }

    private static CharBuffer decode(Buffer body) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body.getBytes()));
        } catch (CharacterCodingException invalid) {
            throw Refusal.badRequest("body: not valid UTF-8");
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> checked(parser, parser.getText());
            case VALUE_NUMBER_INT -> parser.getNumberValue();
            case VALUE_NUMBER_FLOAT -> decimal(parser);
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw new IllegalStateException("unexpected token " + token);
        };
    }

    private static JsonObject object(JsonParser parser) throws IOException {
        checkDepth(parser);
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = checked(parser, parser.currentName());
            if (members.containsKey(name)) {
                JsonLocation begin = parser.currentTokenLocation();
                // After the name and its two quotes.
                throw Refusal.badRequest("body: duplicate key at line %d, column %d".formatted(begin.getLineNr(), begin.getColumnNr() + name.length() + 2));
            }
            parser.nextToken();
            members.put(name, value(parser));
        }
        return new JsonObject(members);
    }

    private static JsonArray array(JsonParser parser) throws IOException {
        checkDepth(parser);
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(value(parser));
        }
        return new JsonArray(items);
    }

    private static void checkDepth(JsonParser parser) {
        if (parser.getParsingContext().getNestingDepth() > DEPTH_MAX) {
            throw Refusal.badRequest("body: nested deeper than %d levels".formatted(DEPTH_MAX));
        }
    }

    /** The decimal as written; expanding the exponent of a number beyond any real figure would cost memory. */
    private static BigDecimal decimal(JsonParser parser) throws IOException {
        BigDecimal number = parser.getDecimalValue();
        if (Math.abs((long) number.scale()) > EXPONENT_MAX) {
            throw Refusal.badRequest("%s: number out of range".formatted(place(parser)));
        }
        return number;
    }

    private static String checked(JsonParser parser, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                throw Refusal.badRequest("%s: must not contain the character NUL".formatted(place(parser)));
            }
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c) || i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw Refusal.badRequest("%s: not valid Unicode".formatted(place(parser)));
                }
                i++;
            }
        }
        return text;
    }

    private static String place(JsonParser parser) {
        String pointer = parser.getParsingContext().pathAsPointer().toString();
        String place = pointer.isEmpty() ? "body" : pointer.substring(1);
        return place.chars().allMatch(c -> c >= ' ' && c < 127) && place.length() <= 200 ? place : "body";
    }
}
