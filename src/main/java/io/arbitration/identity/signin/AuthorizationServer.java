package io.arbitration.identity.signin;

import io.vertx.core.Future;

/**
 * The endpoints of a provider for the sign-in of browsers: authorization code flow with PKCE (OpenID Connect Core, section 3.1; RFC 7636).
 */
public interface AuthorizationServer {

    /** The client ID of this platform at the provider. */
    String clientId();

    /** The URL to which the browser is redirected. */
    Future<String> authorizationEndpoint();

    /**
     * Whether each of its answers names its issuer (RFC 9207). If so, an answer without an issuer is from another provider and is
     * refused.
     */
    Future<Boolean> namesIssuer();

    /**
     * Exchanges a code for an ID token, which is not verified yet.
     *
     * @param verifier the PKCE code verifier, whose hash was in the authorization request
     * @param redirectUri the URI to which the provider sent the code
     */
    Future<String> idToken(String code, String verifier, String redirectUri);
}
