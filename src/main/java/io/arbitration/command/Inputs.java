package io.arbitration.command;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the inputs of commands: files, standard input and addresses. A failure is a {@link CommandFailure} with one sentence. */
final class Inputs {

    private static final int BYTES_MAX = 16 << 20;
    private static final Duration ANSWER_WAIT = Duration.ofSeconds(20);
    /** Keeps numbers as written, without rounding, because the hashes cover this form. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final ObjectReader ELEMENT = JSON.readerFor(Map.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final ObjectReader VALUE = JSON.readerFor(Object.class).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Inputs() {}

    /** The text of a file; {@code -} is standard input. */
    static String text(String file) {
        try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
            byte[] bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw new CommandFailure("%s is larger than %d bytes".formatted(file, BYTES_MAX));
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException | java.nio.file.InvalidPathException unreadable) {
            throw new CommandFailure("cannot read %s: %s".formatted(file, unreadable.getMessage()));
        }
    }

    static JsonObject json(String file) {
        return json(text(file), file);
    }

    /** @param name what the text is, for the error message */
    static JsonObject json(String text, String name) {
        try {
            @SuppressWarnings("unchecked")
            Map<String, Object> object = JSON.readValue(text, Map.class);
            if (object == null) {
                throw new CommandFailure("%s is not a JSON object".formatted(name));
            }
            return new JsonObject(object);
        } catch (IOException malformed) {
            throw new CommandFailure("%s is not a JSON object: %s".formatted(name, malformed.getMessage().lines().findFirst().orElse("")));
        }
    }

    /**
     * Reads an object that has a long array as one of its members. Passes the elements of the array on one by one, without holding
     * them all.
     *
     * @param member name of the array
     * @return the other members
     * @throws IOException when the input cannot be read or is not JSON
     * @throws CommandFailure when the input is JSON of another form
     */
    static JsonObject elements(InputStream in, String member, Consumer<JsonObject> each) throws IOException {
        Map<String, Object> others = new LinkedHashMap<>();
        try (JsonParser json = JSON.createParser(in)) {
            boolean isObject = json.nextToken() == JsonToken.START_OBJECT;
            while (isObject && json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                if (json.nextToken() == JsonToken.START_ARRAY && name.equals(member)) {
                    while (json.nextToken() == JsonToken.START_OBJECT) {
                        Map<String, Object> element = ELEMENT.readValue(json);
                        each.accept(new JsonObject(element));
                    }
                } else {
                    others.put(name, VALUE.readValue(json));
                }
            }
            if (!isObject || json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
                throw new CommandFailure("is not an object with an array of objects");
            }
        }
        return new JsonObject(others);
    }

    /** The JSON of a file, or of the answer of an address. */
    static JsonObject jsonAt(String place) {
        return place.startsWith("https://") || place.startsWith("http://") ? json(answer(place), place) : json(place);
    }

    private static String answer(String url) {
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(ANSWER_WAIT).build()) {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER_WAIT).build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new CommandFailure("%s answered %d".formatted(url, response.statusCode()));
            }
            return response.body();
        } catch (IOException | IllegalArgumentException failed) {
            throw new CommandFailure("cannot read %s: %s".formatted(url, failed));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted at " + url);
        }
    }
}
