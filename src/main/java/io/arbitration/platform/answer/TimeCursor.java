package io.arbitration.platform.answer;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;

/**
 * The last item of a page of a list that is ordered by time, then by id; the next page starts after it. Clients see an opaque text.
 *
 * @param at in milliseconds, from 1970 to 9999
 */
public record TimeCursor(Instant at, UUID id) {

    private static final int BYTES = Long.BYTES * 3;
    /** Where a list with the oldest first starts. */
    public static final TimeCursor FIRST = new TimeCursor(Instant.EPOCH, new UUID(0, 0));
    /** Where a list with the newest first starts. */
    public static final TimeCursor LAST = new TimeCursor(Instant.ofEpochMilli(253_402_300_799_999L), new UUID(-1, -1));

    public String text() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(ByteBuffer.allocate(BYTES)
                .putLong(at.toEpochMilli())
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array());
    }

    /** @throws Refusal 400 for a text that {@link #text} never gave */
    public static TimeCursor parse(String text) {
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
        Instant at = Instant.ofEpochMilli(buffer.getLong());
        if (at.isBefore(FIRST.at()) || at.isAfter(LAST.at())) {
            throw malformed();
        }
        return new TimeCursor(at, new UUID(buffer.getLong(), buffer.getLong()));
    }

    private static Refusal malformed() {
        return Refusal.badRequest("cursor: must be the nextCursor of the page before");
    }
}
