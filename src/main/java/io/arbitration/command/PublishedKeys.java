package io.arbitration.command;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import java.text.ParseException;

/**
 * The public keys of a platform, as it publishes them (RFC 7517).
 *
 * @param place file or address that they were read from
 */
record PublishedKeys(String place, JWKSet keys) {

    private static final String PATH = "/.well-known/jwks.json";

    /**
     * Reads the keys.
     *
     * @param place file or address
     * @throws CommandFailure when they cannot be read
     */
    static PublishedKeys at(String place) {
        try {
            return new PublishedKeys(place, JWKSet.parse(Inputs.jsonAt(place).encode()));
        } catch (ParseException malformed) {
            throw new CommandFailure("%s holds no keys (JWKS): %s".formatted(place, malformed.getMessage()));
        }
    }

    /** The address at which an issuer publishes its keys. */
    static String placeOf(String issuer) {
        // Over plain http anybody on the network could answer with other keys.
        boolean safe = issuer != null && (issuer.startsWith("https://") || issuer.startsWith("http://localhost:"));
        if (!safe) {
            throw new CommandFailure("its issuer %s has no https address; name the keys with --keys".formatted(issuer));
        }
        return issuer + PATH;
    }

    ECKey key(String id) {
        JWK key = keys.getKeyByKeyId(id);
        if (key instanceof ECKey elliptic) {
            return elliptic;
        }
        throw new CommandFailure("key %s is not among the published keys of %s".formatted(id, place));
    }
}
