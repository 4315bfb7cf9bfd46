package io.arbitration.platform.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * One page of a list, bounded in rows and in bytes, so that no answer needs more memory than planned.
 *
 * @param items in the order of the list
 * @param more whether there are items after these
 */
public record Page<T>(List<T> items, boolean more) {

    /** The maximum bytes of the items of one page, unless an operation has a bound of its own. */
    public static final long BYTES_MAX = 1024 * 1024;

    /** The bytes of a text in a JSON answer, where control characters and characters beyond the basic plane are escaped. */
    public static long jsonBytes(String text) {
        long bytes = 2;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || Character.isSurrogate(c)) {
                bytes += 6;
            } else if (c == '"' || c == '\\') {
                bytes += 2;
            } else {
                bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            }
        }
        return bytes;
    }

    /**
     * The first items that fit; at least one, if there is any.
     *
     * @param found the items from the beginning of the page on, one more than {@code limit} if there are enough
     * @param bytes the bytes of an item in the answer
     */
    public static <T> Page<T> of(List<T> found, int limit, long bytesMax, ToLongFunction<T> bytes) {
        List<T> items = new ArrayList<>();
        long weight = 0;
        for (T item : found) {
            weight += bytes.applyAsLong(item);
            if (items.size() == limit || weight > bytesMax && !items.isEmpty()) {
                return new Page<>(items, true);
            }
            items.add(item);
        }
        return new Page<>(items, false);
    }
}
