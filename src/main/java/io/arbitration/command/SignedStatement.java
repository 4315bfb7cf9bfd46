package io.arbitration.command;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import io.vertx.core.json.JsonObject;
import java.text.ParseException;
import java.util.Optional;
import java.util.function.Function;

/**
 * A statement that a platform signed: a JWS in the compact form (RFC 7515), ES256. Its header names the key that signed it; the key
 * is taken from the published keys, never from the statement.
 *
 * @param type that the header must have ({@code typ})
 */
record SignedStatement(String compact, String type) {

    /**
     * Verifies the signature and gives the payload.
     *
     * @param keys file or address of the published keys; empty: the address where the issuer that the payload names publishes them
     * @throws CommandFailure when the statement cannot be verified, with the reason
     */
    JsonObject verifiedPayload(Optional<String> keys) {
        return verifiedPayload(issuer -> PublishedKeys.at(keys.orElseGet(() -> PublishedKeys.placeOf(issuer))));
    }

    /** @param keys gives the published keys of the issuer that the payload names */
    JsonObject verifiedPayload(Function<String, PublishedKeys> keys) {
        try {
            JWSObject statement = JWSObject.parse(compact);
            JWSHeader header = statement.getHeader();
            checkHeader(header);
            JsonObject payload = Inputs.json(statement.getPayload().toString(), "the payload");
            if (!statement.verify(new ECDSAVerifier(keys.apply(payload.getString("iss")).key(header.getKeyID())))) {
                throw new CommandFailure("the signature is wrong: the text was changed after it was signed, or was not signed by key " + header.getKeyID());
            }
            return payload;
        } catch (ParseException malformed) {
            throw new CommandFailure("not a signed statement (JWS, compact form): " + malformed.getMessage());
        } catch (JOSEException failed) {
            throw new CommandFailure("the signature cannot be checked: " + failed.getMessage());
        }
    }

    private void checkHeader(JWSHeader header) {
        if (!JWSAlgorithm.ES256.equals(header.getAlgorithm())) {
            throw new CommandFailure("signed with %s, not ES256".formatted(header.getAlgorithm()));
        }
        if (!new JOSEObjectType(type).equals(header.getType())) {
            throw new CommandFailure("of type %s, not %s".formatted(header.getType(), type));
        }
        if (header.getCriticalParams() != null || header.getKeyID() == null) {
            throw new CommandFailure("its header names no key, or has members that this program does not know");
        }
    }
}
