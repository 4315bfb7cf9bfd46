package io.arbitration.platform.listing;

import io.arbitration.platform.answer.Page;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.answer.TimeCursor;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.pipeline.Call;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One page of a list that is ordered by time, then by ID.
 *
 * @param next where the next page starts; empty at the end
 */
public record PageByTime<T>(List<T> items, Optional<TimeKey> next) {

    private static final int LIMIT_USUAL = 50;

    /** The paging of a request: {@code cursor?} and {@code limit?}. */
    public record Wanted(TimeKey after, int limit) {

        public static Wanted of(Call call) {
            return from(call, TimeKey.FIRST);
        }

        /** The same for a list that begins with the newest. */
        public static Wanted newestFirst(Call call) {
            return from(call, TimeKey.LAST);
        }

        private static Wanted from(Call call, TimeKey beginning) {
            return new Wanted(call.optionalText("cursor").map(TimeCursor::parse).orElse(beginning), call.integer("limit", LIMIT_USUAL));
        }

        /** One row more than the page holds, which shows whether another page follows. */
        public int rows() {
            return limit + 1;
        }

        /** The page from the rows that were read with {@link #rows}. */
        public <T> PageByTime<T> page(List<T> rows, Function<T, TimeKey> place) {
            if (rows.size() <= limit) {
                return new PageByTime<>(rows, Optional.empty());
            }
            List<T> items = List.copyOf(rows.subList(0, limit));
            return new PageByTime<>(items, Optional.of(place.apply(items.getLast())));
        }
    }

    /** A page that was cut by rows and bytes; {@code place} gives the position of an item in the list. */
    public static <T> PageByTime<T> of(Page<T> page, Function<T, TimeKey> place) {
        return new PageByTime<>(page.items(), page.more() ? Optional.of(place.apply(page.items().getLast())) : Optional.empty());
    }

    /** The answer of a list: the items under their name, and {@code nextCursor}. */
    public Reply reply(String name, Function<T, JsonObject> json) {
        return Reply.json(new JsonObject()
                .put(name, new JsonArray(items.stream().map(json).toList()))
                .put("nextCursor", next.map(TimeCursor::text).orElse(null)));
    }
}
