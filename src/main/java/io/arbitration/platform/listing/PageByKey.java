package io.arbitration.platform.listing;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One page of a short list that is completely in memory, such as the participants of a case.
 *
 * @param next the cursor of the next page; empty at the end
 */
public record PageByKey<T>(List<T> items, Optional<String> next) {

    private static final int LIMIT_USUAL = 50;

    /**
     * The paging of a request: {@code cursor?} and {@code limit?}. The cursor contains position and key of the last item of the
     * previous page. The key counts; the position is used if that item was removed meanwhile, because the following items have
     * moved to it.
     */
    public record Wanted(int place, String key, int limit) {

        /** @throws Refusal 400 for an invalid cursor */
        public static Wanted of(Call call) {
            return of(call.optionalText("cursor"), call.integer("limit", LIMIT_USUAL));
        }

        static Wanted of(Optional<String> cursor, int limit) {
            if (cursor.isEmpty()) {
                return new Wanted(0, "", limit);
            }
            String[] parts = cursor.get().split(":", 2);
            if (parts.length != 2 || parts[1].isEmpty() || !parts[0].matches("[0-9]{1,6}")) {
                throw Refusal.badRequest("cursor: must be the nextCursor of the page before");
            }
            return new Wanted(Integer.parseInt(parts[0]), parts[1], limit);
        }

        /** @param keyOf unique for each item, and constant */
        public <T> PageByKey<T> page(List<T> all, Function<T, String> keyOf) {
            int from = from(all.stream().map(keyOf).toList());
            int to = (int) Math.min((long) from + limit, all.size());
            Optional<String> next = to < all.size() ? Optional.of((to - 1) + ":" + keyOf.apply(all.get(to - 1))) : Optional.empty();
            return new PageByKey<>(List.copyOf(all.subList(from, to)), next);
        }

        private int from(List<String> keys) {
            int last = keys.indexOf(key);
            return last >= 0 ? last + 1 : Math.min(place, keys.size());
        }
    }

    /** The answer of a list: the items under their name, and {@code nextCursor}. */
    public Reply reply(String name, Function<T, JsonObject> json) {
        return Reply.json(new JsonObject()
                .put(name, new JsonArray(items.stream().map(json).toList()))
                .put("nextCursor", next.orElse(null)));
    }
}
