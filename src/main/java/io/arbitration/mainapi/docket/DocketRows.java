package io.arbitration.mainapi.docket;

import io.vertx.core.Future;
import java.util.List;

/** The entries of dockets as lists show them, page by page. */
interface DocketRows {

    /** The first entries of a docket of which none was ever sealed, at most so many; none if the user has no part in the case. */
    Future<List<ListedEntry>> firstListed(DocketListRepository.Reader reader, int limit);

    /** The entries after a number up to another, in order, at most so many. */
    Future<List<ListedEntry>> listed(DocketListRepository.View view, int afterNumber, int lastNumber, int limit);

    /** The entries after a number that a filter lets through, as somebody may read them, in order, at most so many. */
    Future<List<ListedEntry>> filtered(DocketListRepository.Reader reader, DocketListRepository.Filter filter, int afterNumber, int limit);
}
