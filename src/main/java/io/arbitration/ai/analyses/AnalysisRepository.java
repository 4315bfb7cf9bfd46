package io.arbitration.ai.analyses;

import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table {@code ai.analyses}, as a queue and as a list. All times of the queue are the database's. */
final class AnalysisRepository {

    private final Database database;

    AnalysisRepository(Database database) {
        this.database = database;
    }

    /** Claims what is due, the oldest first. */
    Future<List<DueAnalysis>> claim(UUID claim, int most, Duration lease) {
        return database.query("""
                with picked as materialized (
                  select analysis_id from ai.analyses where due <= now() order by due, analysis_id limit $2 for update skip locked)
                update ai.analyses a set claim = $1, due = now() + $3::bigint * interval '1 millisecond'
                from picked, ai.prompt_versions v
                where a.analysis_id = picked.analysis_id and v.prompt_id = a.prompt_id and v.version = a.prompt_version
                returning a.analysis_id, a.attempts, a.failures, v.prompt, a.include_evidence, a.include_full_case, a.case_id, a.filing_id, a.ran_on, a.entry_id
                """, Tuple.of(claim, most, lease.toMillis()), row -> new DueAnalysis(
                        row.getLong(0), claim, row.getInteger(1), row.getInteger(2), row.getString(3), row.getBoolean(4), row.getBoolean(5),
                        row.getUUID(6), row.getLong(7), row.getString(8).equals("draft"), Optional.ofNullable(row.getLong(9))));
    }

    /** Makes a lease longer; false when it is another's by now. */
    Future<Boolean> extend(DueAnalysis analysis, Duration lease) {
        return database.update("""
                update ai.analyses set due = now() + $3::bigint * interval '1 millisecond' where analysis_id = $1 and claim = $2
                """, Tuple.of(analysis.analysisId(), analysis.claim(), lease.toMillis())).map(rows -> rows == 1);
    }

    /** Records how attempts went, in one statement. One whose claim is no longer that of the table changes nothing. */
    Future<Void> record(List<AnalysisOutcome> outcomes) {
        Columns<AnalysisOutcome> columns = new Columns<>(outcomes)
                .numbers(outcome -> outcome.analysis().analysisId())
                .ids(outcome -> outcome.analysis().claim())
                .texts(AnalysisRepository::state)
                .texts(AnalysisRepository::reason)
                .numbers(outcome -> outcome instanceof AnalysisOutcome.Again again ? again.pause().toMillis() : 0L)
                .numbers(outcome -> outcome instanceof AnalysisOutcome.Again again && again.counts() ? 1L : 0L)
                .texts(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.content() : null)
                .texts(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.model() : null)
                .texts(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.text() : null)
                .texts(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.inputsJson() : null)
                .numbers(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.usage().promptTokens() : 0L)
                .numbers(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.usage().answerTokens() : 0L);
        return database.update("""
                update ai.analyses a
                set state = o.state, reason = o.reason, claim = null, attempts = a.attempts + 1, failures = a.failures + o.failures::int,
                    due = case o.state when 'waiting' then now() + o.pause_millis * interval '1 millisecond' end,
                    ended = case when o.state <> 'waiting' then now() end,
                    content = decode(o.content, 'hex'), model = o.model, answer = o.answer, inputs = o.inputs,
                    prompt_tokens = o.prompt_tokens, answer_tokens = o.answer_tokens
                from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::text[],
                            $11::bigint[], $12::bigint[])
                  as o (analysis_id, claim, state, reason, pause_millis, failures, content, model, answer, inputs, prompt_tokens, answer_tokens)
                where a.analysis_id = o.analysis_id and a.claim = o.claim
                """, columns.tuple()).mapEmpty();
    }

    private static String state(AnalysisOutcome outcome) {
        return switch (outcome) {
            case AnalysisOutcome.Done done -> "done";
            case AnalysisOutcome.Again again -> "waiting";
            case AnalysisOutcome.Failed failed -> "failed";
            case AnalysisOutcome.Skipped skipped -> "skipped";
        };
    }

    private static String reason(AnalysisOutcome outcome) {
        return switch (outcome) {
            case AnalysisOutcome.Done done -> null;
            case AnalysisOutcome.Again again -> again.reason();
            case AnalysisOutcome.Failed failed -> failed.reason();
            case AnalysisOutcome.Skipped skipped -> skipped.reason();
        };
    }

    /** Gives back what was claimed and not done. */
    Future<Void> release(List<DueAnalysis> claimed) {
        Columns<DueAnalysis> columns = new Columns<>(claimed).numbers(DueAnalysis::analysisId).ids(DueAnalysis::claim);
        return database.update("""
                update ai.analyses a set claim = null, due = now()
                from unnest($1::bigint[], $2::uuid[]) as c (analysis_id, claim)
                where a.analysis_id = c.analysis_id and a.claim = c.claim
                """, columns.tuple()).mapEmpty();
    }

    /** Somebody's part in a case. */
    record Standing(Optional<String> partyId, boolean isObserver) {}

    /** Empty when there is no such case. */
    Future<Optional<Standing>> standing(UUID caseId, UUID userId) {
        return database.query("""
                select p.party_id, p.is_observer from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                where c.case_id = $1
                """, Tuple.of(caseId, userId), row -> new Standing(Optional.ofNullable(row.getString(0)), Boolean.TRUE.equals(row.getBoolean(1))))
                .map(rows -> rows.stream().findFirst());
    }

    /** An analysis as a reader sees it. */
    record Listed(
            long analysisId, long promptId, int promptVersion, long filingId, Optional<Long> entryId, Instant created, String status,
            Optional<String> model, Optional<String> text, JsonArray inputHashes) {}

    /**
     * Analyses of a case before an id, the newest first, of filings that a party may see. What is not its own it sees as the
     * filing stands now: an analysis of an earlier draft would tell what was taken out of it before it was submitted.
     */
    Future<List<Listed>> visible(UUID caseId, String partyId, long before, int limit) {
        return database.query("""
                select a.analysis_id, a.prompt_id, a.prompt_version, a.filing_id, a.entry_id, a.created,
                       case when a.claim is not null and a.due > now() then 'running' else a.state end as status, a.model, a.answer, a.inputs
                from ai.analyses a join mainapi_api.filing_contents f on f.filing_id = a.filing_id
                where a.case_id = $1 and a.analysis_id < $3 and (
                  f.party_id = $2
                  or (f.state = 'docketed' or f.submitted_at is not null and f.approver_party = $2)
                    and (a.ran_on = 'docket' or a.content = sha256(convert_to(f.title || E'\\n' || f.fields, 'UTF8'))))
                order by a.analysis_id desc
                limit $4
                """, Tuple.of(caseId, partyId, before, limit), AnalysisRepository::listed);
    }

    private static Listed listed(Row row) {
        return new Listed(row.getLong(0), row.getLong(1), row.getInteger(2), row.getLong(3), Optional.ofNullable(row.getLong(4)),
                row.getOffsetDateTime(5).toInstant(), row.getString(6), Optional.ofNullable(row.getString(7)), Optional.ofNullable(row.getString(8)),
                Optional.ofNullable(row.getString(9)).map(JsonArray::new).orElseGet(JsonArray::new));
    }
}
