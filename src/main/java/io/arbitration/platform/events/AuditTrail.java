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

/** Who did what in a case, when and from where. A line is appended in the transaction of what it records, and never changed. */
public final class AuditTrail {

    /**
     * One line.
     *
     * @param action verb in the specification's words, e.g. {@code filing.submitted}
     * @param subject what it was done to, e.g. a filingID; null when it is the case itself
     */
    public record Line(UUID caseId, Instant at, UUID userId, String action, String subject, String requestId, String address) {

        /** The line as clients see it. */
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

    /** A line as it stands in the trail; ids grow with the trail. */
    public record Entry(long auditId, Line line) {}

    /** Lines of a case before an id, the newest first, at most so many. */
    public Future<List<Entry>> before(Database database, UUID caseId, long auditId, int limit) {
        return database.query("""
                select audit_id, case_id, at, user_id, action, subject, request_id, address
                from platform.audit where case_id = $1 and audit_id < $2 order by audit_id desc limit $3
                """, Tuple.of(caseId, auditId, limit), AuditTrail::entry);
    }

    /** Lines of a case after an id, in the order in which they were written, at most so many. */
    public Future<List<Entry>> after(Database database, UUID caseId, long auditId, int limit) {
        return database.query("""
                select audit_id, case_id, at, user_id, action, subject, request_id, address
                from platform.audit where case_id = $1 and audit_id > $2 order by audit_id limit $3
                """, Tuple.of(caseId, auditId, limit), AuditTrail::entry);
    }

    /**
     * Lines of a case after an id that were committed when a snapshot of the database was taken, in the order in which they were
     * written, at most so many. An id is given before its transaction commits, so a line with a lower id may appear after one
     * with a higher id; therefore a recent line counts only if its transaction is visible in the snapshot. A row version keeps
     * only 32 bits of the number of its transaction, which is why the transactions of older lines are not compared.
     *
     * @param snapshot as {@code pg_current_snapshot()} answered it
     * @param recent lines of that time and later are compared with the snapshot; no transaction is open for longer
     */
    public Future<List<Entry>> inSnapshot(Database database, UUID caseId, long auditId, String snapshot, Instant recent, int limit) {
        return database.query("""
                with s as (select $3::text::pg_snapshot as snapshot, pg_snapshot_xmax($3::text::pg_snapshot)::text::bigint as next)
                select audit_id, case_id, at, user_id, action, subject, request_id, address
                from (select a.*, a.xmin::text::bigint + (s.next >> 32 << 32) as near, s.snapshot, s.next
                      from platform.audit a, s where a.case_id = $1 and a.audit_id > $2) a
                where at < $4 or pg_visible_in_snapshot(
                  (case when near > next + 2147483648 then near - 4294967296
                        when near < next - 2147483648 then near + 4294967296 else near end)::text::xid8, snapshot)
                order by audit_id limit $5
                """, Tuple.of(caseId, auditId, snapshot, recent.atOffset(ZoneOffset.UTC), limit), AuditTrail::entry);
    }

    private static Entry entry(Row row) {
        return new Entry(row.getLong(0), new Line(row.getUUID(1), row.getOffsetDateTime(2).toInstant(), row.getUUID(3),
                row.getString(4), row.getString(5), row.getString(6), row.getString(7)));
    }

    /** Appends the lines; one statement, however many. */
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
