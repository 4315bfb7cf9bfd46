package io.arbitration.platform.answer;

import io.arbitration.platform.db.TimeKey;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;

/**
 * The cursor of a list that is ordered by time, then by ID: the position of the last item of a page, as a text that is opaque to
 * clients.
 */
public final class TimeCursor {

    private static final int BYTES = Long.BYTES * 3;

    private TimeCursor() {}

    public static String text(TimeKey place) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(ByteBuffer.allocate(BYTES)
                .putLong(micros(place))
                .putLong(place.id().getMostSignificantBits())
                .putLong(place.id().getLeastSignificantBits())
                .array());
    }

    /** @throws Refusal 400 for a text that {@link #text} never returned */
    public static TimeKey parse(String text) {
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
        long micros = buffer.getLong();
        if (micros < micros(TimeKey.FIRST) || micros > micros(TimeKey.LAST)) {
            throw malformed();
        }
        return new TimeKey(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), new UUID(buffer.getLong(), buffer.getLong()));
    }

    private static long micros(TimeKey place) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, place.at());
    }

    private static Refusal malformed() {
        return Refusal.badRequest("cursor: must be the nextCursor of the page before");
    }
}
