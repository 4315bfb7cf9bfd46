package io.arbitration.identity.sessions;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.UserId;
import io.arbitration.identity.Secrets;
import io.arbitration.identity.sessions.SessionRepository.Listed;
import io.arbitration.identity.sessions.SessionRepository.Opening;
import io.arbitration.identity.users.ExternalIdentity;
import io.arbitration.identity.users.SuperAdministrators;
import io.arbitration.identity.users.User;
import io.arbitration.identity.users.UserError;
import io.arbitration.identity.users.UserRepository;
import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.auth.AccessTokens;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.auth.Permission;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.auth.Revocations;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of users. A sign-in opens them; a refresh token renews them, or a browser holds them by a cookie. The second use of a refresh
 * token, which may be stolen, ends its session.
 */
public final class SessionService {

    private static final String REFRESH_PREFIX = "r1_";
    private static final String COOKIE_PREFIX = "s1_";
    private static final Logger LOG = LoggerFactory.getLogger(SessionService.class);

    private final Database database;
    private final SessionRepository sessions;
    private final SessionEndService ending;
    private final UserRepository users;
    private final SuperAdministrators superAdministrators;
    private final AccessTokens tokens;
    private final Revocations revocations;
    private final SecurityEvents security;
    private final Secrets secrets;
    private final Session.Rules rules;
    private final Clock clock;

    /** A session and its user. */
    private record SignedIn(User user, Session session) {}

    /** The result of using a refresh token. A refusal is a result, too, because its transaction must commit. */
    private record Used(Session.Use use, Optional<SignedIn> signedIn, Optional<Session> ended) {
        static final Used UNKNOWN = new Used(Session.Use.IS_OVER, Optional.empty(), Optional.empty());
    }

    /** The session of a browser: the value of its cookie, and when it expires. */
    public record BrowserSession(String cookie, Instant expiresAt) {}

    public SessionService(
            Database database, SessionRepository sessions, SessionEndService ending, UserRepository users, SuperAdministrators superAdministrators, AccessTokens tokens,
            Revocations revocations, SecurityEvents security, Secrets secrets, Session.Rules rules, Clock clock) {
        this.database = database;
        this.sessions = sessions;
        this.ending = ending;
        this.users = users;
        this.superAdministrators = superAdministrators;
        this.tokens = tokens;
        this.revocations = revocations;
        this.security = security;
        this.secrets = secrets;
        this.rules = rules;
        this.clock = clock;
    }

    /** Opens a session that is used by tokens; fails with {@link EndedAtProvider}. */
    public Future<TokenSet> signIn(ExternalIdentity identity, String address) {
        String refreshToken = secrets.secret(REFRESH_PREFIX);
        return database.transaction(transaction -> open(transaction, identity, address, Optional.empty())
                        .compose(opened -> sessions.insertToken(transaction, Secrets.hash(refreshToken), opened.session().id(), opened.session().generation())
                                .compose(inserted -> signedIn(transaction, opened.session()))
                                .map(signedIn -> new SignedInAnew(signedIn, opened.ended()))))
                .onSuccess(anew -> began(anew.signedIn().session(), anew.ended(), address))
                .map(anew -> tokenSet(anew.signedIn(), refreshToken));
    }

    /**
     * Opens a session for a browser; fails with {@link EndedAtProvider}.
     *
     * @param cookieBefore the cookie of the former session of this browser. That session ends, because the browser cannot use it any more
     */
    public Future<BrowserSession> signInBrowser(ExternalIdentity identity, String address, Optional<String> cookieBefore) {
        String cookie = secrets.secret(COOKIE_PREFIX);
        return database.transaction(transaction -> open(transaction, identity, address, Optional.of(Secrets.hash(cookie)))
                        .compose(opened -> cookieBefore.map(before -> sessions.endByCookie(transaction, Secrets.hash(before), clock.instant()))
                                .orElse(Future.succeededFuture(List.of()))
                                .compose(left -> revocations.endSessions(transaction, left)
                                        .map(new Opened(opened.session(), Stream.concat(opened.ended().stream(), left.stream()).toList())))))
                .onSuccess(opened -> began(opened.session(), opened.ended(), address))
                .map(opened -> new BrowserSession(cookie, opened.session().expiresAt()));
    }

    /** A new session, and those that ended because of it. */
    private record Opened(Session session, List<UUID> ended) {}

    private record SignedInAnew(SignedIn signedIn, List<UUID> ended) {}

