package io.arbitration.platform.events;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** Who did what in a case, when and from where: appended in the transaction of the deed, never changed. */
public final class AuditTrail {

    /**
     * One line.
     *
     * @param action verb in the specification's words, e.g. {@code filing.submitted}
     * @param subject what it was done to, e.g. a filingID; null when it is the case itself
     */
    public record Line(UUID caseId, Instant at, UUID userId, String action, String subject, String requestId, String address) {}

    /** Appends the lines; one statement, however many. */
    public Future<Void> append(SqlConnection transaction, List<Line> lines) {
        if (lines.isEmpty()) {
            return Future.succeededFuture();
        }
        return transaction.preparedQuery("""
                insert into platform.audit (case_id, at, user_id, action, subject, request_id, address)
                select * from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
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
