package io.arbitration.mainapi.notice;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.docket.Seal;
import io.arbitration.domain.notice.NoticeCase;
import io.arbitration.domain.notice.NoticeCase.Participant;
import io.arbitration.domain.notice.ServedEntry;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The facts of a case that the rules of service of notice need. */
final class NoticeCaseRepository {

    private static final String CASE = """
            select c.status, c.sandbox_now, p.user_id, p.party_id, p.organization_id, p.is_observer, p.may_file, u.email,
                   nullif(trim(n.first_name || ' ' || n.last_name), '') as name
            from cases_api.cases c
            left join cases_api.participants p on p.case_id = c.case_id
            left join identity_api.users u on u.user_id = p.user_id
            left join identity_api.public_users n on n.user_id = p.user_id
            where c.case_id = $1
            """;

    private final Database database;

    NoticeCaseRepository(Database database) {
        this.database = database;
    }

    /** Empty when there is no such case. */
    Future<Optional<NoticeCase>> find(CaseId caseId) {
        return database.query(CASE, Tuple.of(caseId.value()), row -> row).map(NoticeCaseRepository::noticeCase);
    }

    /**
     * The same, locked until the transaction ends. It is read by a second statement after the lock: a statement that waited for the lock
     * would see the participants as they were before the wait, and so a removed participant could still serve a notice.
     */
    static Future<Optional<NoticeCase>> findLocked(SqlConnection transaction, CaseId caseId) {
        Tuple id = Tuple.of(caseId.value());
        return Database.query(transaction, "select from cases_api.cases where case_id = $1 for share", id, row -> row)
                .compose(locked -> Database.query(transaction, CASE, id, row -> row)).map(NoticeCaseRepository::noticeCase);
    }

    private static Optional<NoticeCase> noticeCase(List<Row> rows) {
        return rows.stream().findFirst().map(first -> new NoticeCase("open".equals(first.getString("status")),
                new CaseClock(Optional.ofNullable(first.getOffsetDateTime("sandbox_now")).map(OffsetDateTime::toInstant)),
                rows.stream().filter(row -> row.getUUID("user_id") != null).map(NoticeCaseRepository::participant).toList()));
    }

    private static Participant participant(Row row) {
        return new Participant(new UserId(row.getUUID("user_id")), new PartyId(row.getString("party_id")),
                Optional.ofNullable(row.getUUID("organization_id")).map(OrganizationId::new), row.getBoolean("is_observer"),
                row.getBoolean("may_file"),
                Optional.ofNullable(row.getString("name")), Optional.ofNullable(row.getString("email")));
    }

    /** The hearing of that id, if it is of that case. */
    Future<Optional<ServedHearing>> hearing(CaseId caseId, HearingId hearingId) {
        return database.read(client -> hearing(client, caseId, hearingId));
    }

    /** The same, read in a transaction. */
    static Future<Optional<ServedHearing>> hearing(SqlClient client, CaseId caseId, HearingId hearingId) {
        return Database.query(client, """
                select c.title as case_title, c.sandbox_now is not null as in_sandbox, h.title, h.starts_at, h.duration_minutes, h.time_zone, h.place, h.link, h.agenda, h.revision, h.updated,
                       h.is_cancelled
                from cases_api.hearings h join cases_api.cases c using (case_id)
                where h.case_id = $1 and h.hearing_id = $2
                """, Tuple.of(caseId.value(), hearingId.value()), row -> new ServedHearing(hearingId, caseId,
                        CaseClock.marked(row.getString("case_title"), row.getBoolean("in_sandbox")), row.getString("title"),
                        row.getOffsetDateTime("starts_at").toInstant(), Duration.ofMinutes(row.getInteger("duration_minutes")), ZoneId.of(row.getString("time_zone")),
                        Optional.ofNullable(row.getString("place")), Optional.ofNullable(row.getString("link")), Optional.ofNullable(row.getString("agenda")),
                        row.getLong("revision"), row.getOffsetDateTime("updated").toInstant(), row.getBoolean("is_cancelled")))
                .map(found -> found.stream().findFirst());
    }

    /** The facts of a docket entry that decide who may serve it: its filer, and whether a party approved it. */
    Future<ServedEntry> entry(long entryId) {
        return database.read(client -> entry(client, entryId));
    }

    /** The same, read in a transaction. */
    static Future<ServedEntry> entry(SqlClient client, long entryId) {
        return Database.query(client, """
                select e.party_id, f.approver_party is not null, s.visible_to, s.reason
                from mainapi.entries e join mainapi.filings f on f.filing_id = e.filing_id
                left join mainapi.seals s on s.entry_id = e.entry_id
                where e.entry_id = $1
                """, Tuple.of(entryId), row -> new ServedEntry(new PartyId(row.getString(0)), row.getBoolean(1),
                        Optional.ofNullable(row.getArrayOfStrings(2)).map(parties -> new Seal.Terms(Stream.of(parties).map(PartyId::new).toList(),
                                row.getString(3))))).map(List::getFirst);
    }
}
