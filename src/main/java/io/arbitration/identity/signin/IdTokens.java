package io.arbitration.identity.signin;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.arbitration.domain.text.VisibleName;
import io.arbitration.identity.sessions.SessionService;
import io.arbitration.identity.users.ExternalIdentity;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Future;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Verifies ID tokens (OpenID Connect Core, section 3.1.3.7). The algorithm must be one that is configured for the provider, whatever the
 * token names. The reason of a refusal is only written to the log.
 */
public final class IdTokens {

    /** An older ID token is refused, even if it has not expired: it was not issued for this sign-in. */
    static final Duration AGE_MAX = Duration.ofHours(24);
    private static final JOSEObjectType LOGOUT_TOKEN_TYPE = new JOSEObjectType("logout+jwt");
    /** The value of Keycloak's claim {@code typ} in an ID token; its other tokens have Bearer, Refresh and others. */
    private static final String ID_TOKEN = "ID";
    private static final int SUBJECT_LENGTH_MAX = 255;
    private static final int EMAIL_LENGTH_MAX = 254;
    private static final int NAME_LENGTH_MAX = 100;

    private final Duration clockSkew;
    private final SecurityEvents security;
    private final Clock clock;

    /** A token was refused; the message is the reason, for the log. */
    private static final class NotTaken extends Exception {
        NotTaken(String reason) {
            super(reason, null, false, false);
        }
    }

    public IdTokens(Duration clockSkew, SecurityEvents security, Clock clock) {
        this.clockSkew = clockSkew;
        this.security = security;
        this.clock = clock;
    }

    /** The identity in the token; fails with the refusal that {@code POST /authenticate/{idp}} answers. */
    Future<ExternalIdentity> verify(IdentityProvider provider, String token) {
        return verify(provider, token, Optional.empty());
    }

    /** The same for a token of a browser's sign-in, which must have the nonce of the attempt. */
    Future<ExternalIdentity> verify(IdentityProvider provider, String token, String nonce) {
        return verify(provider, token, Optional.of(nonce));
    }

    private Future<ExternalIdentity> verify(IdentityProvider provider, String token, Optional<String> nonce) {
        return signed(provider, token, IdTokens::isIdToken).compose(claims -> {
            try {
                if (nonce.isPresent()) {
                    require(nonce.get().equals(claims.getStringClaim("nonce")), "nonce");
                }
                return Future.succeededFuture(checkClaims(provider, claims));
            } catch (ParseException malformed) {
                return Future.failedFuture(new NotTaken("malformed"));
            } catch (NotTaken notTaken) {
                return Future.failedFuture(notTaken);
            }
        }).recover(failed -> failed instanceof NotTaken notTaken ? refused(provider, notTaken.getMessage()) : Future.failedFuture(failed));
    }

    /** The claims of a logout token with valid signature, issuer, audience and times; fails with the reason for the log. */
    Future<JWTClaimsSet> verifiedLogout(IdentityProvider provider, String token, Duration ageMax) {
        return signed(provider, token, LOGOUT_TOKEN_TYPE::equals).compose(claims -> {
            try {
                require(provider.issuer().equals(claims.getIssuer()), "issuer");
                checkAudience(provider, claims);
                checkTimes(claims);
                require(!claims.getIssueTime().toInstant().isBefore(clock.instant().minus(ageMax)), "issued too long ago");
                return Future.succeededFuture(claims);
            } catch (ParseException malformed) {
                return Future.failedFuture(new NotTaken("malformed"));
            } catch (NotTaken notTaken) {
                return Future.failedFuture(notTaken);
            }
        });
    }

    /**
     * The claims of a token with a valid signature of the provider; fails with {@link NotTaken}, or if the keys of the provider are not
     * available.
     */
    private Future<JWTClaimsSet> signed(IdentityProvider provider, String token, Predicate<JOSEObjectType> type) {
        SignedJWT jwt;
        try {
            jwt = SignedJWT.parse(token);
            checkHeader(provider, jwt.getHeader(), type);
        } catch (ParseException | IllegalArgumentException malformed) {
            return Future.failedFuture(new NotTaken("not a signed JWT"));
        } catch (NotTaken notTaken) {
            return Future.failedFuture(notTaken);
        }
        return provider.keys().find(jwt.getHeader()).compose(key -> {
            if (key.isEmpty()) {
                return Future.failedFuture(new NotTaken("no such key"));
            }
            try {
                require(isSignedWith(jwt, key.get()), "signature");
                return Future.succeededFuture(jwt.getJWTClaimsSet());
            } catch (ParseException | JOSEException | IllegalArgumentException | IllegalStateException malformed) {
                return Future.failedFuture(new NotTaken("malformed"));
            } catch (NotTaken notTaken) {
                return Future.failedFuture(notTaken);
            }
        });
    }

    /** Turns the failure of a sign-in whose session at the provider has ended into the refusal of its ID token; passes any other on. */
    <T> Future<T> refusedIfEnded(IdentityProvider provider, Throwable failed) {
        return failed instanceof SessionService.EndedAtProvider ended ? refused(provider, ended.getMessage()) : Future.failedFuture(failed);
    }

    private <T> Future<T> refused(IdentityProvider provider, String reason) {
        security.credentialRefused("id-token", provider.name(), reason);
        return Future.failedFuture(SignInError.INVALID_ID_TOKEN.refusal());
    }

