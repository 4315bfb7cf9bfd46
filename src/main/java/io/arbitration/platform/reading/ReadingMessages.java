package io.arbitration.platform.reading;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node and its {@link ReadingProcess} write to each other: a JSON object in one line. An object mapper would do the same, but loading it
 * takes a new process more processor time than checking a file does.
 */
final class ReadingMessages {

    private static final JsonFactory JSON = new JsonFactory();

    /**
     * The text of one page of a PDF.
     *
     * @param scanned whether the page is a picture and has no text
     */
    record PageText(String text, boolean scanned) {}

    /** Reads what members of a message mean. */
    private interface Meaning<T> {
        T of(Map<String, String> members);
    }

    /** Writes the members of a message. */
    private interface Members {
        void writeTo(JsonGenerator json) throws IOException;
    }

    private ReadingMessages() {}

    static String line(ReadingTask task) throws IOException {
        return line(json -> {
            json.writeStringField("kind", task.kind().name());
            json.writeStringField("file", task.file());
            json.writeStringField("contentType", task.contentType());
            json.writeStringField("filed", task.filed());
            json.writeStringField("folder", task.folder());
            json.writeNumberField("pagesMax", task.pagesMax());
            json.writeNumberField("charactersMax", task.charactersMax());
            json.writeBooleanField("pictures", task.pictures());
            json.writeNumberField("timeMillis", task.timeMillis());
        });
    }

    static ReadingTask task(String line) throws IOException {
        return read(line, members -> new ReadingTask(ReadingTask.Kind.valueOf(members.get("kind")), members.get("file"), members.get("contentType"), members.get("filed"),
                members.get("folder"), number(members, "pagesMax"), number(members, "charactersMax"), bool(members, "pictures"), Long.parseLong(members.get("timeMillis"))));
    }

    static String line(ReadingAnswer answer) throws IOException {
        return line(json -> {
            json.writeNumberField("pages", answer.pages());
            name(json, "fault", answer.fault());
            name(json, "remains", answer.remains());
            name(json, "unreadable", answer.unreadable());
            if (answer.covered() != null) {
                json.writeNumberField("page", answer.covered().page());
                json.writeNumberField("leftMillimetres", answer.covered().leftMillimetres());
                json.writeNumberField("topMillimetres", answer.covered().topMillimetres());
                json.writeBooleanField("black", answer.covered().black());
            }
        });
    }

    /** @throws IOException when it is no answer */
    static ReadingAnswer answer(String line) throws IOException {
        return read(line, members -> new ReadingAnswer(number(members, "pages"), value(PdfFault.class, members.get("fault")), covered(members),
                value(PdfRemains.class, members.get("remains")), value(Unreadable.Reason.class, members.get("unreadable"))));
    }

    private static CoveredText covered(Map<String, String> members) {
        return members.containsKey("page")
                ? new CoveredText(number(members, "page"), number(members, "leftMillimetres"), number(members, "topMillimetres"), bool(members, "black"))
                : null;
    }

    static void write(Path file, List<PageText> pages) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(file.toFile(), JsonEncoding.UTF8)) {
            json.writeStartArray();
            for (PageText page : pages) {
                json.writeStartObject();
                json.writeStringField("text", page.text());
                json.writeBooleanField("scanned", page.scanned());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
    }

    /** @throws IOException when the file holds no pages */
    static List<PageText> pages(Path file) throws IOException {
        List<PageText> pages = new ArrayList<>();
        try (JsonParser json = JSON.createParser(file.toFile())) {
            require(json.nextToken() == JsonToken.START_ARRAY);
            while (json.nextToken() != JsonToken.END_ARRAY) {
                pages.add(read(json, members -> new PageText(members.get("text"), bool(members, "scanned"))));
            }
        }
        return pages;
    }

    private static String line(Members members) throws IOException {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            members.writeTo(json);
            json.writeEndObject();
        }
        return line.toString();
    }

    private static <T> T read(String line, Meaning<T> meaning) throws IOException {
        try (JsonParser json = JSON.createParser(line)) {
            json.nextToken();
            T message = read(json, meaning);
            require(json.nextToken() == null);
            return message;
        }
    }

    /** The object at which the parser stands; a member that is null counts as not there. */
    private static <T> T read(JsonParser json, Meaning<T> meaning) throws IOException {
        require(json.currentToken() == JsonToken.START_OBJECT);
        Map<String, String> members = new HashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            require(value != null && value.isScalarValue());
            if (value != JsonToken.VALUE_NULL) {
                members.put(name, json.getText());
            }
        }
        require(json.currentToken() == JsonToken.END_OBJECT);
        try {
            return meaning.of(members);
        } catch (IllegalArgumentException wrong) {
            throw new IOException("a message with the members %s is none of a process that reads files".formatted(members.keySet()), wrong);
        }
    }

    private static void require(boolean expected) throws IOException {
        if (!expected) {
            throw new IOException("a message of a process that reads files is no JSON object of texts, numbers and booleans");
        }
    }

    private static void name(JsonGenerator json, String member, Enum<?> value) throws IOException {
        json.writeStringField(member, value == null ? null : value.name());
    }

    private static <E extends Enum<E>> E value(Class<E> type, String name) {
        return name == null ? null : Enum.valueOf(type, name);
    }

    private static int number(Map<String, String> members, String name) {
        return Integer.parseInt(members.get(name));
    }

    private static boolean bool(Map<String, String> members, String name) {
        return Boolean.parseBoolean(members.get(name));
    }
}
