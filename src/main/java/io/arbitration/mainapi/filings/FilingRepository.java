package io.arbitration.mainapi.filings;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.docket.DocketHead;
import io.arbitration.domain.filing.CaseSnapshot.Quota;
import io.arbitration.domain.filing.Filing;
import io.arbitration.domain.filing.FilingState;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.mainapi.files.FiledFiles;
import io.arbitration.mainapi.docket.SealTerms;
import io.arbitration.platform.db.Columns;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of filings, and what decisions on filings depend on, except for the dates of a case ({@link CaseDatesRepository}). */
final class FilingRepository {

    /** The columns of a filing without its fields. */
    static final String BARE_COLUMNS = """
            f.filing_id, f.case_id, f.document_id, f.phase_id, f.party_id, f.user_id, f.organization_id, f.state, f.title,
            f.supersedes, f.parent_entry_id, f.revision, f.created, f.updated, f.submitted_at, f.approver_party,
            f.decided_at, f.decided_by, f.reason, f.entry_id, f.late, f.sealed,
            """ + FiledFiles.column("f.filing_id") + " as files";
    static final String FILING_COLUMNS = BARE_COLUMNS + ", f.fields\n";

    private final Database database;

    FilingRepository(Database database) {
        this.database = database;
    }

    /** What decisions on filings need of the case itself. */
    record CaseRow(CaseId caseId, String ruleSet, PhaseId phaseId, boolean isOpen, CaseClock clock, DocketHead head) {}

    /**
     * Locks the heads of these cases in the order of their ids, so that two batches cannot wait for each other. The shared lock on
     * the case keeps it from changing its phase or being closed meanwhile. A case without a head is left out.
     */
    Future<List<CaseRow>> lockHeads(SqlConnection transaction, Collection<CaseId> caseIds) {
        return query(transaction, """
                select h.case_id as of_case, c.rule_set, c.phase_id as of_phase, c.status, c.sandbox_now, h.last_number, h.head_hash, h.entered_at
                from mainapi.heads h join cases_api.cases c on c.case_id = h.case_id
                where h.case_id = any($1)
                order by h.case_id
                for no key update of h for share of c
                """, Tuple.of(uuids(caseIds)), row -> caseRow(row, new DocketHead(row.getInteger("last_number"), row.getString("head_hash"),
                        instant(row, "entered_at").orElse(Instant.EPOCH))));
    }

    static CaseRow caseRow(Row row, DocketHead head) {
        return new CaseRow(new CaseId(row.getUUID("of_case")), row.getString("rule_set"), new PhaseId(row.getString("of_phase")),
                "open".equals(row.getString("status")), new CaseClock(instant(row, "sandbox_now")), head);
    }

    /** Makes the heads of cases that have none. When another node makes the same head at once, this waits until it is there. */
    Future<Void> makeHeads(SqlConnection transaction, Collection<CaseId> caseIds) {
        return transaction.preparedQuery("""
                insert into mainapi.heads (case_id)
                select case_id from cases_api.cases where case_id = any($1) order by case_id
                on conflict do nothing
                """).execute(Tuple.of(uuids(caseIds))).mapEmpty();
    }

    /** What a command refers to. */
    record Subject(CaseId caseId, UserId userId, Optional<FilingId> filingId) {}

    /**
     * The participant and the filing that were found, and a new id: a filing's if the command names no filing, otherwise a docket entry's.
     */
    record Found(Optional<Participant> participant, Optional<Filing> filing, long freshId) {}

    /** What was found of each subject, in their order. */
    Future<List<Found>> find(SqlConnection transaction, List<Subject> subjects) {
        return query(transaction, """
                select p.user_id as part_user, p.organization_id as part_organization, p.party_id as part_party, p.is_primary, p.is_observer, p.may_file,
                       case when k.filing_id is null then nextval('mainapi.filing_id') else nextval('mainapi.entry_id') end as fresh_id,
                """ + FILING_COLUMNS + """
                from unnest($1::uuid[], $2::uuid[], $3::bigint[]) with ordinality as k (case_id, user_id, filing_id, n)
                left join cases_api.participants p on p.case_id = k.case_id and p.user_id = k.user_id
                left join mainapi.filings f on f.filing_id = k.filing_id and f.case_id = k.case_id
                order by k.n
                """, new Columns<>(subjects)
                        .ids(subject -> subject.caseId.value()).ids(subject -> subject.userId.value())
                        .numbers(subject -> subject.filingId.map(FilingId::value).orElse(null)).tuple(),
                row -> new Found(participant(row), row.getLong("filing_id") == null ? Optional.empty() : Optional.of(filing(row)),
                        row.getLong("fresh_id")));
    }

