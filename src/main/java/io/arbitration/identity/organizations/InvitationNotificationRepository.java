package io.arbitration.identity.organizations;

import io.arbitration.platform.db.Database;
import io.arbitration.platform.queue.ContentRepository;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table {@code identity.invitation_emails}: the notifications of invitations, by email and, whatever its name says, by push. */
final class InvitationNotificationRepository implements ContentRepository<InvitationNotification, Handover.Outcome<InvitationNotification>> {

    static final String QUEUE = "organization_invitations";

    private final Database database;
    private final InvitationNotification.Sender sender;

    InvitationNotificationRepository(Database database, InvitationNotification.Sender sender) {
        this.database = database;
        this.sender = sender;
    }

    @Override
    public Future<List<InvitationNotification>> read(List<Lease> leases) {
        Map<Long, Lease> byKey = Lease.byKey(leases);
        return database.query("""
                select i.*, e.email_id, e.number, e.user_id as push_to, coalesce(i.email, u.email) as recipient,
                       nullif(trim(n.first_name || ' ' || n.last_name), '') as inviter,
                       case when e.user_id is null then alerts_api.invitation_by_email(i.user_id, i.email)
                            else e.user_id in (select alerts_api.invitation_recipients(i.user_id, i.email)) end as is_wanted,
                       not exists (select from identity.invitation_emails later
                                   where later.invitation_id = e.invitation_id and later.user_id is not distinct from e.user_id
                                     and later.email_id > e.email_id) as is_last
                from identity.invitation_emails e
                join (%s) i using (invitation_id)
                left join identity.users u on u.user_id = i.user_id
                left join identity_api.public_users n on n.user_id = i.invited_by
                where e.email_id = any($1)
                order by e.email_id
                """.formatted(InvitationRepository.INVITATION), Tuple.tuple().addArrayOfLong(Lease.keys(leases)), row -> new InvitationNotification(
                        byKey.get(row.getLong("email_id")), InvitationRepository.invitation(row), row.getInteger("number"),
                        Optional.ofNullable(row.getUUID("push_to")), row.getString("recipient"), Optional.ofNullable(row.getString("inviter")),
                        row.getBoolean("is_wanted"), row.getBoolean("is_last"), sender));
    }

    /** Records nothing: an invitation does not show whether its notifications were sent. */
    @Override
    public Future<Void> record(SqlConnection transaction, List<Handover.Outcome<InvitationNotification>> outcomes) {
        return Future.succeededFuture();
    }
}
