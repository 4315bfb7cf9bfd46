package io.arbitration.webhooks.members;

import io.arbitration.platform.auth.Caller;
import io.vertx.core.Future;
import java.util.Optional;

/** Who may see and who may change the webhooks of an organization. */
public final class Members {

    private final MemberRepository repository;

    public Members(MemberRepository repository) {
        this.repository = repository;
    }

    /** The organization that the caller acts for; empty when it acts for none. */
    public Future<Optional<Member>> find(Caller caller) {
        return repository.find(caller);
    }

    /** Fails with 403 when the caller acts for no organization. */
    public Future<Member> member(Caller caller) {
        return repository.find(caller).map(found -> found.orElseThrow(MemberError.NO_ORGANIZATION::refusal));
    }

    /** Fails with 403 unless the caller administers the organization that it acts for. */
    public Future<Member> administrator(Caller caller) {
        return member(caller).map(member -> {
            if (!member.isAdministrator()) {
                throw MemberError.NOT_ADMINISTRATOR.refusal();
            }
            return member;
        });
    }
}
