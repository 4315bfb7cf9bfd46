package io.arbitration.mainapi.filings;

import static io.arbitration.platform.db.Database.query;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.docket.DocketHead;
import io.arbitration.domain.filing.Filing;
import io.arbitration.mainapi.files.FiledFiles;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/** Reads filings for those who may see them: one, or a page of them. */
final class FilingReadRepository {

    private final Database database;

    FilingReadRepository(Database database) {
        this.database = database;
    }

    /**
     * A case and a user's part in it. The query checks no rights. The caller of this class decides by the result whether the user may know
     * of the case.
     */
    record CaseOfRequester(FilingRepository.CaseRow caseRow, Optional<Participant> participant) {}

    private static final String STANDING = """
            c.case_id as of_case, c.rule_set, c.phase_id as of_phase, c.status, c.sandbox_now, p.user_id as part_user,
            p.organization_id as part_organization, p.party_id as part_party, p.is_primary, p.is_observer, p.may_file
            """;

    /** Empty if there is no such case. Checks no rights, and does not read the head of the docket. */
    Future<Optional<CaseOfRequester>> participation(CaseId caseId, UserId userId) {
        return database.query("select " + STANDING + """
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                where c.case_id = $1
                """, Tuple.of(caseId.value(), userId.value()), FilingReadRepository::participation).map(Database::first);
    }

    private static CaseOfRequester participation(Row row) {
        return new CaseOfRequester(FilingRepository.caseRow(row, DocketHead.EMPTY), FilingRepository.participant(row));
    }

    /** A filing. @param withheld whether its docket entry is sealed and withheld from the reader */
    record Read(Filing filing, boolean withheld) {}

    /** A {@link CaseOfRequester} and a filing of that case; empty if the case has no filing of that id. The query checks no rights. */
    record FilingParticipation(CaseOfRequester participation, Optional<Read> read) {}

    /** Empty if there is no such case. Checks only the seal; the caller of this class decides whether the user may see the filing. */
    Future<Optional<FilingParticipation>> participation(CaseId caseId, UserId userId, FilingId filingId) {
        return database.query("select " + STANDING + ", " + FilingRepository.FILING_COLUMNS + """
                , f.entry_id is not null and mainapi.withheld(f.entry_id, $2) as withheld
                from cases_api.cases c
                left join cases_api.participants p on p.case_id = c.case_id and p.user_id = $2
                left join mainapi.filings f on f.case_id = c.case_id and f.filing_id = $3
                where c.case_id = $1
                """, Tuple.of(caseId.value(), userId.value(), filingId.value()), row -> new FilingParticipation(participation(row),
                        row.getLong("filing_id") == null ? Optional.empty() : Optional.of(new Read(FilingRepository.filing(row), row.getBoolean("withheld")))))
                .map(Database::first);
    }

    /** The conditions of a list. */
    record Filter(Optional<String> state, Optional<String> documentId, Optional<String> partyId) {}

    /** One page of the filings of a case that a participant may see, before an id, the newest first. */
    Future<Page<ListedFiling>> visible(CaseId caseId, Participant participant, Filter filter, long beforeFilingId, PageBound bound) {
        return page("""
                select f.filing_id, octet_length(f.fields) + octet_length(f.title) + 500 * (select count(*) from mainapi.files x where x.filing_id = f.filing_id) as bytes, row_number() over (order by f.filing_id desc) as n
                from mainapi.filings f
                where f.case_id = $3 and f.filing_id < $4
                  and (f.state = 'docketed' or f.party_id = $5 or (f.submitted_at is not null and f.approver_party = $5))
                  and (f.entry_id is null or f.entry_id <> all (
                    (select array(select s.entry_id from mainapi.seals s where s.case_id = $3 and mainapi.withheld(s.entry_id, $9)))::bigint[]))
                  and ($6::text is null or f.state = $6) and ($7::text is null or f.document_id = $7) and ($8::text is null or f.party_id = $8)
                order by f.filing_id desc
                limit $1
                """, bound, caseId.value(), beforeFilingId, participant.partyId().value(), filter.state.orElse(null),
                filter.documentId.orElse(null), filter.partyId.orElse(null), participant.userId().value());
    }

