package io.arbitration.mainapi.docket;

import io.arbitration.platform.answer.JsonBytes;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes docket lists as JSON. A list can be extended: the JSON of a longer docket begins with the entries of the shorter one. */
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
    private static final byte[] PARENT_ENTRY_ID = ascii(",\"parentEntryID\":");
    private static final byte[] FILE_COUNT = ascii(",\"fileCount\":");
    private static final byte[] IS_SEALED = ascii(",\"isSealed\":");
    private static final byte[] TRUE = ascii("true");
    private static final byte[] FALSE = ascii("false");
    private static final byte[] NULL = ascii("null");
    private static final byte[] END = ascii("}");
    /** An estimate. */
    static final int BYTES_PER_ENTRY = 448;

    private final JsonBytes json;
    private boolean any;

    /** Begins a list of about so many entries. */
    DocketListBody(int entries) {
        json = new JsonBytes(HEAD.length + entries * BYTES_PER_ENTRY + TAIL.length).raw(HEAD);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The list of these entries. */
    static Buffer of(List<ListedEntry> entries) {
        return new DocketListBody(entries.size()).add(entries).end();
    }

    DocketListBody add(List<ListedEntry> entries) {
        for (ListedEntry entry : entries) {
            if (any) {
                json.raw(COMMA);
            }
            any = true;
            write(entry);
        }
        return this;
    }

    Buffer end() {
        return json.raw(TAIL).toBuffer();
    }

    private void write(ListedEntry entry) {
        json.raw(ENTRY_ID).id(entry.entryId()).raw(ENTERED_AT).time(entry.enteredAt()).raw(USER_ID).id(entry.userId());
        json.raw(ORGANIZATION_ID);
        entry.organizationId().ifPresentOrElse(json::id, () -> json.raw(NULL));
        json.raw(PHASE_ID).text(entry.phaseId()).raw(DOCUMENT_ID).text(entry.documentId()).raw(PARTY_ID).text(entry.partyId());
        json.raw(FILING_ID).id(entry.filingId()).raw(TITLE).text(entry.title());
        entry.supersedes().ifPresent(superseded -> json.raw(SUPERSEDES).id(superseded));
        entry.details().ifPresent(this::write);
        json.raw(END);
    }

    private void write(ListedEntry.Details details) {
        details.parentEntryId().ifPresent(parent -> json.raw(PARENT_ENTRY_ID).id(parent));
        details.files().ifPresent(files -> json.raw(FILE_COUNT).raw(ascii(Integer.toString(files))));
        json.raw(IS_SEALED).raw(details.isSealed() ? TRUE : FALSE);
    }

    /** The entries of one list followed by those of another. */
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
