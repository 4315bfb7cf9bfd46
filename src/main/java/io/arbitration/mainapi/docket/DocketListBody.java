package io.arbitration.mainapi.docket;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Docket lists as the JSON that is sent. A longer docket is a shorter one with more entries behind it. */
final class DocketListBody {

    private static final byte[] HEAD = ascii("{\"entries\":[");
    private static final byte[] TAIL = ascii("]}");
    private static final byte[] COMMA = ascii(",");
    private static final byte[] ENTRY_ID = ascii("{\"entryID\":");
    private static final byte[] ENTERED_AT = ascii(",\"enteredAt\":");
    private static final byte[] USER_ID = ascii(",\"userID\":");
    private static final byte[] ORGANIZATION_ID = ascii(",\"organizationID\":");
    private static final byte[] PHASE_ID = ascii(",\"phaseID\":");
    private static final byte[] DOCUMENT_ID = ascii(",\"documentID\":");
    private static final byte[] PARTY_ID = ascii(",\"partyID\":");
    private static final byte[] FILING_ID = ascii(",\"filingID\":");
    private static final byte[] TITLE = ascii(",\"title\":");
    private static final byte[] SUPERSEDES = ascii(",\"supersedes\":");
    private static final byte[] NULL = ascii("null");
    private static final byte[] END = ascii("}");
    private static final int BYTES_PER_ENTRY = 448;

    private DocketListBody() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The list of these rows, which have the columns of the docket list in its order, and may have others behind them. */
    static Buffer of(List<Row> rows) {
        JsonBytes json = new JsonBytes(HEAD.length + rows.size() * BYTES_PER_ENTRY + TAIL.length);
        json.raw(HEAD);
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0) {
                json.raw(COMMA);
            }
            write(json, rows.get(i));
        }
        return json.raw(TAIL).toBuffer();
    }

    private static void write(JsonBytes json, Row row) {
        json.raw(ENTRY_ID).id(row.getLong(0)).raw(ENTERED_AT).time(row.getOffsetDateTime(1)).raw(USER_ID).id(row.getUUID(2));
        json.raw(ORGANIZATION_ID);
        if (row.getUUID(3) == null) {
            json.raw(NULL);
        } else {
            json.id(row.getUUID(3));
        }
        json.raw(PHASE_ID).text(row.getString(4)).raw(DOCUMENT_ID).text(row.getString(5)).raw(PARTY_ID).text(row.getString(6));
        json.raw(FILING_ID).id(row.getLong(7)).raw(TITLE).text(row.getString(8));
        if (row.getLong(9) != null) {
            json.raw(SUPERSEDES).id(row.getLong(9));
        }
        json.raw(END);
    }

    /** A list with the entries of another behind its own. */
    static Buffer joined(Buffer list, Buffer more) {
        if (isEmpty(list)) {
            return more;
        }
        if (isEmpty(more)) {
            return list;
        }
        return Buffer.buffer(list.length() + more.length())
                .appendBuffer(list, 0, list.length() - TAIL.length)
                .appendBytes(COMMA)
                .appendBuffer(more, HEAD.length, more.length() - HEAD.length);
    }

    private static boolean isEmpty(Buffer list) {
        return list.length() == HEAD.length + TAIL.length;
    }
}