    /** The reason of a refusal, for the log. */
    static String reasonOf(Throwable failed) {
        return failed instanceof NotTaken notTaken ? notTaken.getMessage() : "keys of the provider unavailable";
    }

    private static void checkHeader(IdentityProvider provider, JWSHeader header, Predicate<JOSEObjectType> type) throws NotTaken {
        require(provider.algorithms().contains(header.getAlgorithm()), "algorithm not allowed");
        require(header.getCriticalParams() == null, "critical header");
        require(type.test(header.getType()), "type");
    }

    /** Providers may omit the type. */
    private static boolean isIdToken(JOSEObjectType type) {
        return type == null || JOSEObjectType.JWT.equals(type);
    }

    /** Whether the key made the signature; always false for a symmetric key. */
    static boolean isSignedWith(JWSObject token, JWK key) throws JOSEException {
        return key instanceof AsymmetricJWK pair
                && token.verify(new DefaultJWSVerifierFactory().createJWSVerifier(token.getHeader(), pair.toPublicKey()));
    }

    private ExternalIdentity checkClaims(IdentityProvider provider, JWTClaimsSet claims) throws ParseException, NotTaken {
        require(provider.issuer().equals(claims.getIssuer()), "issuer");
        checkAudience(provider, claims);
        checkTimes(claims);
        // An access token of the same provider has the same keys and may have the same audience.
        require(claims.getClaim("typ") == null || ID_TOKEN.equals(claims.getClaim("typ")), "type");
        Optional<String> acr = Optional.ofNullable(claims.getStringClaim("acr"));
        require(provider.acrValues().isEmpty() || acr.filter(provider.acrValues()::contains).isPresent(), "acr");
        String subject = claims.getSubject();
        // OpenID Connect Core (section 2) demands ASCII. It also keeps the database from treating two different subjects as equal.
        require(subject != null && !subject.isEmpty() && subject.length() <= SUBJECT_LENGTH_MAX
                && subject.chars().allMatch(c -> c >= ' ' && c < 127), "subject");
        String email = claims.getClaim("email") instanceof String text ? text : "";
        // The claim must be the JSON value true. Some providers send the text "true" for emails that they never checked. Others send it for
        // checked ones; those are marked in the configuration.
        Object verified = claims.getClaim("email_verified");
        if (!(Boolean.TRUE.equals(verified) || provider.emailVerifiedAsText() && "true".equals(verified)) || !isEmail(email)) {
            throw SignInError.EMAIL_NOT_VERIFIED.refusal();
        }
        return new ExternalIdentity(provider.name(), subject, email, name(claims, "given_name"), name(claims, "family_name"),
                Optional.ofNullable(claims.getClaim("sid") instanceof String session ? session : null).filter(IdTokens::isSession),
                Optional.ofNullable(claims.getDateClaim("auth_time")).map(Date::toInstant));
    }

    private static boolean isSession(String session) {
        return !session.isEmpty() && session.length() <= SUBJECT_LENGTH_MAX && session.chars().allMatch(c -> c >= ' ' && c < 127);
    }

    private static void checkAudience(IdentityProvider provider, JWTClaimsSet claims) throws ParseException, NotTaken {
        List<String> audiences = claims.getAudience();
        require(audiences.stream().anyMatch(audience -> audience != null && provider.audiences().contains(audience)), "audience");
        // If the token names an authorized party, or has several audiences, it must have been issued to this platform. Otherwise the token
        // of another client would sign its user in here (OpenID Connect Core, section 3.1.3.7, steps 4 and 5).
        String authorizedParty = claims.getStringClaim("azp");
        require(authorizedParty == null ? audiences.size() == 1 : provider.audiences().contains(authorizedParty), "authorized party");
    }

    private void checkTimes(JWTClaimsSet claims) throws NotTaken {
        Instant now = clock.instant();
        Date expires = claims.getExpirationTime();
        Date issued = claims.getIssueTime();
        Date notBefore = claims.getNotBeforeTime();
        require(expires != null && now.isBefore(expires.toInstant().plus(clockSkew)), "expired or without expiry");
        require(issued != null && !issued.toInstant().isAfter(now.plus(clockSkew)), "issued in the future or at no time");
        require(!issued.toInstant().isBefore(now.minus(AGE_MAX)), "issued too long ago");
        require(notBefore == null || !notBefore.toInstant().isAfter(now.plus(clockSkew)), "not valid yet");
    }

    private static boolean isEmail(String email) {
        int at = email.lastIndexOf('@');
        return at > 0 && at < email.length() - 1 && email.length() <= EMAIL_LENGTH_MAX
                && email.codePoints().noneMatch(c ->
                        Character.isISOControl(c) || Character.isWhitespace(c) || Character.getType(c) == Character.SURROGATE);
    }

    /** A name as far as it can be stored; the user can change it, so an unusual name does not prevent a sign-in. */
    private static String name(JWTClaimsSet claims, String claim) {
        if (!(claims.getClaim(claim) instanceof String text)) {
            return "";
        }
        String name = VisibleName.cleaned(text);
        return name.codePointCount(0, name.length()) <= NAME_LENGTH_MAX ? name : name.substring(0, name.offsetByCodePoints(0, NAME_LENGTH_MAX));
    }

    private static void require(boolean met, String otherwise) throws NotTaken {
        if (!met) {
            throw new NotTaken(otherwise);
        }
    }
}
