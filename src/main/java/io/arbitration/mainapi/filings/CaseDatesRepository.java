package io.arbitration.mainapi.filings;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseDates;
import io.arbitration.domain.cases.CaseDeadline.TriggeringEntry;
import io.arbitration.domain.time.Seat;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The dates from which deadlines are counted: creation of the case, starts of phases, docket entries; and granted extensions. */
final class CaseDatesRepository {

    /**
     * The dates of these cases; a case that does not exist is left out.
     *
     * @param documentTypesThatStartDeadlines the newest entry of each of these is read, and every entry with an extended deadline
     */
    Future<Map<CaseId, CaseDates>> find(SqlClient client, Collection<CaseId> caseIds, List<DocumentTypeId> documentTypesThatStartDeadlines) {
        UUID[] ids = caseIds.stream().map(CaseId::value).toArray(UUID[]::new);
        Future<List<DatedFact>> facts = facts(client, ids, documentTypesThatStartDeadlines);
        Future<Map<CaseId, Map<CaseDates.Extended, Instant>>> extended = extended(client, ids);
        return Future.all(facts, extended).map(read -> dates(facts.result(), extended.result()));
    }

    private static Map<CaseId, CaseDates> dates(List<DatedFact> facts, Map<CaseId, Map<CaseDates.Extended, Instant>> extended) {
        return facts.stream().filter(fact -> fact.kind.equals("created")).collect(Collectors.toMap(DatedFact::caseId,
                created -> new CaseDates(created.days, created.at, dates(facts, "start", created.caseId, PhaseId::new),
                        triggering(facts, created.caseId), extended.getOrDefault(created.caseId, Map.of()), Seat.of(created.of))));
    }

    /** The extended deadlines of these cases, with their new dates. */
    private static Future<Map<CaseId, Map<CaseDates.Extended, Instant>>> extended(SqlClient client, UUID[] caseIds) {
        return query(client, """
                select case_id, document_id, party_id, trigger_entry, trigger_at, extended_to
                from cases_api.extended_deadlines where case_id = any($1)
                """, Tuple.tuple().addArrayOfUUID(caseIds), row -> new ExtendedFact(new CaseId(row.getUUID("case_id")),
                        new CaseDates.Extended(new DocumentTypeId(row.getString("document_id")), new PartyId(row.getString("party_id")),
                                Optional.ofNullable(row.getLong("trigger_entry")).map(EntryId::new), row.getOffsetDateTime("trigger_at").toInstant()),
                        row.getOffsetDateTime("extended_to").toInstant()))
                .map(found -> found.stream().collect(Collectors.groupingBy(ExtendedFact::caseId,
                        Collectors.toMap(ExtendedFact::deadline, ExtendedFact::until, (one, other) -> one.isAfter(other) ? one : other))));
    }

    private record ExtendedFact(CaseId caseId, CaseDates.Extended deadline, Instant until) {}

    private static Future<List<DatedFact>> facts(SqlClient client, UUID[] caseIds, List<DocumentTypeId> documentTypesThatStartDeadlines) {
        return query(client, """
                select 'start' as kind, case_id, phase_id as of, started_at as at, 0 as days, null::bigint as entry_id
                from cases_api.phase_starts where case_id = any($1)
                union all
                select 'docketed', case_id, document_id, entered_at, 0, entry_id from mainapi_api.triggering_entries($1, $2)
                union all
                select 'created', case_id, coalesce(seat, ''), created, response_deadline_days, null from cases_api.cases where case_id = any($1)
                """, Tuple.tuple().addArrayOfUUID(caseIds).addArrayOfString(documentTypesThatStartDeadlines.stream().map(DocumentTypeId::value).toArray(String[]::new)),
                row -> new DatedFact(row.getString("kind"), new CaseId(row.getUUID("case_id")), row.getString("of"),
                        row.getOffsetDateTime("at").toInstant(), row.getInteger("days"), row.getLong("entry_id")));
    }

    /**
     * A date of a case.
     *
     * @param kind    {@code start} of a phase, {@code docketed} of an entry, or {@code created} of the case
     * @param of      the phase, the document type, or the seat of the case
     * @param days    the response deadline of the case; 0 for the other kinds
     * @param entryId the docket entry; null for the other kinds
     */
    private record DatedFact(String kind, CaseId caseId, String of, Instant at, int days, Long entryId) {}

    private static List<TriggeringEntry> triggering(List<DatedFact> facts, CaseId caseId) {
        return facts.stream().filter(fact -> fact.kind.equals("docketed") && fact.caseId.equals(caseId))
                .map(fact -> new TriggeringEntry(new EntryId(fact.entryId), new DocumentTypeId(fact.of), fact.at)).toList();
    }

    private static <I> Map<I, Instant> dates(List<DatedFact> facts, String kind, CaseId caseId, Function<String, I> id) {
        return facts.stream()
                .filter(fact -> fact.kind.equals(kind) && fact.caseId.equals(caseId))
                .collect(Collectors.toMap(fact -> id.apply(fact.of), DatedFact::at));
    }
}
