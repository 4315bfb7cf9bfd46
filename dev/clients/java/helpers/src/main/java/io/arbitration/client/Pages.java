package io.arbitration.client;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads lists to their end, each page when its first item is wanted. Streams are sequential and are read once. */
public final class Pages {

    private Pages() {}

    /**
     * A call for one page.
     *
     * @param <K> the position: a cursor, or the key of an item
     * @param <P> the page
     */
    @FunctionalInterface
    public interface Call<K, P> {

        /** Asks for the page at a position, null for the first one. */
        P at(K position) throws ApiException;
    }

    /** Items of a page, and where the next one is; null on the last. */
    private record Page<T, K>(List<T> items, K next) {}

    /**
     * The items of a list with cursors. An empty page is not the end.
     *
     * @param call is given null, and then each {@code nextCursor}
     * @throws UncheckedApiException by the stream, when a page is refused
     * @throws RepeatedCursorException by the stream, when a page answers the cursor that it was asked with
     */
    public static <P, T> Stream<T> items(Call<String, P> call, Function<P, List<T>> items, Function<P, String> nextCursor) {
        return stream((String cursor) -> {
            P page = call.at(cursor);
            return new Page<>(items.apply(page), nextCursor.apply(page));
        });
    }

    /**
     * The items of a list that is asked for what comes after an item, such as the entries of a docket. An empty page is the end.
     *
     * @param call is given null, and then the key of each page's last item
     * @throws UncheckedApiException by the stream, when a page is refused
     * @throws RepeatedCursorException by the stream, when a page ends with the key that it was asked for
     */
    public static <T, K> Stream<T> itemsAfter(Call<K, List<T>> call, Function<T, K> key) {
        return stream((K after) -> {
            List<T> items = call.at(after);
            return new Page<>(items, items == null || items.isEmpty() ? null : key.apply(items.get(items.size() - 1)));
        });
    }

    private static <T, K> Stream<T> stream(Call<K, Page<T, K>> call) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(new Items<>(call), Spliterator.ORDERED), false);
    }

    private static final class Items<T, K> implements Iterator<T> {

        private final Call<K, Page<T, K>> call;
        private Iterator<T> items = List.<T>of().iterator();
        private K position;
        private boolean last;

        Items(Call<K, Page<T, K>> call) {
            this.call = call;
        }

        @Override
        public boolean hasNext() {
            while (!items.hasNext() && !last) {
                Page<T, K> page;
                try {
                    page = call.at(position);
                } catch (ApiException failed) {
                    throw new UncheckedApiException(failed);
                }
                if (page.next() != null && Objects.equals(page.next(), position)) {
                    throw new RepeatedCursorException(position);
                }
                items = page.items() == null ? List.<T>of().iterator() : page.items().iterator();
                position = page.next();
                last = position == null;
            }
            return items.hasNext();
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return items.next();
        }
    }
}