    /** The position of a page of filings that await approval: after the one with this time of submission and this id. */
    record PendingPlace(Instant submittedAt, long filingId) {

        static final PendingPlace FIRST = new PendingPlace(Instant.EPOCH, 0);
    }

    /** One page of the filings that a user can approve or reject now, in all open cases or in one, in the order of submission. */
    Future<Page<ListedFiling>> pendingApproval(UserId userId, Optional<CaseId> caseId, PendingPlace after, PageBound bound) {
        return page("""
                select f.filing_id, octet_length(f.fields) + octet_length(f.title) + 500 * (select count(*) from mainapi.files x where x.filing_id = f.filing_id) as bytes,
                       row_number() over (order by f.submitted_at, f.filing_id) as n
                from cases_api.participants p
                join cases_api.cases c on c.case_id = p.case_id and c.status = 'open'
                join mainapi.filings f on f.case_id = p.case_id and f.state = 'submitted' and f.approver_party = p.party_id
                where p.user_id = $3 and not p.is_observer and f.user_id <> $3 and ($4::uuid is null or p.case_id = $4)
                  and (f.submitted_at, f.filing_id) > ($5::timestamptz, $6)
                order by f.submitted_at, f.filing_id
                limit $1
                """, bound, userId.value(), caseId.map(CaseId::value).orElse(null), after.submittedAt.atOffset(ZoneOffset.UTC), after.filingId);
    }

    /**
     * The bounds of a page.
     *
     * @param bytes a page ends with the filing that takes the sum of titles, fields and 500 for each file to this; so it has at least one
     *     filing
     */
    record PageBound(int filings, int bytes) {}

    /**
     * Reads the filings that a query finds, in its order. It first reads their sizes, so that only the texts of the page are read.
     *
     * @param found a query that gives {@code filing_id}, its {@code bytes}, and its place {@code n}, from 1
     * @param values the parameters of that query from $3 on
     */
    private Future<Page<ListedFiling>> page(String found, PageBound bound, Object... values) {
        // One filing more than the page has shows that another page follows.
        Tuple all = Tuple.of(bound.filings + 1, (long) bound.bytes);
        for (Object value : values) {
            all.addValue(value);
        }
        return database.query("with found as (" + found + """
                ),
                sized as (select filing_id, n, sum(bytes) over (order by n) - bytes as bytes_before from found)
                select\s""" + FilingRepository.BARE_COLUMNS + """
                , convert_to(f.fields, 'UTF8') as fields, (select count(*) from found) as found
                from sized s join mainapi.filings f on f.filing_id = s.filing_id
                where s.bytes_before < $2 and s.n < $1
                order by s.n
                """, all, row -> new Counted(listed(row), row.getLong("found")))
                .map(rows -> new Page<>(rows.stream().map(Counted::filing).toList(), !rows.isEmpty() && rows.getFirst().found > rows.size()));
    }

    private record Counted(ListedFiling filing, long found) {}

    private static ListedFiling listed(Row row) {
        return new ListedFiling(row.getLong("filing_id"), row.getUUID("case_id"), row.getString("document_id"), row.getString("phase_id"),
                row.getString("party_id"), row.getUUID("user_id"), Optional.ofNullable(row.getUUID("organization_id")), row.getString("state"),
                row.getString("title"), row.getBuffer("fields"), row.getLong("revision"), row.getOffsetDateTime("created").toInstant(),
                row.getOffsetDateTime("updated").toInstant(), Optional.ofNullable(row.getLong("supersedes")),
                Optional.ofNullable(row.getLong("parent_entry_id")), FilingRepository.instant(row, "submitted_at"), FilingRepository.instant(row, "decided_at"),
                Optional.ofNullable(row.getUUID("decided_by")), Optional.ofNullable(row.getString("reason")), Optional.ofNullable(row.getLong("entry_id")),
                Optional.ofNullable(row.getString("sealed")), FiledFiles.read(row.getString("files")));
    }
}
