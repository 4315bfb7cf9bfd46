package io.arbitration.identity;

import io.arbitration.identity.SessionRepository.Use;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.db.RequestKey;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sessions of users: opened by a sign-in, renewed by refresh tokens, ended by the user or by a stolen token's second use. */
final class SessionService {

    private static final String REFRESH_PREFIX = "r1_";
    private static final int SWEEP_ROUNDS_MAX = 50;
    private static final Logger LOG = LoggerFactory.getLogger(SessionService.class);

    private final SessionRepository sessions;
    private final SuperAdministrators superAdministrators;
    private final AccessTokens tokens;
    private final Revocations revocations;
    private final Secrets secrets;
    private final IdentitySettings settings;
    private final Clock clock;

    SessionService(
            SessionRepository sessions, SuperAdministrators superAdministrators, AccessTokens tokens, Revocations revocations,
            Secrets secrets, IdentitySettings settings, Clock clock) {
        this.sessions = sessions;
        this.superAdministrators = superAdministrators;
        this.tokens = tokens;
        this.revocations = revocations;
        this.secrets = secrets;
        this.settings = settings;
        this.clock = clock;
    }

    Future<TokenSet> signIn(ExternalIdentity identity) {
        String refreshToken = secrets.secret(REFRESH_PREFIX);
        UUID sessionId = secrets.id();
        Instant now = clock.instant();
        return sessions.open(identity, secrets.id(), sessionId, Secrets.hash(refreshToken), now, now.plus(settings.refreshToken()))
                .map(user -> tokenSet(user, sessionId, refreshToken));
    }

    Future<TokenSet> refresh(String refreshToken) {
        String fresh = secrets.secret(REFRESH_PREFIX);
        Instant now = clock.instant();
        return sessions.use(
                        Secrets.hash(refreshToken), Secrets.hash(fresh), now, settings.refreshReuse(), now.plus(settings.refreshToken()))
                .compose(use -> switch (use) {
                    case Use.Renewed renewed -> Future.succeededFuture(tokenSet(renewed.user(), renewed.sessionId(), fresh));
                    case Use.Reused reused -> {
                        LOG.warn("a refresh token of session {} was used twice: the session is ended", reused.sessionId());
                        revocations.sessionEnded(reused.sessionId());
                        yield Future.failedFuture(IdentityError.INVALID_REFRESH_TOKEN.refusal());
                    }
                    case Use.Unknown unknown -> Future.failedFuture(IdentityError.INVALID_REFRESH_TOKEN.refusal());
                });
    }

    private TokenSet tokenSet(User user, UUID sessionId, String refreshToken) {
        Caller caller = new Caller(user.id(), sessionId, user.organizationId(), superAdministrators.permissions(user));
        return new TokenSet(tokens.issue(caller, user.grantsRevision()), refreshToken, tokens.lifetime().toSeconds());
    }

    /** Ends the session of the caller's token; that is the only one a machine client has. */
    Future<Void> revoke(Requester by) {
        return revoke(by.caller(), by.key());
    }

    private Future<Void> revoke(Caller caller, Optional<RequestKey> key) {
        return sessions.end(key, caller.sessionId(), secrets.id(), clock.instant())
                .onSuccess(ended -> revocations.sessionEnded(caller.sessionId()));
    }

    /** Ends every session of the caller. */
    Future<Void> revokeAll(Requester by) {
        // What the request is for is done by the second transaction: the first alone must not count as its work.
        return revoke(by.caller(), Optional.empty())
                .compose(ended -> sessions.endAll(by.key(), by.userId(), clock.instant()))
                .onSuccess(ended -> ended.forEach(revocations::sessionEnded))
                .mapEmpty();
    }

    /** Forgets sessions whose refresh tokens have all expired, some at a time. */
    Future<Void> sweep() {
        return sweep(SWEEP_ROUNDS_MAX);
    }

    private Future<Void> sweep(int rounds) {
        return sessions.deleteOver(clock.instant()).compose(deleted ->
                deleted == SessionRepository.SWEPT_AT_ONCE && rounds > 1 ? sweep(rounds - 1) : Future.succeededFuture());
    }
}
