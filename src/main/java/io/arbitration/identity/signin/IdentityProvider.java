package io.arbitration.identity.signin;

import com.nimbusds.jose.JWSAlgorithm;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An OpenID provider whose ID tokens are accepted.
 *
 * @param browsers its endpoints for the sign-in of browsers; empty if no client ID is configured
 * @param emailVerifiedAsText whether {@code email_verified} may also be the text {@code "true"}
 * @param acrValues the accepted values of the claim {@code acr}, which states how the person was authenticated; empty: any
 */
public record IdentityProvider(
        String name, String issuer, List<String> audiences, Set<JWSAlgorithm> algorithms, ProviderKeys keys, boolean emailVerifiedAsText,
        List<String> acrValues, Optional<AuthorizationServer> browsers) {}
