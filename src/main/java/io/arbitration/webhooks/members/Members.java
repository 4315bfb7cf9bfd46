package io.arbitration.webhooks.members;

import io.arbitration.platform.auth.Requester;
import io.vertx.core.Future;
import java.util.Optional;

/** Who may see and who may change the webhooks of an organization. */
public final class Members {

    private final MemberRepository repository;

    public Members(MemberRepository repository) {
        this.repository = repository;
    }

    /** The organization for which the requester acts; empty if there is none. Fails with 403 if the request names another one. */
    public Future<Optional<Member>> find(Requester requester) {
        return repository.find(requester.caller()).map(found -> {
            requester.requireActingFor(found.map(Member::organizationId));
            return found;
        });
    }

    /** Fails with 403 if the requester acts for no organization, or for another one than the request names. */
    public Future<Member> member(Requester requester) {
        return find(requester).map(found -> found.orElseThrow(MemberError.NO_ORGANIZATION::refusal));
    }

    /** Fails with 403 unless the requester administers the organization for which it acts. */
    public Future<Member> administrator(Requester requester) {
        return member(requester).map(member -> {
            if (!member.isAdministrator()) {
                throw MemberError.NOT_ADMINISTRATOR.refusal();
            }
            return member;
        });
    }
}
