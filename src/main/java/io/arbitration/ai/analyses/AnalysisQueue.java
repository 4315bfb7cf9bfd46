package io.arbitration.ai.analyses;

import io.arbitration.ai.context.TooLong;
import io.arbitration.ai.model.ModelClient;
import io.arbitration.ai.model.ModelFailure;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.objects.ObjectFailure;
import io.arbitration.platform.queue.WorkQueue;
import io.arbitration.platform.telemetry.Attempts;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Analyses on their way. While the model is left alone nothing is claimed; what fails because a part was away waits, longer each
 * time, for as long as it takes. A lease is short and made longer while its analysis runs, so that what a dead node had claimed
 * soon runs elsewhere.
 */
final class AnalysisQueue implements WorkQueue<DueAnalysis, AnalysisOutcome> {

    static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration EXTEND_PERIOD = LEASE.dividedBy(3);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);
    /** Answers that could not be used; another will be no better. */
    private static final int FAILURES_MAX = 3;
    private static final Logger LOG = LoggerFactory.getLogger(AnalysisQueue.class);

    private final Vertx vertx;
    private final AnalysisRepository repository;
    private final Analyst analyst;
    private final ModelClient model;
    private final Attempts attempts;
    private final RandomGenerator random;

    AnalysisQueue(Vertx vertx, AnalysisRepository repository, Analyst analyst, ModelClient model, MeterRegistry meters, RandomGenerator random) {
        this.vertx = vertx;
        this.repository = repository;
        this.analyst = analyst;
        this.model = model;
        this.attempts = new Attempts(meters, "ai.analyses", "How attempts at analyses went", Stream.of("done", "again", "failed", "skipped"));
        this.random = random;
    }

    @Override
    public Future<Claims<DueAnalysis>> claim(UUID claim, int most) {
        return model.isLeftAlone() ? Future.succeededFuture(Claims.of(List.of(), most)) : repository.claim(claim, most, LEASE).map(due -> Claims.of(due, most));
    }

    @Override
    public Future<AnalysisOutcome> attempt(DueAnalysis analysis) {
        long extending = vertx.setPeriodic(EXTEND_PERIOD.toMillis(), timer -> repository.extend(analysis, LEASE)
                .onFailure(failed -> LOG.warn("analysis {}: its lease could not be made longer: {}", analysis.analysisId(), failed.getMessage())));
        return analyst.run(analysis)
                .otherwise(failure -> outcome(analysis, failure))
                .onComplete(ended -> vertx.cancelTimer(extending))
                .onSuccess(this::count);
    }

    private AnalysisOutcome outcome(DueAnalysis analysis, Throwable failure) {
        String reason = String.valueOf(failure.getMessage());
        return switch (failure) {
            case ModelFailure failed -> switch (failed.kind()) {
                case BUSY, AWAY, TIMED_OUT -> {
                    Duration own = pause(analysis.attempts());
                    yield new AnalysisOutcome.Again(analysis, own.compareTo(failed.retryAfter()) < 0 ? failed.retryAfter() : own, reason, false);
                }
                case REFUSED, UNUSABLE -> counted(analysis, reason);
            };
            case ObjectFailure away -> new AnalysisOutcome.Again(analysis, pause(analysis.attempts()), "the object store is not available", false);
            case Analyst.Impossible impossible -> new AnalysisOutcome.Failed(analysis, reason);
            case TooLong tooLong -> new AnalysisOutcome.Failed(analysis, reason);
            default -> {
                if (Database.isUnavailable(failure) || Database.isOverloaded(failure)) {
                    yield new AnalysisOutcome.Again(analysis, pause(analysis.attempts()), "the database is not available", false);
                }
                LOG.error("analysis {} failed", analysis.analysisId(), failure);
                yield counted(analysis, failure.getClass().getSimpleName());
            }
        };
    }

    private AnalysisOutcome counted(DueAnalysis analysis, String reason) {
        return analysis.failures() + 1 < FAILURES_MAX
                ? new AnalysisOutcome.Again(analysis, pause(analysis.failures()), reason, true)
                : new AnalysisOutcome.Failed(analysis, reason);
    }

    /** Doubles from a second to {@link #PAUSE_MAX}, ±20 %. */
    private Duration pause(int attempts) {
        long planned = Math.min(PAUSE_MAX.toMillis(), 1000L << Math.min(attempts, 20));
        return Duration.ofMillis(Math.round(planned * (0.8 + 0.4 * random.nextDouble())));
    }

    private void count(AnalysisOutcome outcome) {
        String result = switch (outcome) {
            case AnalysisOutcome.Done done -> "done";
            case AnalysisOutcome.Again again -> "again";
            case AnalysisOutcome.Failed failed -> "failed";
            case AnalysisOutcome.Skipped skipped -> "skipped";
        };
        if (outcome instanceof AnalysisOutcome.Failed failed) {
            LOG.warn("analysis {} failed: {}", failed.analysis().analysisId(), failed.reason());
        }
        attempts.count(result);
    }

    @Override
    public Future<Void> record(List<AnalysisOutcome> outcomes) {
        return repository.record(outcomes);
    }

    /** Nothing to do: a claim takes whatever is due. */
    @Override
    public Future<Integer> promote() {
        return Future.succeededFuture(0);
    }

    @Override
    public Future<Void> release(List<DueAnalysis> claimed) {
        return repository.release(claimed);
    }
}
