package io.arbitration.platform.files;

import io.arbitration.platform.body.BodySchema;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Set;

/**
 * The schema of a form, from the contract: text fields, and one file, which is the property of {@code format: binary}.
 *
 * @param fields schema of the text fields as an object
 * @param fieldNames their names; parts of other names are ignored
 * @param file name of the file's part
 * @param fileBytesMax more is refused
 */
public record FormSchema(BodySchema fields, Set<String> fieldNames, String file, long fileBytesMax) {

    /** @param schema of the content {@code multipart/form-data}, without references */
    public static FormSchema of(JsonObject schema, long fileBytesMax) {
        JsonObject fields = schema.copy();
        JsonObject properties = fields.getJsonObject("properties");
        String file = properties.fieldNames().stream()
                .filter(name -> "binary".equals(properties.getJsonObject(name).getString("format")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a form without a file"));
        properties.remove(file);
        JsonArray required = fields.getJsonArray("required", new JsonArray());
        required.remove(file);
        return new FormSchema(new BodySchema(fields), Set.copyOf(properties.fieldNames()), file, fileBytesMax);
    }
}
