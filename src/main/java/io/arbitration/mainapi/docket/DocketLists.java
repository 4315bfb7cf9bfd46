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
 * Reads docket lists from the database, page by page, so that a long docket never has more rows in memory than a page. Two bulkheads bound
 * how many lists, and how many lists of more than a page, are read at once. The others wait; the next one is always of the user with the
 * fewest reads in progress. Each user has a share of both.
 */
final class DocketLists {

    /** Most entries read by one statement, which is enough for nearly every docket. The rows take up to 2 MB until they are JSON. */
    private static final int PAGE = 2000;
    /** A statement for at most so many entries is short, so it does not wait in a bulkhead. */
    private static final int SHORT_PAGE = 200;
    /** Fewer than the connections to the database, so that long reads leave some for short requests. */
    private static final int WHOLE_LISTS_AT_ONCE = 3;
    private static final int WHOLE_LISTS_PER_CALLER = 500;
    private static final int WHOLE_LISTS_WAITING_MAX = 10_000;
    private static final int LONG_LISTS_AT_ONCE = 2;
    private static final int LONG_LISTS_PER_CALLER = 8;
    private static final int LONG_LISTS_WAITING_MAX = 64;
    private static final int RETRY_SECONDS = 1;

    private final DocketRows rows;
    private final Bulkhead wholeLists = bulkhead(WHOLE_LISTS_AT_ONCE, WHOLE_LISTS_PER_CALLER, WHOLE_LISTS_WAITING_MAX, "lists");
    private final Bulkhead longLists = bulkhead(LONG_LISTS_AT_ONCE, LONG_LISTS_PER_CALLER, LONG_LISTS_WAITING_MAX, "long lists");

    DocketLists(DocketRows rows) {
        this.rows = rows;
    }

    private static Bulkhead bulkhead(int most, int mostPerCaller, int waitingMax, String what) {
        return new Bulkhead(new Bulkhead.Bounds(most, mostPerCaller, waitingMax), () -> HttpError.OVERLOADED.refusal().retryAfter(RETRY_SECONDS),
                () -> DocketError.LISTS_OF_CALLER.refusal(mostPerCaller, what).retryAfter(RETRY_SECONDS));
    }

    /** Whether a read was refused because its user has used up the share. */
    static boolean isBeyondShare(Throwable failure) {
        return failure instanceof Refusal refusal && refusal.code().equals(DocketError.LISTS_OF_CALLER.terms().code());
    }

    /** A list and the number of the last entry in it. */
    record Part(int lastNumber, Buffer json) {}

    /**
     * The whole list. The statement of its first page checks the reader's right, too. Empty without that right, without an entry, and if
     * some entry was ever sealed, because then the readers do not all see the same.
     */
    Future<Optional<Part>> whole(DocketListRepository.Reader reader) {
        return wholeLists.run(reader.userId(), () -> rows.firstListed(reader, PAGE)).compose(first -> first.isEmpty() ? Future.succeededFuture(Optional.empty())
                : list(reader.userId(), first, PAGE, Integer.MAX_VALUE, after -> rows.listed(wholeOf(reader.caseId()), after, Integer.MAX_VALUE, PAGE))
                        .map(Optional::of));
    }

    /**
     * The entries after one number up to another.
     *
     * @param readFor the user whose share of the bulkheads it takes
     */
    Future<Part> between(UUID readFor, DocketListRepository.View view, int afterNumber, int lastNumber) {
        IntFunction<Future<List<ListedEntry>>> page = after -> rows.listed(view, after, lastNumber, PAGE);
        return firstPage(readFor, lastNumber - afterNumber, () -> page.apply(afterNumber)).compose(entries -> list(readFor, entries, PAGE, Integer.MAX_VALUE, page));
    }

    /** The entries after a number that a filter lets through, at most so many. */
    Future<Buffer> filtered(DocketListRepository.Reader reader, DocketListRepository.Filter filter, int afterNumber, int limit) {
        int pageSize = Math.min(PAGE, limit);
        IntFunction<Future<List<ListedEntry>>> page = after -> rows.filtered(reader, filter, after, pageSize);
        return firstPage(reader.userId(), pageSize, () -> page.apply(afterNumber)).compose(first -> list(reader.userId(), first, pageSize, limit, page)).map(Part::json);
    }

    /**
     * Reads the first page. Short ones, such as the entries that a cached list lacks, or the page of a client, do not wait for whole lists.
     */
    private Future<List<ListedEntry>> firstPage(UUID readFor, int entriesMax, Supplier<Future<List<ListedEntry>>> read) {
        return entriesMax <= SHORT_PAGE ? read.get() : wholeLists.run(readFor, read);
    }

    private static DocketListRepository.View wholeOf(UUID caseId) {
        return new DocketListRepository.View(caseId, "");
    }

    /**
     * The list of a first page and, if it is full, of the following ones. Those are read within the bulkhead of long lists, and no longer
     * within that of whole lists.
     *
     * @param readFor the user whose share of the bulkheads it takes
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
