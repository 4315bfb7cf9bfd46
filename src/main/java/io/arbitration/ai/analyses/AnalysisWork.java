package io.arbitration.ai.analyses;

import io.arbitration.ai.context.TooLong;
import io.arbitration.ai.model.ModelClient;
import io.arbitration.ai.model.ModelFailure;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.objects.ObjectFailure;
import io.arbitration.platform.queue.Backoff;
import io.arbitration.platform.queue.ItemHandler;
import io.arbitration.platform.queue.LeaseQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs analyses that are due. While the model is known to be away nothing is claimed; what failed because a part was away waits,
 * longer each time, for as long as it takes.
 */
final class AnalysisWork implements ItemHandler<DueAnalysis, AnalysisOutcome> {

    /**
     * The lease is short and extended while its analysis runs, so that what a dead node had claimed soon runs elsewhere. Cases are served
     * one after the other, so that one with a thousand documents does not keep the others waiting.
     */
    static final LeaseQueue.Terms TERMS = new LeaseQueue.Terms("analyses", Duration.ofSeconds(60), true, true);

    /** Answers that could not be used; another will be no better. */
    private static final int FAILURES_MAX = 3;
    private static final Logger LOG = LoggerFactory.getLogger(AnalysisWork.class);

    private final Analyst analyst;
    private final int perCaseAndDay;
    private final ModelClient model;
    private final Attempts attempts;
    private final Backoff backoff;

    /** @param perCaseAndDay analyses of one case on a day of UTC; the others wait for the next day */
    AnalysisWork(Analyst analyst, int perCaseAndDay, ModelClient model, MeterRegistry meters, RandomGenerator random) {
        this.analyst = analyst;
        this.perCaseAndDay = perCaseAndDay;
        this.model = model;
        this.attempts = new Attempts(meters, "ai.analyses", "How attempts at analyses went", Stream.of("done", "again", "failed", "skipped"));
        this.backoff = Backoff.endless(random);
    }

    @Override
    public boolean mayBegin() {
        return !model.isBreakerOpen();
    }

    @Override
    public Future<AnalysisOutcome> attempt(DueAnalysis analysis) {
        if (analysis.runToday() >= perCaseAndDay) {
            return Future.succeededFuture(new AnalysisOutcome.Again(analysis, analysis.restOfDay(),
                    "%d analyses of the case were made today; it goes on tomorrow".formatted(perCaseAndDay), false));
        }
        return analyst.run(analysis)
                .otherwise(failure -> outcome(analysis, failure))
                .onSuccess(this::count);
    }

    private AnalysisOutcome outcome(DueAnalysis analysis, Throwable failure) {
        String reason = String.valueOf(failure.getMessage());
        return switch (failure) {
            case ModelFailure failed -> switch (failed.kind()) {
                // The key may be replaced before the next attempt. After NO_IMAGES, the next attempt sends no pictures and says so.
                case BUSY, AWAY, TIMED_OUT, UNAUTHORIZED, NO_IMAGES -> again(analysis, failed.retryAfter(), reason);
                case REFUSED, UNUSABLE -> counted(analysis, reason);
            };
            case ObjectFailure away -> again(analysis, Duration.ZERO, "the object store is not available");
            case Analyst.Impossible impossible -> new AnalysisOutcome.Failed(analysis, reason);
            case TooLong tooLong -> new AnalysisOutcome.Failed(analysis, reason);
            default -> {
                if (Database.isUnavailable(failure) || Database.isOverloaded(failure)) {
                    yield again(analysis, Duration.ZERO, "the database is not available");
                }
                LOG.error("analysis {} failed", analysis.lease().key(), failure);
                yield counted(analysis, failure.getClass().getSimpleName());
            }
        };
    }

    /** A part that it needs was away: that does not count against the analysis. */
    private AnalysisOutcome again(DueAnalysis analysis, Duration asked, String reason) {
        return new AnalysisOutcome.Again(analysis, backoff.pause(analysis.lease().attempts() + 1, asked).orElseThrow(), reason, false);
    }

    private AnalysisOutcome counted(DueAnalysis analysis, String reason) {
        int failures = analysis.failures() + 1;
        return failures < FAILURES_MAX
                ? new AnalysisOutcome.Again(analysis, backoff.pause(failures).orElseThrow(), reason, true)
                : new AnalysisOutcome.Failed(analysis, reason);
    }

    private void count(AnalysisOutcome outcome) {
        String result = switch (outcome) {
            case AnalysisOutcome.Done done -> "done";
            case AnalysisOutcome.Again again -> "again";
            case AnalysisOutcome.Failed failed -> "failed";
            case AnalysisOutcome.Skipped skipped -> "skipped";
        };
        if (outcome instanceof AnalysisOutcome.Failed failed) {
            LOG.warn("analysis {} failed: {}", failed.analysis().lease().key(), failed.reason());
        }
        attempts.count(result);
    }
}
