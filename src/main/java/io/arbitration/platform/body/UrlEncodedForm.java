package io.arbitration.platform.body;

import io.arbitration.platform.answer.Refusal;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads a body of {@code application/x-www-form-urlencoded} (URL Standard, section 5.1) as an object of strings. */
public final class UrlEncodedForm {

    private static final int FIELDS_MAX = 100;

    private UrlEncodedForm() {}

    /** Refuses a repeated field and bytes that are no UTF-8, because two readers could interpret them differently. */
    public static JsonObject parse(Buffer bytes) {
        JsonObject form = new JsonObject();
        if (bytes.length() == 0) {
            return form;
        }
        String[] fields = text(bytes).split("&", FIELDS_MAX + 1);
        if (fields.length > FIELDS_MAX) {
            throw Refusal.badRequest("body: at most %d fields".formatted(FIELDS_MAX));
        }
        for (String field : fields) {
            int equals = field.indexOf('=');
            String name = decoded(equals < 0 ? field : field.substring(0, equals));
            String value = equals < 0 ? "" : decoded(field.substring(equals + 1));
            if (form.containsKey(name)) {
                throw Refusal.badRequest("body: a field is there twice");
            }
            if (!name.isEmpty()) {
                form.put(name, value);
            }
        }
        return form;
    }

    private static String text(Buffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.getBytes())).toString();
        } catch (CharacterCodingException broken) {
            throw Refusal.badRequest("body: is not UTF-8");
        }
    }

    private static String decoded(String text) {
        try {
            String decoded = URLDecoder.decode(text, StandardCharsets.UTF_8);
            if (decoded.indexOf('\0') >= 0 || decoded.indexOf('\uFFFD') >= 0) {
                throw Refusal.badRequest("body: a field is not text");
            }
            return decoded;
        } catch (IllegalArgumentException broken) {
            throw Refusal.badRequest("body: a field is not encoded as it should be");
        }
    }
}