    private void began(Session session, List<UUID> ended, String address) {
        ended.forEach(revocations::sessionEnded);
        security.signedIn(session.userId(), session.id(), session.provider().orElseThrow(), address);
    }

    /** The session at the identity provider to which an ID token belongs has ended. */
    public static final class EndedAtProvider extends Exception {
        EndedAtProvider() {
            super("the session at the provider has ended", null, false, false);
        }
    }

    private Future<Opened> open(SqlConnection transaction, ExternalIdentity identity, String address, Optional<byte[]> cookieHash) {
        return refuseIfEndedAtProvider(transaction, identity).compose(goesOn -> opened(transaction, identity, address, cookieHash));
    }

    private Future<Void> refuseIfEndedAtProvider(SqlConnection transaction, ExternalIdentity identity) {
        return identity.session().map(session -> sessions.lockAtProvider(transaction, identity.provider(), session)
                .compose(locked -> sessions.hasEndedAtProvider(transaction, identity.provider(), session))
                .compose(ended -> ended ? Future.<Void>failedFuture(new EndedAtProvider()) : Future.<Void>succeededFuture())).orElse(Future.succeededFuture());
    }

    private Future<Opened> opened(SqlConnection transaction, ExternalIdentity identity, String address, Optional<byte[]> cookieHash) {
        Instant now = clock.instant();
        Instant authenticatedAt = identity.authenticatedAt().filter(at -> !at.isAfter(now)).orElse(now);
        // A browser has no refresh token to renew its session, so the session lasts as long as any session may.
        Instant expires = cookieHash.isPresent() ? now.plus(rules.longest()) : rules.expiry(now, now);
        UUID sessionId = secrets.id();
        return sessions.upsertUser(transaction, identity, secrets.id(), now).compose(user -> user.isDisabled()
                ? Future.failedFuture(UserError.USER_DISABLED.refusal())
                : sessions.insert(transaction, new Opening(sessionId, user.userId(), identity, address, cookieHash, now, authenticatedAt, expires))
                        .compose(organizationId -> organizationId.isEmpty() ? Future.succeededFuture(organizationId)
                                : sessions.actFor(transaction, sessionId, organizationId).map(organizationId))
                        .map(organizationId -> new Session(sessionId, user.userId(), 1, now, now, authenticatedAt, now, expires, organizationId,
                                Optional.of(identity.provider()), false, false))
                        .compose(session -> sessions.endBeyond(transaction, user.userId(), rules.perUser(), now)
                                .compose(ended -> revocations.endSessions(transaction, ended).map(new Opened(session, ended)))));
    }

    private Future<SignedIn> signedIn(SqlConnection transaction, Session session) {
        return users.find(transaction, session.userId()).map(user -> new SignedIn(user.orElseThrow(), session));
    }

    public Future<TokenSet> refresh(String refreshToken) {
        byte[] hash = Secrets.hash(refreshToken);
        String fresh = secrets.secret(REFRESH_PREFIX);
        return database.transaction(transaction -> sessions.lockByRefreshToken(transaction, hash).compose(session -> session.isEmpty()
                        ? Future.succeededFuture(Used.UNKNOWN)
                        : sessions.generationOf(transaction, hash).compose(generation -> generation.isEmpty()
                                ? Future.succeededFuture(Used.UNKNOWN)
                                : use(transaction, session.get(), generation.get(), Secrets.hash(fresh)))))
                .compose(used -> switch (used.use()) {
                    case ADVANCES, REPEATS -> Future.succeededFuture(tokenSet(used.signedIn().orElseThrow(), fresh));
                    case IS_STOLEN, ENDS -> {
                        ended(used.use(), used.ended().orElseThrow());
                        yield Future.failedFuture(SessionError.INVALID_REFRESH_TOKEN.refusal());
                    }
                    case IS_OVER -> Future.failedFuture(SessionError.INVALID_REFRESH_TOKEN.refusal());
                });
    }

    private Future<Used> use(SqlConnection transaction, Session session, int generation, byte[] freshHash) {
        Instant now = clock.instant();
        Session.Use use = session.use(generation, rules, now);
        return switch (use) {
            case ADVANCES -> sessions.advance(transaction, session.id(), now, rules.expiry(session.created(), now))
                    .compose(advanced -> sessions.insertToken(transaction, freshHash, session.id(), session.generation() + 1))
                    .compose(inserted -> signedIn(transaction, session))
                    .map(signedIn -> new Used(use, Optional.of(signedIn), Optional.empty()));
            case REPEATS -> sessions.insertToken(transaction, freshHash, session.id(), session.generation())
                    .compose(inserted -> signedIn(transaction, session))
                    .map(signedIn -> new Used(use, Optional.of(signedIn), Optional.empty()));
            case IS_STOLEN, ENDS -> ending.end(transaction, session.id()).map(new Used(use, Optional.empty(), Optional.of(session)));
            case IS_OVER -> Future.succeededFuture(Used.UNKNOWN);
        };
    }

