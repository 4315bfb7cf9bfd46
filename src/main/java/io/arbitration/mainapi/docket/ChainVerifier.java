package io.arbitration.mainapi.docket;

import io.arbitration.domain.docket.ChainCheck;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.UUID;

/**
 * Recomputes the hash chains of dockets. It reads a docket page by page and hashes on worker threads, so that a long docket does not slow
 * down other requests or fill the memory. Few chains are verified at once; the others wait, and beyond a bound they are refused.
 */
final class ChainVerifier {

    private static final int PAGE = 500;
    /** The most bytes of a page; a larger entry is a page of its own. */
    private static final int PAGE_BYTES_MAX = 1 << 20;
    private static final int AT_ONCE = 2;
    private static final int AT_ONCE_PER_CALLER = 8;
    private static final int WAITING_MAX = 256;
    private static final int RETRY_SECONDS = 5;

    private final Vertx vertx;
    private final DocketRepository repository;
    private final Bulkhead bulkhead = new Bulkhead(new Bulkhead.Bounds(AT_ONCE, AT_ONCE_PER_CALLER, WAITING_MAX),
            () -> HttpError.OVERLOADED.refusal().retryAfter(RETRY_SECONDS),
            () -> DocketError.VERIFICATIONS_OF_CALLER.refusal(AT_ONCE_PER_CALLER).retryAfter(RETRY_SECONDS));

    ChainVerifier(Vertx vertx, DocketRepository repository) {
        this.vertx = vertx;
        this.repository = repository;
    }

    /** @param userId who asks; each has a share of what is verified at once */
    Future<ChainCheck.Report> verify(UUID caseId, UUID userId) {
        return bulkhead.run(userId, () -> repository.statedEnd(caseId)
                .compose(end -> checked(caseId, ChainCheck.START, end).map(check -> check.against(end))));
    }

    /** Entries made after the end was read belong to a later verification. */
    private Future<ChainCheck> checked(UUID caseId, ChainCheck check, ChainCheck.StatedEnd end) {
        return repository.links(caseId, check.number(), end.lastNumber(), PAGE, PAGE_BYTES_MAX).compose(page -> page.isEmpty()
                ? Future.succeededFuture(check)
                : vertx.executeBlocking(() -> check.after(page), false).compose(further -> checked(caseId, further, end)));
    }
}
