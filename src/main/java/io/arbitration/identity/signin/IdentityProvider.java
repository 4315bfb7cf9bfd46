package io.arbitration.identity.signin;

import com.nimbusds.jose.JWSAlgorithm;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An OpenID provider whose ID tokens are taken.
 *
 * @param browsers where browsers sign in; empty where the configuration names no client of ours
 * @param emailVerifiedAsText whether the text {@code "true"} is taken for {@code email_verified}
 * @param acrValues how somebody must have signed in: the {@code acr} of an ID token is one of these; empty: as the provider likes
 */
public record IdentityProvider(
        String name, String issuer, List<String> audiences, Set<JWSAlgorithm> algorithms, ProviderKeys keys, boolean emailVerifiedAsText,
        List<String> acrValues, Optional<AuthorizationServer> browsers) {}
