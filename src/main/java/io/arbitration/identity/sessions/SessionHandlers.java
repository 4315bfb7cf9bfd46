package io.arbitration.identity.sessions;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.identity.sessions.SessionRepository.Listed;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The operations on sessions. */
public final class SessionHandlers {

    private final SessionService sessions;
    private final SessionEndService ending;

    public SessionHandlers(SessionService sessions, SessionEndService ending) {
        this.sessions = sessions;
        this.ending = ending;
    }

    public Contract bind(Contract contract) {
        return contract
                .bind("refreshSession", this::refresh)
                .bind("revokeSession", this::end)
                .bind("listSessions", this::list)
                .bind("chooseOrganization", this::choose);
    }

    private Future<Reply> refresh(Call call) {
        return sessions.refresh(call.text("refreshToken")).map(TokenSet::reply);
    }

    private Future<Reply> end(Call call) {
        boolean all = call.flag("all", false);
        Optional<String> sessionId = call.optionalText("sessionID");
        Optional<String> userId = call.optionalText("userID");
        if (Stream.of(all, sessionId.isPresent(), userId.isPresent()).filter(given -> given).count() > 1) {
            throw Refusal.badRequest("body: one of all, sessionID and userID");
        }
        Future<Void> ended = sessionId.map(id -> ending.end(call.requester(), Identifiers.uuid(id)))
                .or(() -> userId.map(id -> ending.endAllOf(call.requester(), UserId.of(id))))
                .orElseGet(() -> all ? ending.endAll(call.requester()) : ending.end(call.requester()));
        return ended.map(done -> Reply.sentence("Session revoked."));
    }

    private Future<Reply> list(Call call) {
        UUID current = call.caller().sessionId();
        return sessions.list(call.requester(), call.optionalText("userID").map(UserId::of), PageByTime.Wanted.of(call))
                .map(page -> page.reply("sessions", session -> json(session, current)));
    }

    private static JsonObject json(Listed session, UUID current) {
        return new JsonObject()
                .put("sessionID", session.sessionId().toString())
                .put("created", Timestamps.text(session.created()))
                .put("lastUsed", Timestamps.text(session.lastUsed()))
                .put("provider", session.provider())
                .put("address", session.address())
                .put("current", session.sessionId().equals(current));
    }

    private Future<Reply> choose(Call call) {
        Optional<Optional<OrganizationId>> organizationId = call.optionalText("organizationID").map(OrganizationId::of);
        return sessions.choose(call.requester(), organizationId, call.isByCookie())
                .map(tokens -> tokens.map(TokenSet::reply).orElseGet(() -> Reply.sentence("Organization chosen.")));
    }
}
