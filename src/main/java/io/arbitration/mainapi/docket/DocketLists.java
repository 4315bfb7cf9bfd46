package io.arbitration.mainapi.docket;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;

/** Docket lists from the database, read page by page: of a long docket there are never more rows in memory than a page has. */
final class DocketLists {

    static final int PAGE = 500;

    private final DocketRepository repository;

    DocketLists(DocketRepository repository) {
        this.repository = repository;
    }

    /** A list and the number of the last entry in it. */
    record Part(int lastNumber, Buffer json) {}

    /** The whole list, its first page read together with the reader's right to it; empty without that right or without an entry. */
    Future<Optional<Part>> whole(DocketRepository.Reader reader) {
        return repository.firstListed(reader, PAGE).compose(first -> first.isEmpty() ? Future.succeededFuture(Optional.empty())
                : rest(new DocketListBody(first.size()), first, PAGE, Integer.MAX_VALUE,
                        after -> repository.listed(reader.caseId(), after, Integer.MAX_VALUE, PAGE)).map(Optional::of));
    }

    /** The entries after one number up to another. */
    Future<Part> between(UUID caseId, int afterNumber, int lastNumber) {
        IntFunction<Future<List<ListedEntry>>> page = after -> repository.listed(caseId, after, lastNumber, PAGE);
        return page.apply(afterNumber).compose(first -> rest(new DocketListBody(first.size()), first, PAGE, Integer.MAX_VALUE, page));
    }

    /** The entries after a number that a filter lets through, at most so many. */
    Future<Buffer> filtered(UUID caseId, DocketRepository.Filter filter, int afterNumber, int limit) {
        int pageSize = Math.min(PAGE, limit);
        IntFunction<Future<List<ListedEntry>>> page = after -> repository.filtered(caseId, filter, after, pageSize);
        return page.apply(afterNumber).compose(first -> rest(new DocketListBody(first.size()), first, pageSize, limit, page)).map(Part::json);
    }

    /** Adds a page and, while pages are full, those after it. */
    private static Future<Part> rest(
            DocketListBody body, List<ListedEntry> page, int pageSize, int limit, IntFunction<Future<List<ListedEntry>>> next) {
        List<ListedEntry> taken = page.size() > limit ? page.subList(0, limit) : page;
        body.add(taken);
        int lastNumber = taken.isEmpty() ? 0 : taken.getLast().number();
        return page.size() < pageSize || taken.size() == limit ? Future.succeededFuture(new Part(lastNumber, body.end()))
                : next.apply(lastNumber).compose(more -> rest(body, more, pageSize, limit - taken.size(), next));
    }
}
