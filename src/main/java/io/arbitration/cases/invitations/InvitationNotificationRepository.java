package io.arbitration.cases.invitations;

import io.arbitration.domain.UserId;
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
import java.util.Set;

/** The table {@code cases.invitation_emails}: the notifications of invitations, by email and, whatever its name says, by push. */
final class InvitationNotificationRepository implements ContentRepository<InvitationNotification, Handover.Outcome<InvitationNotification>> {

    static final String QUEUE = "case_invitations";

    private final Database database;
    private final String[] superAdministrators;
    private final InvitationNotification.Sender sender;

    InvitationNotificationRepository(Database database, Set<String> superAdministrators, InvitationNotification.Sender sender) {
        this.database = database;
        this.superAdministrators = superAdministrators.toArray(String[]::new);
        this.sender = sender;
    }

    @Override
    public Future<List<InvitationNotification>> read(List<Lease> leases) {
        Map<Long, Lease> byKey = Lease.byKey(leases);
        return database.query("""
                select i.*, e.email_id, e.user_id as push_to, nullif(trim(n.first_name || ' ' || n.last_name), '') as inviter,
                       case when e.user_id is null then alerts_api.invitation_by_email(null, i.email)
                            else e.user_id in (select alerts_api.invitation_recipients(null, i.email)) end as is_wanted,
                       not exists (select from cases.invitation_emails later
                                   where later.invitation_id = e.invitation_id and later.user_id is not distinct from e.user_id
                                     and later.email_id > e.email_id) as is_last,
                       exists (select from cases.cases s where s.case_id = i.case_id and s.sandbox_now is not null) as is_held
                from cases.invitation_emails e
                join (%s) i using (invitation_id)
                left join identity_api.public_users n on n.user_id = i.invited_by
                where e.email_id = any($2)
                order by e.email_id
                """.formatted(InvitationRepository.INVITATION), Tuple.of(superAdministrators).addArrayOfLong(Lease.keys(leases)), row -> new InvitationNotification(
                        byKey.get(row.getLong("email_id")), InvitationRepository.invitation(row), Optional.ofNullable(row.getUUID("push_to")).map(UserId::new),
                        Optional.ofNullable(row.getString("inviter")), row.getBoolean("is_wanted"), row.getBoolean("is_last"), row.getBoolean("is_held"), sender));
    }

    /** Records nothing: an invitation does not show whether its notifications were sent. */
    @Override
    public Future<Void> record(SqlConnection transaction, List<Handover.Outcome<InvitationNotification>> outcomes) {
        return Future.succeededFuture();
    }
}
