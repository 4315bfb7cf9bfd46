package io.arbitration.platform.listing;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * One page of a list that is ordered by time, then by id.
 *
 * @param next where the next page starts; empty at the end
 */
public record PageByTime<T>(List<T> items, Optional<PageByTime.Cursor> next) {

    private static final int LIMIT_USUAL = 50;

    /** The last item of a page; the next page starts after it. Clients see an opaque text. */
    public record Cursor(Instant at, UUID id) {

        private static final int BYTES = Long.BYTES * 3;
        static final Cursor START = new Cursor(Instant.EPOCH, new UUID(0, 0));
        private static final Instant LAST = Instant.ofEpochMilli(253_402_300_799_999L);

        String text() {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(ByteBuffer.allocate(BYTES)
                    .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, at))
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .array());
        }

        /** @throws Refusal 400 for a text that {@link #text} never gave */
        static Cursor parse(String text) {
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
            if (micros < 0 || micros > ChronoUnit.MICROS.between(Instant.EPOCH, LAST)) {
                throw malformed();
            }
            return new Cursor(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), new UUID(buffer.getLong(), buffer.getLong()));
        }

        private static Refusal malformed() {
            return Refusal.badRequest("cursor: must be the nextCursor of the page before");
        }
    }

    /** What a request asks for: {@code cursor?} and {@code limit?}. */
    public record Wanted(Cursor after, int limit) {

        public static Wanted of(Call call) {
            return new Wanted(call.optionalText("cursor").map(Cursor::parse).orElse(Cursor.START), call.whole("limit", LIMIT_USUAL));
        }

        /** One more than the page holds: whether it is there says whether another page follows. */
        public int rows() {
            return limit + 1;
        }

        /** The page of the rows that {@link #rows} asked for. */
        public <T> PageByTime<T> page(List<T> rows, Function<T, Cursor> place) {
            if (rows.size() <= limit) {
                return new PageByTime<>(rows, Optional.empty());
            }
            List<T> items = List.copyOf(rows.subList(0, limit));
            return new PageByTime<>(items, Optional.of(place.apply(items.getLast())));
        }
    }

    /** As lists are answered: the items under their name, and {@code nextCursor}. */
    public Reply reply(String name, Function<T, JsonObject> json) {
        return Reply.json(new JsonObject()
                .put(name, new JsonArray(items.stream().map(json).toList()))
                .put("nextCursor", next.map(Cursor::text).orElse(null)));
    }
}
