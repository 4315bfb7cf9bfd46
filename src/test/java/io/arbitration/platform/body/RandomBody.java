package io.arbitration.platform.body;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Bodies of the given members, now and then with values that fit. */
final class RandomBody {

    private static final List<Object> VALUES = new ArrayList<>(java.util.Arrays.asList(
            "t", "open", "closed", "abcde", "abcdef", "", "0f", "0g", "2026-02-28", "2026-02-30", "ada@example.org", "ada", 0, 1, 7, 14,
            200, 201, 0.5, 1.5, -1, 3_000_000_000L, true, false, null));

    private final Random random;
    private final List<String> names;

    RandomBody(int seed, Set<String> names) {
        this.random = new Random(seed);
        this.names = List.copyOf(names);
    }

    JsonObject next() {
        JsonObject body = new JsonObject();
        if (random.nextInt(10) > 0) {
            body.put("title", "t").put("fields", new JsonObject());
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            body.put(names.get(random.nextInt(names.size())), value(2));
        }
        return body;
    }

    private Object value(int depth) {
        return switch (depth == 0 ? 0 : random.nextInt(4)) {
            case 1 -> {
                JsonArray array = new JsonArray();
                for (int i = random.nextInt(5); i > 0; i--) {
                    array.add(value(depth - 1));
                }
                yield array;
            }
            case 2 -> {
                JsonObject object = new JsonObject();
                for (int i = random.nextInt(4); i > 0; i--) {
                    object.put(List.of("a", "b", "c", "d").get(random.nextInt(4)), value(depth - 1));
                }
                yield object;
            }
            default -> VALUES.get(random.nextInt(VALUES.size()));
        };
    }
}
