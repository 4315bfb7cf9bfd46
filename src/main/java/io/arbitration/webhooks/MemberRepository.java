package io.arbitration.webhooks;

import io.arbitration.platform.db.Database;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.UUID;

/** Who belongs to which organization, as identity says now; the token may be older. */
final class MemberRepository {

    private final Database database;

    MemberRepository(Database database) {
        this.database = database;
    }

    /** Fails with a refusal when the user belongs to no organization. */
    Future<Member> member(UUID userId) {
        return database.query("""
                select organization_id, is_administrator from identity_api.members where user_id = $1
                """, Tuple.of(userId), row -> new Member(userId, row.getUUID(0), row.getBoolean(1)))
                .compose(rows -> rows.isEmpty()
                        ? Future.failedFuture(WebhooksError.NO_ORGANIZATION.refusal())
                        : Future.succeededFuture(rows.getFirst()));
    }

    /** Fails with a refusal unless the user administers its organization. */
    Future<Member> administrator(UUID userId) {
        return member(userId).compose(member -> member.isAdministrator()
                ? Future.succeededFuture(member)
                : Future.failedFuture(WebhooksError.NOT_ADMINISTRATOR.refusal()));
    }
}
