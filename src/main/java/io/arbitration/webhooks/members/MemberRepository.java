package io.arbitration.webhooks.members;

import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Optional;

/**
 * The organization for which the session of a caller acts now, read from the identity area, because the access token may be out of date.
 */
public final class MemberRepository {

    private final Database database;

    public MemberRepository(Database database) {
        this.database = database;
    }

    Future<Optional<Member>> find(Caller caller) {
        return database.query("""
                select organization_id, is_administrator from identity_api.sessions
                where session_id = $1 and caller_id = $2 and organization_id is not null
                """, Tuple.of(caller.sessionId(), caller.id()), row -> new Member(caller.id(), row.getUUID(0), row.getBoolean(1)))
                .map(Database::first);
    }
}
