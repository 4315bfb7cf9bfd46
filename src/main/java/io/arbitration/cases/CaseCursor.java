package io.arbitration.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.answer.Refusal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;

/** The last case of a page, newest first; the next page starts after it. Clients see an opaque text. */
record CaseCursor(Instant created, CaseId caseId) {

    private static final int BYTES = Long.BYTES * 3;
    /** A cursor after which comes every case. */
    static final CaseCursor START = new CaseCursor(Instant.ofEpochMilli(253_402_300_799_999L), new CaseId(new UUID(-1, -1)));

    String text() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(ByteBuffer.allocate(BYTES)
                .putLong(created.toEpochMilli())
                .putLong(caseId.value().getMostSignificantBits())
                .putLong(caseId.value().getLeastSignificantBits())
                .array());
    }

    /** @throws Refusal 400 for a text that {@link #text} never gave */
    static CaseCursor parse(String text) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            throw malformed();
        }
        if (bytes.length != BYTES) {
            throw malformed();
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        Instant created = Instant.ofEpochMilli(buffer.getLong());
        if (created.isBefore(Instant.EPOCH) || created.isAfter(START.created())) {
            throw malformed();
        }
        return new CaseCursor(created, new CaseId(new UUID(buffer.getLong(), buffer.getLong())));
    }

    private static Refusal malformed() {
        return Refusal.badRequest("cursor: must be the nextCursor of the page before");
    }
}