    /** Called after the commit, because the transaction may be repeated. */
    private void ended(Session.Use use, Session session) {
        revocations.sessionEnded(session.id());
        if (use == Session.Use.IS_STOLEN) {
            security.credentialRefused("refresh-token", session.provider().orElse("-"), "used twice");
        }
        LOG.warn("session {} has ended: {}", session.id(), use == Session.Use.ENDS
                ? "its provider is no longer configured, or it has reached its longest duration" : "one of its refresh tokens was used twice");
    }

    private TokenSet tokenSet(SignedIn signedIn, String refreshToken) {
        User user = signedIn.user();
        Session session = signedIn.session();
        Caller caller = new Caller(user.id(), session.id(), superAdministrators.permissions(user));
        return new TokenSet(tokens.issue(caller, session.organizationId(), user.grantsRevision(), Optional.of(session.authenticatedAt())),
                refreshToken, tokens.lifetime().toSeconds());
    }

    /**
     * Makes the requester's session act for the organization, or for none.
     *
     * @param organizationId empty: none; the inner value is empty if the text has not the form of an id
     * @return tokens of the changed session; empty for the session of a browser
     */
    Future<Optional<TokenSet>> choose(Requester requester, Optional<Optional<OrganizationId>> organizationId, boolean byCookie) {
        String fresh = secrets.secret(REFRESH_PREFIX);
        UUID sessionId = requester.caller().sessionId();
        return database.transaction(requester.key(), transaction -> sessions.lock(transaction, sessionId)
                        .map(found -> found.orElseThrow(SessionError.SESSION_NOT_FOUND::refusal))
                        .compose(session -> chosen(transaction, session.userId(), organizationId)
                                .compose(chosen -> sessions.actFor(transaction, sessionId, chosen))
                                .compose(acting -> byCookie ? Future.succeededFuture()
                                        : sessions.insertToken(transaction, Secrets.hash(fresh), sessionId, session.generation())))
                        .compose(done -> sessions.lock(transaction, sessionId))
                        .compose(session -> signedIn(transaction, session.orElseThrow())))
                .map(signedIn -> byCookie ? Optional.empty() : Optional.of(tokenSet(signedIn, fresh)));
    }

    private Future<Optional<UUID>> chosen(SqlConnection transaction, UUID userId, Optional<Optional<OrganizationId>> organizationId) {
        if (organizationId.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        UUID wanted = organizationId.get().orElseThrow(SessionError.ORGANIZATION_NOT_FOUND::refusal).value();
        return sessions.isMember(transaction, userId, wanted).compose(member -> member
                ? Future.succeededFuture(Optional.of(wanted))
                : sessions.organizationExists(transaction, wanted).compose(exists -> Future.failedFuture(
                        (exists ? SessionError.NOT_A_MEMBER : SessionError.ORGANIZATION_NOT_FOUND).refusal())));
    }

    /** The open sessions of a user. @param userId empty: the requester; only super administrators see the sessions of others */
    Future<PageByTime<Listed>> list(Requester requester, Optional<Optional<UserId>> userId, PageByTime.Wanted wanted) {
        if (userId.isPresent()) {
            requireSelfOrSuper(requester, userId.get());
        }
        Optional<UUID> whose = userId.isEmpty() ? Optional.of(requester.userId()) : userId.get().map(UserId::value);
        Instant now = clock.instant();
        return whose.map(id -> sessions.list(id, now, now.minus(rules.longest()), now.minus(rules.browserIdle()), wanted)
                        .map(rows -> wanted.page(rows, session -> new TimeKey(session.created(), session.sessionId()))))
                .orElse(Future.succeededFuture(new PageByTime<>(List.of(), Optional.empty())));
    }

    static void requireSelfOrSuper(Requester requester, Optional<UserId> userId) {
        if (!requester.isSuperAdministrator() && userId.filter(id -> id.value().equals(requester.userId())).isEmpty()) {
            throw HttpError.PERMISSION.refusal(Permission.SUPER_ADMINISTRATOR);
        }
    }
}
