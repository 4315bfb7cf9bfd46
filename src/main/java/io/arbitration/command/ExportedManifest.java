package io.arbitration.command;

import io.arbitration.domain.export.ExportFormat;
import io.arbitration.platform.archive.ZipReader;
import io.arbitration.platform.archive.ZipReader.Member;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The list of the files of an export. Values that it repeats from the signed statement are compared with that. */
final class ExportedManifest {

    /** @param sha256 in hexadecimal digits */
    record Listed(long bytes, String sha256) {}

    private final Problems problems;
    private final Map<String, Listed> listed = new LinkedHashMap<>();
    private JsonObject json = new JsonObject();

    ExportedManifest(Problems problems) {
        this.problems = problems;
    }

    /** @param statement the signed statement; empty if the signature is not valid */
    void read(byte[] list, JsonObject statement) {
        try {
            json = Inputs.elements(new ByteArrayInputStream(list), "files", this::listedFile);
            if (!ExportFormat.READABLE.contains(String.valueOf(json.getValue("format")))) {
                problems.add("manifest.json: its format is %s, this program reads %s", json.getValue("format"), String.join(" and ", ExportFormat.READABLE));
            }
            for (String member : List.of("iss", "caseID", "exportedAt")) {
                agree(member, json.getValue(member), statement.getValue(member));
            }
            agree("exportedBy", json.getJsonObject("exportedBy").getValue("userID"), statement.getValue("userID"));
            agree("entries", String.valueOf(docket().getValue("entries")), String.valueOf(statement.getValue("entries")));
            agree("headHash", docket().getValue("headHash"), statement.getValue("headHash"));
        } catch (IOException | CommandFailure | ClassCastException | NullPointerException malformed) {
            problems.add("manifest.json: is not the list of an export");
        }
    }

    private void listedFile(JsonObject line) {
        Listed before = listed.put(line.getString("path"), new Listed(line.getLong("bytes"), line.getString("sha256")));
        if (before != null) {
            problems.add("manifest.json: lists %s twice", Problems.shown(line.getString("path")));
        }
    }

    /** The files by their paths, in the order of the list. */
    Map<String, Listed> listed() {
        return listed;
    }

    Object value(String member) {
        return json.getValue(member);
    }

    /** Its values about the docket. */
    JsonObject docket() {
        return json.getValue("docket") instanceof JsonObject docket ? docket : new JsonObject();
    }

    private void agree(String what, Object inManifest, Object signed) {
        if (!Objects.equals(inManifest, signed)) {
            problems.add("altered: %s is %s in manifest.json, %s was signed", what, inManifest, signed);
        }
    }

    /** Compares all bytes before the manifest with the hash that the manifest states, including the bytes between the files. */
    void checkArchive(ZipReader zip, Member manifestFile) {
        JsonObject archive = json.getValue("archive") instanceof JsonObject stated ? stated : new JsonObject();
        boolean whole = same(archive, "bytes", manifestFile.offset());
        if (!zip.sha256().equals(archive.getValue("sha256")) || !whole) {
            problems.add("altered: the archive is not byte for byte the one that was signed");
        }
    }

    static boolean same(JsonObject object, String member, long value) {
        return object.getValue(member) instanceof Number number && number.longValue() == value;
    }
}
