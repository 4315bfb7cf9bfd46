package io.arbitration.ai.analyses;

import io.arbitration.platform.events.LoggedEvent;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Decides which prompts run on an event. */
final class PlanRepository {

    private static final Set<String> KINDS = Set.of("docket_filing", "filing_drafted");

    /** A row for each active prompt that matches, in the transaction that moves the cursor; a prompt runs on what happened since it was made. */
    Future<Void> plan(SqlConnection transaction, List<LoggedEvent> all) {
        List<LoggedEvent> events = all.stream().filter(event -> KINDS.contains(event.kind())).toList();
        if (events.isEmpty()) {
            return Future.succeededFuture();
        }
        List<JsonObject> data = events.stream().map(PlanRepository::payload).toList();
        return transaction.preparedQuery("""
                with planned as (
                  insert into ai.analyses (prompt_id, prompt_version, ran_on, include_evidence, include_full_case, case_id, filing_id, revision,
                                           entry_id, state, created, due)
                  select p.prompt_id, p.version, case when b.docketed then 'docket' else 'draft' end, p.include_evidence, p.include_full_case,
                         f.case_id, f.filing_id, coalesce(b.revision, f.revision), case when b.docketed then f.entry_id end, 'waiting', now(), 'infinity'
                  from unnest($1::boolean[], $2::uuid[], $3::bigint[], $4::bigint[], $5::timestamptz[]) with ordinality
                         as b (docketed, case_id, filing_id, revision, occurred_at, place)
                  join mainapi_api.filing_contents f on f.filing_id = b.filing_id and f.case_id = b.case_id
                  join cases_api.cases c on c.case_id = b.case_id
                  join ai.prompts p on p.document_id = f.document_id and p.rule_set = c.rule_set and p.active and p.created <= b.occurred_at
                    and case when b.docketed then p.trigger_on_docket else p.trigger_on_draft end
                  order by b.place, p.prompt_id
                  on conflict (prompt_id, filing_id, revision) do nothing
                  returning analysis_id, case_id)
                select platform.enqueue('analyses', array_agg(analysis_id order by analysis_id), array_agg(case_id::text order by analysis_id)) from planned
                """).execute(Tuple.of(
                        events.stream().map(event -> event.kind().equals("docket_filing")).toArray(Boolean[]::new),
                        events.stream().map(LoggedEvent::caseId).toArray(UUID[]::new),
                        data.stream().map(one -> number(one.getValue("filingID"))).toArray(Long[]::new),
                        data.stream().map(one -> number(one.getValue("revision"))).toArray(Long[]::new),
                        events.stream().map(event -> event.occurredAt().atOffset(ZoneOffset.UTC)).toArray(OffsetDateTime[]::new)))
                .mapEmpty();
    }

    /** An event that is not in the form of its kind names no filing; it must not keep those behind it from being read. */
    private static JsonObject payload(LoggedEvent event) {
        try {
            return new JsonObject(event.envelope()).getValue("data") instanceof JsonObject data ? data : new JsonObject();
        } catch (DecodeException notJson) {
            return new JsonObject();
        }
    }

    /** Null for what is no number. */
    private static Long number(Object value) {
        String text = String.valueOf(value);
        return text.matches("[0-9]{1,18}") ? Long.valueOf(text) : null;
    }
}
