package io.arbitration.mainapi.files;

import io.arbitration.domain.FileId;
import io.arbitration.domain.filing.FiledFile;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** The files of a filing in a column, and in the form of the interface. */
public final class FiledFiles {

    private FiledFiles() {}

    /**
     * An SQL expression for the files of a filing, in order, in the form that {@link #read} parses; null if it has none.
     *
     * @param filingId the column with the ID of the filing
     */
    public static String column(String filingId) {
        return """
                (select json_agg(json_build_array(x.file_id, x.title, x.file_name, x.content_type, x.bytes, x.sha256, x.pages, x.address)
                  order by x.position)::text from mainapi.files x where x.filing_id = %s)""".formatted(filingId);
    }

    /** @param value of such a column */
    public static List<FiledFile> read(String value) {
        return value == null ? List.of() : new JsonArray(value).stream().map(file -> file((JsonArray) file)).toList();
    }

    private static FiledFile file(JsonArray row) {
        return new FiledFile(new FileId(row.getLong(0)), row.getString(1), row.getString(2), row.getString(3), row.getLong(4), row.getString(5),
                Optional.ofNullable(row.getInteger(6)), row.getString(7));
    }

    public static JsonArray json(List<FiledFile> files) {
        return new JsonArray(files.stream().map(FiledFiles::json).toList());
    }

    public static JsonObject json(FiledFile file) {
        return new JsonObject()
                .put("fileID", file.fileId().toString())
                .put("title", file.title())
                .put("fileName", file.fileName())
                .put("contentType", file.contentType())
                .put("bytes", file.bytes())
                .put("sha256", file.sha256())
                .put("pages", file.pages().orElse(null))
                .put("gsUrl", file.address());
    }
}
