package io.arbitration.platform.files;

import io.arbitration.platform.body.BodySchema;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Set;

/**
 * The schema of a form in the contract: text fields, and one file, which is the property with {@code format: binary}.
 *
 * @param fields schema of the object that has the text fields as members
 * @param fieldNames names of the text fields; parts with other names are ignored
 * @param file name of the part with the file
 * @param fileBytesMax a longer file is refused
 */
public record FormSchema(BodySchema fields, Set<String> fieldNames, String file, long fileBytesMax) {

    /** @param schema of the content {@code multipart/form-data}, in which all references are resolved */
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
