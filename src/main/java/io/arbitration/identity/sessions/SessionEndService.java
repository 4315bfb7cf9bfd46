package io.arbitration.identity.sessions;

import io.arbitration.domain.UserId;
import io.arbitration.identity.Secrets;
import io.arbitration.identity.users.UserError;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends sessions: for their user, for an administrator, and for a provider at which somebody logged out. Deletes those that are over. */
public final class SessionEndService {

    private static final int SWEEP_ROUNDS_MAX = 50;
    /** Longer than ID tokens are accepted, with the largest difference of clocks. */
    private static final Duration ENDS_AT_PROVIDERS_KEPT = Duration.ofHours(25);
    private static final Logger LOG = LoggerFactory.getLogger(SessionEndService.class);

    private final Database database;
    private final SessionRepository sessions;
    private final Revocations revocations;
    private final SecurityEvents security;
    private final Secrets secrets;
    private final Duration endedKept;
    private final Clock clock;

    /** @param endedKept how long sessions that are over are kept */
    public SessionEndService(Database database, SessionRepository sessions, Revocations revocations, SecurityEvents security, Secrets secrets, Duration endedKept,
            Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.revocations = revocations;
        this.security = security;
        this.secrets = secrets;
        this.endedKept = endedKept;
        this.clock = clock;
    }

    /** Ends a session in a transaction of another change. */
    Future<Void> end(SqlConnection transaction, UUID sessionId) {
        return sessions.end(transaction, sessionId, clock.instant())
                .compose(ended -> revocations.endSessions(transaction, List.of(sessionId)));
    }

    /** Ends the session of this request: of a browser, of a token, or the only one of a machine client. */
    public Future<Void> end(Requester requester) {
        return database.transaction(requester.key(), transaction -> endOwn(transaction, requester))
                .onSuccess(ended -> revocations.sessionEnded(requester.caller().sessionId()));
    }

    private Future<Void> endOwn(SqlConnection transaction, Requester requester) {
        UUID sessionId = requester.caller().sessionId();
        UUID next = secrets.id();
        return end(transaction, sessionId)
                .compose(ended -> sessions.replaceClientSession(transaction, sessionId, next))
                // Every node reads it, this one too.
                .compose(until -> until.map(at -> revocations.planEnd(transaction, next, at)).orElse(Future.succeededFuture()));
    }

    /** Ends every session of the requester. */
    Future<Void> endAll(Requester requester) {
        return database.transaction(requester.key(), transaction -> endOwn(transaction, requester)
                        .compose(ended -> endAll(transaction, requester.userId())))
                .onSuccess(ended -> {
                    revocations.sessionEnded(requester.caller().sessionId());
                    ended.forEach(revocations::sessionEnded);
                })
                .mapEmpty();
    }

    /** Ends one session of the requester, or, for a super administrator, anybody's. */
    Future<Void> end(Requester requester, Optional<UUID> sessionId) {
        UUID id = sessionId.orElseThrow(SessionError.SESSION_NOT_FOUND::refusal);
        return database.transaction(requester.key(), transaction -> sessions.lock(transaction, id)
                        .map(found -> found.filter(session -> requester.isSuperAdministrator() || session.userId().equals(requester.userId()))
                                .orElseThrow(SessionError.SESSION_NOT_FOUND::refusal))
                        .compose(session -> end(transaction, session.id()).map(session.userId())))
                .onSuccess(of -> {
                    revocations.sessionEnded(id);
                    actedOnAnother(requester, of);
                })
                .mapEmpty();
    }

    /** Ends every session of a user; of another for a super administrator. */
    Future<Void> endAllOf(Requester requester, Optional<UserId> userId) {
        SessionService.requireSelfOrSuper(requester, userId);
        UUID id = userId.orElseThrow(UserError.USER_NOT_FOUND::refusal).value();
        return sessions.userExists(id)
                .compose(exists -> exists
                        ? database.transaction(requester.key(), transaction -> endAll(transaction, id))
                        : Future.<List<UUID>>failedFuture(UserError.USER_NOT_FOUND.refusal()))
                .onSuccess(ended -> {
                    ended.forEach(revocations::sessionEnded);
                    actedOnAnother(requester, id);
                })
                .mapEmpty();
    }

    private void actedOnAnother(Requester requester, UUID userId) {
        if (!userId.equals(requester.userId())) {
            security.acted(requester.userId(), "session.revoked", userId.toString());
        }
    }

    private Future<List<UUID>> endAll(SqlConnection transaction, UUID userId) {
        return sessions.endAll(transaction, userId, clock.instant())
                .compose(ended -> revocations.endSessions(transaction, ended).map(ended));
    }

    /**
     * Ends the sessions that a log-out at a provider names, those that began before it. If it names a session of the provider, no ID token
     * of that session starts another one.
     *
     * @param subject whose; empty: whoever has that session of the provider
     * @param providerSession which; empty: all of the subject
     */
    public Future<Void> endAtProvider(String provider, Optional<String> subject, Optional<String> providerSession, Instant loggedOutAt) {
        return database.transaction(transaction -> keepEndAtProvider(transaction, provider, providerSession)
                        .compose(kept -> sessions.endAtProvider(transaction, provider, subject, providerSession, loggedOutAt, clock.instant()))
                        .compose(ended -> revocations.endSessions(transaction, ended).map(ended)))
                .onSuccess(ended -> {
                    ended.forEach(revocations::sessionEnded);
                    LOG.info("provider {} logged somebody out: {} sessions ended", provider, ended.size());
                })
                .mapEmpty();
    }

    private Future<Void> keepEndAtProvider(SqlConnection transaction, String provider, Optional<String> providerSession) {
        return providerSession.map(session -> sessions.lockAtProvider(transaction, provider, session)
                .compose(locked -> sessions.keepEndAtProvider(transaction, provider, session, clock.instant()))).orElse(Future.succeededFuture());
    }

    /** Deletes sessions that ended or expired long enough ago, a bounded number at a time. */
    public Future<Void> sweep() {
        return sweep(SWEEP_ROUNDS_MAX).compose(swept -> sessions.deleteEndsAtProviders(clock.instant().minus(ENDS_AT_PROVIDERS_KEPT))).mapEmpty();
    }

    private Future<Void> sweep(int rounds) {
        return sessions.deleteOver(clock.instant().minus(endedKept)).compose(deleted ->
                deleted == SessionRepository.SWEPT_AT_ONCE && rounds > 1 ? sweep(rounds - 1) : Future.succeededFuture());
    }
}