    /** As {@link io.arbitration.mainapi.ParticipantRow}, beside the columns of a filing, which has a party and an organization, too. */
    static Optional<Participant> participant(Row row) {
        return row.getUUID("part_user") == null ? Optional.empty() : Optional.of(new Participant(new UserId(row.getUUID("part_user")),
                Optional.ofNullable(row.getUUID("part_organization")).map(OrganizationId::new), new PartyId(row.getString("part_party")),
                row.getBoolean("is_primary"), row.getBoolean("is_observer"), row.getBoolean("may_file")));
    }

    /** A quota of a case. */
    record CaseQuota(CaseId caseId, Quota quota) {}

    /** How often each quota is used, in their order. */
    Future<List<Integer>> used(SqlClient client, List<CaseQuota> quotas) {
        return query(client, """
                select (select count(*) from mainapi.filings f
                        where f.case_id = q.case_id and f.phase_id = q.phase_id and f.party_id = q.party_id
                          and f.document_id = q.document_id and f.state in ('submitted', 'docketed'))
                from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality
                       as q (case_id, phase_id, party_id, document_id, n)
                order by q.n
                """, new Columns<>(quotas)
                        .ids(one -> one.caseId.value()).texts(one -> one.quota.phaseId().value()).texts(one -> one.quota.partyId().value())
                        .texts(one -> one.quota.documentTypeId().value()).tuple(), row -> row.getInteger(0));
    }

    /** A party of a case. */
    record CaseParty(CaseId caseId, PartyId partyId) {}

    /** How many drafts and rejected filings each of these parties has, in their order; counted up to a bound. */
    Future<List<Integer>> openDrafts(SqlClient client, List<CaseParty> parties, int countMax) {
        return query(client, """
                select (select count(*) from (select from mainapi.filings f
                        where f.case_id = q.case_id and f.party_id = q.party_id and f.state in ('draft', 'rejected') limit $3) as counted)
                from unnest($1::uuid[], $2::text[]) with ordinality as q (case_id, party_id, n)
                order by q.n
                """, new Columns<>(parties).ids(one -> one.caseId.value()).texts(one -> one.partyId.value()).tuple().addValue(countMax),
                row -> row.getInteger(0));
    }

    /** Inserts or updates filings. */
    Future<Void> write(SqlConnection transaction, List<Filing> filings) {
        return transaction.preparedQuery("""
                insert into mainapi.filings (filing_id, case_id, document_id, phase_id, party_id, user_id, organization_id, state, title,
                  fields, supersedes, parent_entry_id, revision, created, updated, submitted_at, approver_party, decided_at, decided_by,
                  reason, entry_id, late, sealed)
                select f.filing_id, f.case_id, f.document_id, f.phase_id, f.party_id, f.user_id, f.organization_id, f.state, f.title,
                  f.fields, f.supersedes, f.parent_entry_id, f.revision, f.created, f.updated, f.submitted_at, f.approver_party,
                  f.decided_at, f.decided_by, f.reason, f.entry_id, f.late, f.sealed
                from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[],
                  $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::timestamptz[],
                  $15::timestamptz[], $16::timestamptz[], $17::text[], $18::timestamptz[], $19::uuid[], $20::text[], $21::bigint[],
                  $22::boolean[], $23::text[])
                  as f (filing_id, case_id, document_id, phase_id, party_id, user_id, organization_id, state, title, fields, supersedes,
                  parent_entry_id, revision, created, updated, submitted_at, approver_party, decided_at, decided_by, reason, entry_id, late,
                  sealed)
                on conflict (filing_id) do update set
                  phase_id = excluded.phase_id, state = excluded.state, title = excluded.title, fields = excluded.fields,
                  supersedes = excluded.supersedes, parent_entry_id = excluded.parent_entry_id, revision = excluded.revision,
                  updated = excluded.updated, submitted_at = excluded.submitted_at, approver_party = excluded.approver_party,
                  decided_at = excluded.decided_at, decided_by = excluded.decided_by, reason = excluded.reason,
                  entry_id = excluded.entry_id, late = excluded.late
                """).execute(values(filings)).mapEmpty();
    }

