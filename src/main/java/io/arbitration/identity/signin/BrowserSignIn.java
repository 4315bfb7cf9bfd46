package io.arbitration.identity.signin;

import io.arbitration.identity.Secrets;
import io.arbitration.identity.sessions.SessionService;
import io.arbitration.identity.sessions.SessionService.BrowserSession;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.telemetry.SecurityEvents;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signs browsers in at identity providers: authorization code flow with PKCE, state and nonce. */
public final class BrowserSignIn {

    static final Duration ATTEMPT = Duration.ofMinutes(10);
    private static final int PARAMETER_LENGTH_MAX = 4000;
    private static final Logger LOG = LoggerFactory.getLogger(BrowserSignIn.class);

    private final Map<String, IdentityProvider> providers;
    private final IdTokens idTokens;
    private final SessionService sessions;
    private final String areaUrl;
    private final SecurityEvents security;
    private final Secrets secrets;
    private final Clock clock;

    /** The URL that the browser is redirected to, and the attempt, which its cookie stores. */
    record Begun(String location, SignInAttempt attempt) {}

    /** The new session. @param returnTo the path that the browser asked for at the beginning */
    record Done(BrowserSession session, String returnTo) {}

    /** The parameters with which the provider redirects the browser back. */
    record Answer(Optional<String> code, Optional<String> state, Optional<String> error, Optional<String> issuer) {}

    /** @param areaUrl public address of the identity area, to which the provider redirects browsers */
    public BrowserSignIn(Map<String, IdentityProvider> providers, IdTokens idTokens, SessionService sessions, String areaUrl, SecurityEvents security,
            Secrets secrets, Clock clock) {
        this.providers = providers;
        this.idTokens = idTokens;
        this.sessions = sessions;
        this.areaUrl = areaUrl;
        this.security = security;
        this.secrets = secrets;
        this.clock = clock;
    }

    /**
     * The address to which the browser is redirected to sign in.
     *
     * @param hint the expected user's email, for the provider (OpenID Connect Core, section 3.1.2.1)
     * @param prompts whether the provider has to ask the person even if it has a session with them. This is so if another site
     *     sent the browser here, because then the person may not have wanted to sign in
     */
    Future<Begun> begin(String name, Optional<String> returnTo, Optional<String> hint, boolean prompts) {
        IdentityProvider provider = provider(name);
        AuthorizationServer server = provider.browsers().orElseThrow();
        String target = returnTo.orElse("/");
        if (!SignInAttempt.isPath(target)) {
            throw Refusal.badRequest("returnTo: must be a path of this origin");
        }
        SignInAttempt attempt = new SignInAttempt(name, secrets.secret(""), target, clock.instant().plus(ATTEMPT));
        return server.authorizationEndpoint()
                .recover(failed -> Future.failedFuture(silent(name, failed)))
                .map(endpoint -> new Begun(endpoint + (endpoint.contains("?") ? "&" : "?") + query(provider, server, attempt, hint, prompts), attempt));
    }

    private String query(IdentityProvider provider, AuthorizationServer server, SignInAttempt attempt, Optional<String> hint, boolean prompts) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("response_type", "code");
        parameters.put("client_id", server.clientId());
        parameters.put("redirect_uri", redirectUri(attempt.provider()));
        parameters.put("scope", "openid email profile");
        parameters.put("state", attempt.state());
        parameters.put("nonce", attempt.nonce());
        parameters.put("code_challenge", attempt.challenge());
        parameters.put("code_challenge_method", "S256");
        if (!provider.acrValues().isEmpty()) {
            parameters.put("acr_values", String.join(" ", provider.acrValues()));
        }
        if (prompts) {
            parameters.put("prompt", "login");
        }
        hint.filter(email -> !email.isEmpty()).ifPresent(email -> parameters.put("login_hint", email));
        return parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private String redirectUri(String provider) {
        return areaUrl + "/callback/" + provider;
    }

    /**
     * Checks the answer of the provider and opens a session.
     *
     * @param cookieBefore the cookie of the browser's present session, which ends
     */
    Future<Done> finish(String name, Answer answer, Optional<SignInAttempt> begun, Optional<String> cookieBefore, String address) {
        IdentityProvider provider = provider(name);
        SignInAttempt attempt = begun
                .filter(one -> one.provider().equals(name) && clock.instant().isBefore(one.endsAt()))
                .filter(one -> answer.state().filter(state -> isSame(state, one.state())).isPresent())
                .orElseThrow(SignInError.NOT_BEGUN_HERE::refusal);
        // RFC 9207: an answer of another provider than the requested one is refused.
        if (answer.error().isPresent() || answer.issuer().filter(issuer -> !issuer.equals(provider.issuer())).isPresent()) {
            security.credentialRefused("answer", name, answer.error().isPresent() ? "error" : "another issuer");
            throw SignInError.NOT_SIGNED_IN.refusal();
        }
        String code = answer.code().filter(one -> one.length() <= PARAMETER_LENGTH_MAX).orElseThrow(SignInError.NOT_SIGNED_IN::refusal);
        AuthorizationServer server = provider.browsers().orElseThrow();
        return server.namesIssuer()
                .compose(namesIssuer -> namesIssuer && answer.issuer().isEmpty() ? refusedWithoutIssuer(name)
                        : server.idToken(code, attempt.verifier(), redirectUri(name)))
                .recover(failed -> Future.failedFuture(failed instanceof Refusal ? failed : silent(name, failed)))
                .compose(token -> idTokens.verify(provider, token, attempt.nonce()))
                .compose(identity -> sessions.signInBrowser(identity, address, cookieBefore))
                .recover(failed -> idTokens.refusedIfEnded(provider, failed))
                .map(session -> new Done(session, attempt.returnTo()));
    }

    private static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private Future<String> refusedWithoutIssuer(String provider) {
        security.credentialRefused("answer", provider, "no issuer");
        return Future.failedFuture(SignInError.NOT_SIGNED_IN.refusal());
    }

    private static Refusal silent(String provider, Throwable failed) {
        LOG.warn("identity provider {} did not answer as it should: {}", provider, failed.getMessage());
        return SignInError.PROVIDER_SILENT.refusal().retryAfter(5);
    }

    /** The provider of this name, if it is configured for the sign-in of browsers. */
    private IdentityProvider provider(String name) {
        return Optional.ofNullable(providers.get(name)).filter(provider -> provider.browsers().isPresent())
                .orElseThrow(SignInError.PROVIDER_NOT_FOUND::refusal);
    }
}
