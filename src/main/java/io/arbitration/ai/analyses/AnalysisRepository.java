package io.arbitration.ai.analyses;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.PartyId;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.queue.ContentRepository;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The analyses: what each is about, and what came of it. */
final class AnalysisRepository implements ContentRepository<DueAnalysis, AnalysisOutcome> {

    private static final int FORGOTTEN_MAX = 5000;

    private final Database database;

    AnalysisRepository(Database database) {
        this.database = database;
    }

    @Override
    public Future<List<DueAnalysis>> read(List<Lease> leases) {
        Map<Long, Lease> byAnalysis = Lease.byKey(leases);
        return database.query("""
                select a.analysis_id, a.failures, v.prompt, a.include_evidence, a.include_full_case, a.case_id, a.filing_id, a.ran_on, a.entry_id,
                       (select count(*) from ai.analyses t
                        where t.case_id = a.case_id and t.ended >= d.begun and t.state in ('done', 'failed'))::int as run_today,
                       (extract(epoch from d.begun + interval '1 day' - now()) * 1000)::bigint as rest_of_day_millis
                from ai.analyses a
                join ai.prompt_versions v on v.prompt_id = a.prompt_id and v.version = a.prompt_version
                cross join (select date_trunc('day', now(), 'UTC') as begun) d
                where a.analysis_id = any($1)
                """, Tuple.tuple().addArrayOfLong(Lease.keys(leases)), row -> new DueAnalysis(
                        byAnalysis.get(row.getLong(0)), row.getInteger(1), row.getString(2), row.getBoolean(3), row.getBoolean(4),
                        row.getUUID(5), row.getLong(6), row.getString(7).equals("draft"), Optional.ofNullable(row.getLong(8)),
                        row.getInteger(9), Duration.ofMillis(row.getLong(10))));
    }

    /** "infinity" keeps nodes of the release before from claiming what waits: when it is due is kept by the queue. */
    @Override
    public Future<Void> record(SqlConnection transaction, List<AnalysisOutcome> outcomes) {
        Columns<AnalysisOutcome> columns = new Columns<>(outcomes)
                .numbers(outcome -> outcome.lease().key())
                .texts(AnalysisRepository::state)
                .texts(AnalysisRepository::reason)
                .numbers(outcome -> outcome instanceof AnalysisOutcome.Again again && again.counts() ? 1L : 0L)
                .texts(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.content() : null)
                .texts(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.model() : null)
                .texts(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.text() : null)
                .texts(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.inputsJson() : null)
                .numbers(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.usage().promptTokens() : 0L)
                .numbers(outcome -> outcome instanceof AnalysisOutcome.Done done ? done.usage().answerTokens() : 0L);
        return transaction.preparedQuery("""
                update ai.analyses a
                set state = o.state, reason = o.reason, failures = a.failures + o.failures::int,
                    due = case o.state when 'waiting' then 'infinity'::timestamptz end,
                    ended = case when o.state <> 'waiting' then now() end,
                    content = decode(o.content, 'hex'), model = o.model, answer = o.answer, inputs = o.inputs,
                    prompt_tokens = o.prompt_tokens, answer_tokens = o.answer_tokens
                from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::bigint[])
                  as o (analysis_id, state, reason, failures, content, model, answer, inputs, prompt_tokens, answer_tokens)
                where a.analysis_id = o.analysis_id
                """).execute(columns.tuple()).mapEmpty();
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

    /** Somebody's part in a case. */
    record CaseParticipation(Optional<PartyId> partyId) {}

    /** Empty when there is no such case. */
    Future<Optional<CaseParticipation>> participation(CaseId caseId, UUID userId) {
        return database.query("""
                select p.party_id from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                where c.case_id = $1
                """, Tuple.of(caseId.value(), userId), row -> new CaseParticipation(Optional.ofNullable(row.getString(0)).map(PartyId::new)))
                .map(Database::first);
    }

    /**
     * An analysis as a reader sees it.
     *
     * @param inputHashes the stored JSON array
     */
    record Listed(
            long analysisId, long promptId, int promptVersion, long filingId, Optional<Long> entryId, Instant created, String status,
            Optional<String> model, Optional<String> text, Buffer inputHashes) {

        /** What it takes in an answer; at least what the database counts. */
        long bytes() {
            return 400 + text.map(Page::jsonBytes).orElse(0L) + inputHashes.length();
        }
    }

    /**
     * Analyses of a case before an id, the newest first, of filings that a party may see. Of a filing of others it sees only analyses of the
     * present content, because an analysis of an earlier draft would reveal what was removed before the filing was submitted.
     */
    Future<List<Listed>> visible(CaseId caseId, PartyId partyId, long before, int limit, long bytesMax) {
        return database.query("""
                with page as (
                select a.analysis_id, a.prompt_id, a.prompt_version, a.filing_id, a.entry_id, a.created,
                       case when l.key is not null then 'running' else a.state end as status, a.model, a.answer, a.inputs
                from ai.analyses a join mainapi_api.filing_contents f on f.filing_id = a.filing_id
                left join platform_api.queue_leases l on a.state = 'waiting' and l.queue = 'analyses' and l.key = a.analysis_id
                where a.case_id = $1 and a.analysis_id < $3 and (
                  f.party_id = $2
                  or (f.state = 'docketed' or f.submitted_at is not null and f.approver_party = $2)
                    and (a.ran_on = 'docket' or a.content = sha256(convert_to(f.title || E'\\n' || f.fields, 'UTF8'))))
                order by a.analysis_id desc
                limit $4),
                weighed as (
                  select analysis_id, prompt_id, prompt_version, filing_id, entry_id, created, status, model, answer, inputs,
                         octet_length(coalesce(answer, '')) + octet_length(coalesce(inputs, '')) as bytes from page)
                select analysis_id, prompt_id, prompt_version, filing_id, entry_id, created, status, model, answer, inputs
                from (select weighed.*, sum(bytes) over (order by analysis_id desc) - bytes as before,
                             row_number() over (order by analysis_id desc) as place from weighed) summed
                where before <= $5 or place <= 2
                order by analysis_id desc
                """, Tuple.of(caseId.value(), partyId.value(), before, limit, bytesMax), AnalysisRepository::listed);
    }

    private static Listed listed(Row row) {
        return new Listed(row.getLong(0), row.getLong(1), row.getInteger(2), row.getLong(3), Optional.ofNullable(row.getLong(4)),
                row.getOffsetDateTime(5).toInstant(), row.getString(6), Optional.ofNullable(row.getString(7)), Optional.ofNullable(row.getString(8)),
                Buffer.buffer(Optional.ofNullable(row.getString(9)).orElse("[]")));
    }

    /** Removes the oldest analyses that ended before the history to keep; answers how many. One that waits stays. */
    Future<Integer> deleteExpired(Duration history) {
        return database.update("""
                delete from ai.analyses where analysis_id = any (array(
                  select analysis_id from (select analysis_id, state, created from ai.analyses order by analysis_id limit %d) oldest
                  where state <> 'waiting' and created < now() - $1::bigint * interval '1 second'))
                """.formatted(FORGOTTEN_MAX), Tuple.of(history.toSeconds()));
    }
}