    private static Tuple values(List<Filing> filings) {
        return new Columns<>(filings)
                .numbers(filing -> filing.filingId().value()).ids(filing -> filing.caseId().value())
                .texts(filing -> filing.document().documentTypeId().value()).texts(filing -> filing.document().phaseId().value())
                .texts(filing -> filing.partyId().value()).ids(filing -> filing.document().userId().value())
                .ids(filing -> filing.document().organizationId().map(OrganizationId::value).orElse(null))
                .texts(filing -> filing.state().wireName()).texts(filing -> filing.content().title())
                .texts(filing -> new JsonObject(filing.content().fields()).encode())
                .numbers(filing -> filing.content().supersedes().map(EntryId::value).orElse(null))
                .numbers(filing -> filing.content().parentEntryId().map(EntryId::value).orElse(null))
                .numbers(filing -> filing.document().revision()).times(filing -> filing.document().created())
                .times(filing -> filing.document().updated())
                .times(filing -> filing.submission().map(Filing.Submission::at).orElse(null))
                .texts(filing -> filing.submission().flatMap(Filing.Submission::approver).map(PartyId::value).orElse(null))
                .times(filing -> decision(filing).map(Decided::at).orElse(null))
                .ids(filing -> decision(filing).map(by -> by.by.value()).orElse(null))
                .texts(filing -> filing.rejection().map(Filing.Rejection::reason).orElse(null))
                .numbers(filing -> filing.docketedAs().map(EntryId::value).orElse(null))
                .flags(filing -> filing.submission().filter(Filing.Submission::late).isPresent())
                .texts(filing -> filing.document().sealed().map(terms -> SealTerms.json(terms).encode()).orElse(null))
                .tuple();
    }

    /** Who rejected or approved a filing, and when: the same two columns store either. */
    private record Decided(UserId by, Instant at) {}

    private static Optional<Decided> decision(Filing filing) {
        return filing instanceof Filing.Docketed docketed ? docketed.approval().map(approval -> new Decided(approval.by(), approval.at()))
                : filing.rejection().map(rejection -> new Decided(rejection.by(), rejection.at()));
    }

    static Filing filing(Row row) {
        Filing.Content content = new Filing.Content(row.getString("title"), new JsonObject(row.getString("fields")).getMap(),
                Optional.ofNullable(row.getLong("supersedes")).map(EntryId::new), Optional.ofNullable(row.getLong("parent_entry_id")).map(EntryId::new),
                FiledFiles.read(row.getString("files")));
        Filing.Document document = new Filing.Document(new FilingId(row.getLong("filing_id")), new CaseId(row.getUUID("case_id")),
                new DocumentTypeId(row.getString("document_id")), new PhaseId(row.getString("phase_id")), new PartyId(row.getString("party_id")),
                new UserId(row.getUUID("user_id")), Optional.ofNullable(row.getUUID("organization_id")).map(OrganizationId::new), content,
                row.getLong("revision"), row.getOffsetDateTime("created").toInstant(), row.getOffsetDateTime("updated").toInstant(),
                Optional.ofNullable(row.getString("sealed")).map(JsonObject::new).map(SealTerms::of));
        Optional<Filing.Submission> submission = instant(row, "submitted_at").map(at -> new Filing.Submission(at,
                Optional.ofNullable(row.getString("approver_party")).map(PartyId::new), row.getBoolean("late")));
        Optional<Decided> decided = instant(row, "decided_at").map(at -> new Decided(new UserId(row.getUUID("decided_by")), at));
        Optional<Filing.Rejection> rejection = Optional.ofNullable(row.getString("reason"))
                .flatMap(reason -> decided.map(by -> new Filing.Rejection(by.by, by.at, reason)));
        return switch (FilingState.ofWireName(row.getString("state")).orElseThrow()) {
            case DRAFT -> new Filing.Draft(document, rejection);
            case SUBMITTED -> new Filing.Submitted(document, submission.orElseThrow());
            case DOCKETED -> new Filing.Docketed(document, submission.orElseThrow(),
                    decided.map(by -> new Filing.Approval(by.by, by.at)), new EntryId(row.getLong("entry_id")));
            case REJECTED -> new Filing.Rejected(document, submission.orElseThrow(), rejection.orElseThrow());
            case WITHDRAWN -> new Filing.Withdrawn(document, submission, rejection);
        };
    }

    static Optional<Instant> instant(Row row, String column) {
        return Optional.ofNullable(row.getOffsetDateTime(column)).map(OffsetDateTime::toInstant);
    }

    private static UUID[] uuids(Collection<CaseId> caseIds) {
        return caseIds.stream().map(CaseId::value).toArray(UUID[]::new);
    }
}
