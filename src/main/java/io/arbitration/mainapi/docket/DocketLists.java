package io.arbitration.mainapi.docket;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Docket lists from the database, read page by page, so that of a long docket there are never more rows in memory than a page
 * has. Few lists are read at once, and fewer of more than a page; others wait, the next always one of the user for whom the fewest are
 * read. Each user has a share of both.
 */
final class DocketLists {

    /** Nearly every docket is read by one statement; its rows take 2 MB until they are JSON. */
    private static final int PAGE = 2000;
    /** So few rows are read by one short statement: they do not wait for lists of a page. */
    private static final int SHORT = 200;
    /** Of the connections to the database, so that lists that are not in memory leave some to all that is answered sooner. */
    private static final int WHOLE_LISTS_AT_ONCE = 3;
    private static final int WHOLE_LISTS_PER_CALLER = 500;
    private static final int WHOLE_LISTS_WAITING_MAX = 10_000;
    private static final int LONG_LISTS_AT_ONCE = 2;
    private static final int LONG_LISTS_PER_CALLER = 8;
    private static final int LONG_LISTS_WAITING_MAX = 64;
    private static final int RETRY_SECONDS = 1;

    private final DocketRows rows;
    private final Bulkhead wholeLists = room(WHOLE_LISTS_AT_ONCE, WHOLE_LISTS_PER_CALLER, WHOLE_LISTS_WAITING_MAX, "lists");
    private final Bulkhead longLists = room(LONG_LISTS_AT_ONCE, LONG_LISTS_PER_CALLER, LONG_LISTS_WAITING_MAX, "long lists");

    DocketLists(DocketRows rows) {
        this.rows = rows;
    }

    private static Bulkhead room(int most, int mostPerCaller, int waitingMax, String what) {
        return new Bulkhead(new Bulkhead.Bounds(most, mostPerCaller, waitingMax), () -> HttpError.OVERLOADED.refusal().retryAfter(RETRY_SECONDS),
                () -> DocketError.LISTS_OF_CALLER.refusal(mostPerCaller, what).retryAfter(RETRY_SECONDS));
    }

    /** Whether a list was refused because the user for whom it was to be read has its share. */
    static boolean isBeyondShare(Throwable failure) {
        return failure instanceof Refusal refusal && refusal.code().equals(DocketError.LISTS_OF_CALLER.terms().code());
    }

    /** A list and the number of the last entry in it. */
    record Part(int lastNumber, Buffer json) {}

    /**
     * The whole list, its first page read together with the reader's right to it; empty without that right or without an entry, and
     * when some entry was ever sealed: then not everybody reads the same.
     */
    Future<Optional<Part>> whole(DocketRepository.Reader reader) {
        return wholeLists.run(reader.userId(), () -> rows.firstListed(reader, PAGE)).compose(first -> first.isEmpty() ? Future.succeededFuture(Optional.empty())
                : list(reader.userId(), first, PAGE, Integer.MAX_VALUE, after -> rows.listed(wholeOf(reader.caseId()), after, Integer.MAX_VALUE, PAGE))
                        .map(Optional::of));
    }

    /**
     * The entries after one number up to another.
     *
     * @param readFor the user the user whose share it takes
     */
    Future<Part> between(UUID readFor, DocketRepository.View view, int afterNumber, int lastNumber) {
        IntFunction<Future<List<ListedEntry>>> page = after -> rows.listed(view, after, lastNumber, PAGE);
        return firstPage(readFor, lastNumber - afterNumber, () -> page.apply(afterNumber)).compose(entries -> list(readFor, entries, PAGE, Integer.MAX_VALUE, page));
    }

    /** The entries after a number that a filter lets through, at most so many. */
    Future<Buffer> filtered(DocketRepository.Reader reader, DocketRepository.Filter filter, int afterNumber, int limit) {
        int pageSize = Math.min(PAGE, limit);
        IntFunction<Future<List<ListedEntry>>> page = after -> rows.filtered(reader, filter, after, pageSize);
        return firstPage(reader.userId(), pageSize, () -> page.apply(afterNumber)).compose(first -> list(reader.userId(), first, pageSize, limit, page)).map(Part::json);
    }

    /** What was added to a list that is kept, and a page of a client, are little, as a rule, and are not to wait for whole lists. */
    private Future<List<ListedEntry>> firstPage(UUID readFor, int entriesMax, Supplier<Future<List<ListedEntry>>> read) {
        return entriesMax <= SHORT ? read.get() : wholeLists.run(readFor, read);
    }

    private static DocketRepository.View wholeOf(UUID caseId) {
        return new DocketRepository.View(caseId, "");
    }

    /**
     * The list of a page and, when the page is full, of those after it: whoever waits for those holds no place among whole lists.
     *
     * @param readFor the user whose share it takes
     */
    private Future<Part> list(Object readFor, List<ListedEntry> first, int pageSize, int limit, IntFunction<Future<List<ListedEntry>>> next) {
        DocketListBody body = new DocketListBody(first.size()).add(first);
        return isLast(first, pageSize, limit) ? Future.succeededFuture(part(body, first))
                : longLists.run(readFor, () -> rest(body, first, pageSize, limit - first.size(), next));
    }

    private static Future<Part> rest(
            DocketListBody body, List<ListedEntry> before, int pageSize, int limit, IntFunction<Future<List<ListedEntry>>> next) {
        return next.apply(before.getLast().number()).compose(page -> {
            List<ListedEntry> taken = page.size() > limit ? page.subList(0, limit) : page;
            body.add(taken);
            return isLast(page, pageSize, limit) ? Future.succeededFuture(part(body, taken.isEmpty() ? before : taken))
                    : rest(body, taken, pageSize, limit - taken.size(), next);
        });
    }

    private static boolean isLast(List<ListedEntry> page, int pageSize, int limit) {
        return page.size() < pageSize || page.size() >= limit;
    }

    private static Part part(DocketListBody body, List<ListedEntry> last) {
        return new Part(last.isEmpty() ? 0 : last.getLast().number(), body.end());
    }
}
