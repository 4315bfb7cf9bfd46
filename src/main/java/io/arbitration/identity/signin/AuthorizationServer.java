package io.arbitration.identity.signin;

import io.vertx.core.Future;

/** Where a provider signs browsers in: authorization code flow with PKCE (OpenID Connect Core, section 3.1; RFC 7636). */
public interface AuthorizationServer {

    /** What the provider knows this platform as. */
    String clientId();

    /** Where the browser is sent. */
    Future<String> authorizationEndpoint();

    /** Whether each answer that it sends a browser back with names its issuer (RFC 9207); one without is then of another provider. */
    Future<Boolean> namesItself();

    /**
     * The ID token that a code stands for; not checked yet.
     *
     * @param verifier whose hash the authorization request carried
     * @param redirectUri to which the code came
     */
    Future<String> idToken(String code, String verifier, String redirectUri);
}
