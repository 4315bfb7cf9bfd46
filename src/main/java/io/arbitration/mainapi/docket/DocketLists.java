package io.arbitration.mainapi.docket;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;

/**
 * Docket lists from the database, read page by page, so that of a long docket there are never more rows in memory than a page
 * has. Few lists of more than a page are read at once; others wait.
 */
final class DocketLists {

    /** Nearly every docket is read by one statement; its rows take 2 MB until they are JSON. */
    private static final int PAGE = 2000;
    private static final int LONG_LISTS_AT_ONCE = 2;
    private static final int LONG_LISTS_PER_CALLER = 8;
    private static final int LONG_LISTS_WAITING_MAX = 64;
    private static final int RETRY_SECONDS = 1;

    private final DocketRepository repository;
    private final Bulkhead longLists = room();

    DocketLists(DocketRepository repository) {
        this.repository = repository;
    }

    /** For long lists, by whom each is read for. */
    static Bulkhead room() {
        return new Bulkhead(new Bulkhead.Bounds(LONG_LISTS_AT_ONCE, LONG_LISTS_PER_CALLER, LONG_LISTS_WAITING_MAX),
                () -> HttpError.OVERLOADED.refusal().retryAfter(RETRY_SECONDS),
                () -> DocketError.LONG_LISTS_OF_CALLER.refusal(LONG_LISTS_PER_CALLER).retryAfter(RETRY_SECONDS));
    }

    /** A list and the number of the last entry in it. */
    record Part(int lastNumber, Buffer json) {}

    /**
     * The whole list, its first page read together with the reader's right to it; empty without that right or without an entry, and
     * when some entry was ever sealed: then not everybody reads the same.
     */
    Future<Optional<Part>> whole(DocketRepository.Reader reader) {
        return repository.firstListed(reader, PAGE).compose(first -> first.isEmpty() ? Future.succeededFuture(Optional.empty())
                : list(wholeOf(reader.caseId()), first, PAGE, Integer.MAX_VALUE, after -> repository.listed(wholeOf(reader.caseId()), after, Integer.MAX_VALUE, PAGE))
                        .map(Optional::of));
    }

    /** The entries after one number up to another. */
    Future<Part> between(DocketRepository.View view, int afterNumber, int lastNumber) {
        IntFunction<Future<List<ListedEntry>>> page = after -> repository.listed(view, after, lastNumber, PAGE);
        return page.apply(afterNumber).compose(first -> list(view, first, PAGE, Integer.MAX_VALUE, page));
    }

    /** The entries after a number that a filter lets through, at most so many. */
    Future<Buffer> filtered(DocketRepository.Reader reader, DocketRepository.Filter filter, int afterNumber, int limit) {
        int pageSize = Math.min(PAGE, limit);
        IntFunction<Future<List<ListedEntry>>> page = after -> repository.filtered(reader, filter, after, pageSize);
        return page.apply(afterNumber).compose(first -> list(reader.userId(), first, pageSize, limit, page)).map(Part::json);
    }

    private static DocketRepository.View wholeOf(UUID caseId) {
        return new DocketRepository.View(caseId, "");
    }

    /**
     * The list of a page and, when the page is full, of those after it.
     *
     * @param readFor a user; or the view, where one load serves all who wait for it, so that nobody is refused for another's share
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
