package io.arbitration.platform.events;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/**
 * The audit trail of cases: user, action, time and address. A line is appended in the transaction of the action, and never
 * changed.
 */
public final class AuditTrail {

    /**
     * A line.
     *
     * @param action verb in the terms of the specification, e.g. {@code filing.submitted}
     * @param subject the changed object, e.g. a filingID; null for the case itself
     */
    public record Line(UUID caseId, Instant at, UUID userId, String action, String subject, String requestId, String address) {

        /** The line for clients. */
        public JsonObject json() {
            return new JsonObject()
                    .put("at", Timestamps.text(at))
                    .put("userID", userId.toString())
                    .put("action", action)
                    .put("subject", subject)
                    .put("requestID", requestId)
                    .put("address", address);
        }
    }

    /** The subject of a line as reader $3 may read it: the hashes of a redacted file are shown to those who may see its docket entry. */
    private static final String SUBJECT = "case action when 'file.redacted' then mainapi_api.redaction_subject(subject, $3) else subject end";

    /** A stored line; IDs increase. */
    public record Entry(long auditId, Line line) {}

    /** Lines of a case before an ID as this user may read them, the newest first, at most this many. */
    public Future<List<Entry>> before(Database database, UUID caseId, long auditId, UUID readerId, int limit) {
        return database.query("""
                select audit_id, case_id, at, user_id, action, %s, request_id, address
                from platform.audit where case_id = $1 and audit_id < $2 order by audit_id desc limit $4
                """.formatted(SUBJECT), Tuple.of(caseId, auditId, readerId, limit), AuditTrail::entry);
    }

    /**
     * Lines of a case after an ID, as a user may read them, that were committed when a snapshot of the database was taken, in the order in which they were
     * written, at most this many. An ID is assigned before its transaction commits, so a line with a lower ID may appear after
     * one with a higher ID; therefore a recent line counts only if its transaction is visible in the snapshot. A row version
     * keeps only 32 bits of its transaction ID, so the transactions of older lines are not compared.
     *
     * @param snapshot the value of {@code pg_current_snapshot()}
     * @param recent lines from this time on are compared with the snapshot; no transaction stays open for longer
     */
    public Future<List<Entry>> inSnapshot(Database database, UUID caseId, long auditId, UUID readerId, String snapshot, Instant recent, int limit) {
        return database.query("""
                with s as (select $4::text::pg_snapshot as snapshot, pg_snapshot_xmax($4::text::pg_snapshot)::text::bigint as next)
                select audit_id, case_id, at, user_id, action, %s, request_id, address
                from (select a.*, a.xmin::text::bigint + (s.next >> 32 << 32) as near, s.snapshot, s.next
                      from platform.audit a, s where a.case_id = $1 and a.audit_id > $2) a
                where at < $5 or pg_visible_in_snapshot(
                  (case when near > next + 2147483648 then near - 4294967296
                        when near < next - 2147483648 then near + 4294967296 else near end)::text::xid8, snapshot)
                order by audit_id limit $6
                """.formatted(SUBJECT), Tuple.of(caseId, auditId, readerId, snapshot, recent.atOffset(ZoneOffset.UTC), limit), AuditTrail::entry);
    }

    private static Entry entry(Row row) {
        return new Entry(row.getLong(0), new Line(row.getUUID(1), row.getOffsetDateTime(2).toInstant(), row.getUUID(3),
                row.getString(4), row.getString(5), row.getString(6), row.getString(7)));
    }

    /** Appends the lines in one statement. */
    public Future<Void> append(SqlClient transaction, List<Line> lines) {
        if (lines.isEmpty()) {
            return Future.succeededFuture();
        }
        return transaction.preparedQuery("""
                insert into platform.audit (case_id, at, user_id, action, subject, request_id, address)
                select case_id, at, user_id, action, subject, request_id, address
                from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[]) with ordinality
                  as line(case_id, at, user_id, action, subject, request_id, address, place)
                order by place
                """).execute(Tuple.of(
                        lines.stream().map(Line::caseId).toArray(UUID[]::new),
                        lines.stream().map(line -> line.at().atOffset(ZoneOffset.UTC)).toArray(OffsetDateTime[]::new),
                        lines.stream().map(Line::userId).toArray(UUID[]::new),
                        lines.stream().map(Line::action).toArray(String[]::new),
                        lines.stream().map(Line::subject).toArray(String[]::new),
                        lines.stream().map(Line::requestId).toArray(String[]::new),
                        lines.stream().map(Line::address).toArray(String[]::new)))
                .mapEmpty();
    }
}
