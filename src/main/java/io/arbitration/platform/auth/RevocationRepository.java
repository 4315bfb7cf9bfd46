package io.arbitration.platform.auth;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/** The table {@code platform.revocations}. */
final class RevocationRepository {

    /** A session that ended (no permission), or a permission that a user lost. */
    record Revocation(UUID subjectId, String permission, Instant at) {}

    private final Database database;

    RevocationRepository(Database database) {
        this.database = database;
    }

    Future<List<Revocation>> since(Instant instant) {
        return database.query("""
                select subject_id, permission, at from platform.revocations where at >= $1 order by at
                """, Tuple.of(instant.atOffset(ZoneOffset.UTC)), RevocationRepository::revocation);
    }

    Future<Void> insert(SqlConnection transaction, UUID subjectId, String permission, Instant at) {
        return transaction.preparedQuery("""
                insert into platform.revocations (subject_id, permission, at) values ($1, $2, $3)
                """).execute(Tuple.of(subjectId, permission, at.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    private static Revocation revocation(Row row) {
        return new Revocation(row.getUUID("subject_id"), row.getString("permission"),
                row.get(OffsetDateTime.class, "at").toInstant());
    }
}
