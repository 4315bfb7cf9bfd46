package io.arbitration.mainapi.docket;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.arbitration.domain.Timestamps;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Docket entries as the UTF-8 of their JSON, comma separated, without the brackets around them: a longer docket is a
 * shorter one with more bytes behind it.
 */
record DocketListBody(byte[] entries) {

    static final DocketListBody EMPTY = new DocketListBody(new byte[0]);
    private static final byte[] HEAD = "{\"entries\":[".getBytes();
    private static final byte[] TAIL = "]}".getBytes();
    private static final int BYTES_PER_ENTRY = 448;
    private static final JsonFactory JSON = new JsonFactory();

    /** Rows with the columns of the docket list, in its order. */
    static DocketListBody of(List<Row> rows) {
        if (rows.isEmpty()) {
            return EMPTY;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(rows.size() * BYTES_PER_ENTRY);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.setRootValueSeparator(new com.fasterxml.jackson.core.io.SerializedString(","));
            for (Row row : rows) {
                write(json, row);
            }
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return new DocketListBody(out.toByteArray());
    }

    private static void write(JsonGenerator json, Row row) throws IOException {
        json.writeStartObject();
        json.writeStringField("entryID", String.valueOf(row.getLong(0)));
        json.writeStringField("enteredAt", Timestamps.text(row.getOffsetDateTime(1).toInstant()));
        json.writeStringField("userID", row.getUUID(2).toString());
        if (row.getUUID(3) == null) {
            json.writeNullField("organizationID");
        } else {
            json.writeStringField("organizationID", row.getUUID(3).toString());
        }
        json.writeStringField("phaseID", row.getString(4));
        json.writeStringField("documentID", row.getString(5));
        json.writeStringField("partyID", row.getString(6));
        json.writeStringField("filingID", String.valueOf(row.getLong(7)));
        json.writeStringField("title", row.getString(8));
        if (row.getLong(9) != null) {
            json.writeStringField("supersedes", String.valueOf(row.getLong(9)));
        }
        json.writeEndObject();
    }

    /** This docket with more entries behind it. */
    DocketListBody followedBy(DocketListBody more) {
        if (entries.length == 0) {
            return more;
        }
        if (more.entries.length == 0) {
            return this;
        }
        byte[] all = new byte[entries.length + 1 + more.entries.length];
        System.arraycopy(entries, 0, all, 0, entries.length);
        all[entries.length] = ',';
        System.arraycopy(more.entries, 0, all, entries.length + 1, more.entries.length);
        return new DocketListBody(all);
    }

    /** The whole answer. */
    Buffer document() {
        return Buffer.buffer(HEAD.length + entries.length + TAIL.length).appendBytes(HEAD).appendBytes(entries).appendBytes(TAIL);
    }
}
