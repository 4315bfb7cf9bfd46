package io.arbitration.webhooks;

import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/** What the session of a caller acts for, as identity says now; its token may be older. */
final class MemberRepository {

    private final Database database;

    MemberRepository(Database database) {
        this.database = database;
    }

    /** Fails with a refusal when the session acts for no organization. */
    Future<Member> member(Caller caller) {
        return database.query("""
                select organization_id, is_administrator from identity_api.sessions
                where session_id = $1 and caller_id = $2 and organization_id is not null
                """, Tuple.of(caller.sessionId(), caller.id()), row -> new Member(caller.id(), row.getUUID(0), row.getBoolean(1)))
                .compose(rows -> rows.isEmpty()
                        ? Future.failedFuture(WebhooksError.NO_ORGANIZATION.refusal())
                        : Future.succeededFuture(rows.getFirst()));
    }

    /** Fails with a refusal unless the caller administers the organization that its session acts for, or is a client of it. */
    Future<Member> administrator(Caller caller) {
        return member(caller).compose(member -> member.isAdministrator()
                ? Future.succeededFuture(member)
                : Future.failedFuture(WebhooksError.NOT_ADMINISTRATOR.refusal()));
    }
}
