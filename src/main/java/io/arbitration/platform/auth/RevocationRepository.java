package io.arbitration.platform.auth;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** The table {@code platform.revocations}. */
final class RevocationRepository {

    /** A session that ended, or will end at a planned time (no grant, no revision), or a grant that a user lost at a revision. */
    record Revocation(UUID subjectId, String grant, Long revision, Instant at, boolean isPlanned) {
        boolean isOfSession() {
            return grant == null;
        }
    }

    private final Database database;

    RevocationRepository(Database database) {
        this.database = database;
    }

    /** The position after a page. */
    record Position(Instant at, UUID subjectId, String grant) {
        private static final UUID FIRST = new UUID(0, 0);

        /** The position after all later rows: the next page begins with the rows up to this instant. */
        static Position justAfter(Instant at) {
            return new Position(at.plusMillis(1), FIRST, "");
        }

        static Position of(Revocation row) {
            return new Position(row.at(), row.subjectId(), row.grant() == null ? "" : row.grant());
        }
    }

    /** Revocations, the latest first, after a position and not older than an instant. */
    Future<List<Revocation>> page(Instant since, Position before, int most) {
        return database.query("""
                select subject_id, permission, revision, at, is_planned from platform.revocations
                where at >= $1 and (at, subject_id, coalesce(permission, '')) < ($2, $3, $4)
                order by at desc, subject_id desc, coalesce(permission, '') desc limit $5
                """, Tuple.of(since.atOffset(ZoneOffset.UTC), before.at().atOffset(ZoneOffset.UTC), before.subjectId(), before.grant(), most),
                RevocationRepository::revocation);
    }

    /** The end of a session, and for each permission that a user lost the latest loss. */
    Future<List<Revocation>> of(UUID sessionId, UUID userId) {
        return database.query("""
                select subject_id, permission, max(revision) as revision, min(at) as at, bool_and(is_planned) as is_planned from platform.revocations
                where subject_id in ($1, $2) group by subject_id, permission
                """, Tuple.of(sessionId, userId), RevocationRepository::revocation);
    }

    Future<Void> insertSessions(SqlConnection transaction, Collection<UUID> sessionIds, Instant at, boolean isPlanned) {
        return transaction.preparedQuery("""
                with ended as (insert into platform.revocations (subject_id, at, is_planned) select unnest($1::uuid[]), $2, $3 returning 1)
                select pg_notify('platform_revocations', '') from (select count(*) from ended) counted where count > 0
                """).execute(Tuple.of(sessionIds.toArray(UUID[]::new), at.atOffset(ZoneOffset.UTC), isPlanned)).mapEmpty();
    }

    Future<Void> insertGrant(SqlConnection transaction, UUID userId, String grant, long revision, Instant at) {
        return transaction.preparedQuery("""
                with taken as (insert into platform.revocations (subject_id, permission, revision, at) values ($1, $2, $3, $4) returning 1)
                select pg_notify('platform_revocations', '') from taken
                """).execute(Tuple.of(userId, grant, revision, at.atOffset(ZoneOffset.UTC))).mapEmpty();
    }

    Future<Integer> deleteBefore(Instant instant) {
        return database.update("delete from platform.revocations where at < $1", Tuple.of(instant.atOffset(ZoneOffset.UTC)));
    }

    private static Revocation revocation(Row row) {
        return new Revocation(row.getUUID("subject_id"), row.getString("permission"), row.getLong("revision"),
                row.get(OffsetDateTime.class, "at").toInstant(), row.getBoolean("is_planned"));
    }
}
