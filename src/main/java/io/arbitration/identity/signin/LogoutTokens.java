package io.arbitration.identity.signin;

import com.nimbusds.jwt.JWTClaimsSet;
import io.arbitration.identity.sessions.SessionEndService;
import io.arbitration.platform.answer.OAuthError;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Future;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Verifies the tokens with which a provider logs a user out (OpenID Connect Back-Channel Logout 1.0, section 2.6). A token ends
 * sessions that began up to a second and the clock skew after it was issued; a repeated token ends no later ones.
 */
public final class LogoutTokens {

    private static final String EVENT = "http://schemas.openid.net/event/backchannel-logout";
    private static final Duration AGE_MAX = Duration.ofMinutes(10);

    private final Map<String, IdentityProvider> providers;
    private final IdTokens idTokens;
    private final SessionEndService sessions;
    private final Duration clockSkew;
    private final SecurityEvents security;

    /**
     * The content of a valid logout token.
     *
     * @param subject the user; empty if it names only the session
     * @param session the session at the provider; empty: all sessions of the user
     * @param at the time of the logout; sessions that began later are not ended
     */
    private record LogOut(String provider, Optional<String> subject, Optional<String> session, Instant at) {}

    /** @param clockSkew how far the clock of a provider may be behind */
    public LogoutTokens(Map<String, IdentityProvider> providers, IdTokens idTokens, SessionEndService sessions, Duration clockSkew, SecurityEvents security) {
        this.security = security;
        this.clockSkew = clockSkew;
        this.providers = providers;
        this.idTokens = idTokens;
        this.sessions = sessions;
    }

    /** Ends the sessions that a logout token of a provider names. */
    Future<Void> endSessions(String provider, String token) {
        return verify(provider, token).compose(logout -> sessions.endAtProvider(logout.provider(), logout.subject(), logout.session(), logout.at()));
    }

    private Future<LogOut> verify(String name, String token) {
        IdentityProvider provider = providers.get(name);
        if (provider == null) {
            return refused("-", "no such provider");
        }
        return idTokens.verifiedLogout(provider, token, AGE_MAX)
                .compose(claims -> logOut(provider, claims), failed -> refused(name, IdTokens.reasonOf(failed)));
    }

    private Future<LogOut> logOut(IdentityProvider provider, JWTClaimsSet claims) {
        try {
            Map<String, Object> events = claims.getJSONObjectClaim("events");
            Optional<String> subject = Optional.ofNullable(claims.getSubject());
            Optional<String> session = Optional.ofNullable(claims.getStringClaim("sid"));
            if (events == null || !(events.get(EVENT) instanceof Map) || claims.getClaim("nonce") != null || claims.getJWTID() == null
                    || subject.isEmpty() && session.isEmpty()) {
                return refused(provider.name(), "not a logout token");
            }
            return Future.succeededFuture(new LogOut(provider.name(), subject, session, claims.getIssueTime().toInstant().plusSeconds(1).plus(clockSkew)));
        } catch (ParseException malformed) {
            return refused(provider.name(), "a claim of another type");
        }
    }

    private Future<LogOut> refused(String provider, String reason) {
        security.credentialRefused("logout-token", provider, reason);
        return Future.failedFuture(OAuthError.INVALID_LOGOUT_TOKEN.refusal());
    }
}
