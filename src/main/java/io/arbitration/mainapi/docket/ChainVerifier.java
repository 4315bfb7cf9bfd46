package io.arbitration.mainapi.docket;

import io.arbitration.domain.docket.ChainCheck;
import io.arbitration.platform.answer.HttpError;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Recomputes chains of dockets page by page, hashing on worker threads: neither the time nor the memory that a long docket takes
 * is taken from other requests. Few chains are verified at once; more wait for them, and beyond a bound are refused.
 */
final class ChainVerifier {

    private static final int PAGE = 500;
    /** What the entries of a page hold; a single larger entry is a page of its own. */
    private static final int PAGE_BYTES_MAX = 1 << 20;

    private final Vertx vertx;
    private final DocketRepository repository;

    ChainVerifier(Vertx vertx, DocketRepository repository) {
        this.vertx = vertx;
        this.repository = repository;
    }

    Future<ChainCheck.Report> verify(UUID caseId) {
        return repository.statedEnd(caseId).compose(end -> checked(caseId, ChainCheck.START, end).map(check -> check.against(end)));
    }

    /** Entries made after the end was read belong to a later verification. */
    private Future<ChainCheck> checked(UUID caseId, ChainCheck check, ChainCheck.StatedEnd end) {
        return repository.links(caseId, check.number(), end.lastNumber(), PAGE, PAGE_BYTES_MAX).compose(page -> page.isEmpty()
                ? Future.succeededFuture(check)
                : vertx.executeBlocking(() -> check.after(page), false).compose(further -> checked(caseId, further, end)));
    }
}
