package io.arbitration.identity;

import com.nimbusds.jose.JWSAlgorithm;
import java.util.List;
import java.util.Set;

/** An OpenID provider whose ID tokens are taken. */
record IdentityProvider(String name, String issuer, List<String> audiences, Set<JWSAlgorithm> algorithms, ProviderKeys keys) {}
