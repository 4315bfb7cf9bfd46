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
 * A statement that a platform signed: a JWS in the compact form (RFC 7515), ES256, of one type. Which key signed it is told
 * by its header, whether that key counts by the published keys alone.
 */
record SignedStatement(String compact, String type) {

    /**
     * The payload, verified.
     *
     * @param keys file or address of the published keys; empty: those that the issuer in the payload publishes now, so that
     *     what is verified is that this issuer stands by it
     * @throws StepFailed when it does not hold, with the reason
     */
    JsonObject verifiedPayload(Optional<String> keys) {
        return verifiedPayload(issuer -> PublishedKeys.at(keys.orElseGet(() -> PublishedKeys.placeOf(issuer))));
    }

    /** @param keys of the issuer that the payload names */
    JsonObject verifiedPayload(Function<String, PublishedKeys> keys) {
        try {
            JWSObject statement = JWSObject.parse(compact);
            JWSHeader header = statement.getHeader();
            checkHeader(header);
            JsonObject payload = Inputs.json(statement.getPayload().toString(), "the payload");
            if (!statement.verify(new ECDSAVerifier(keys.apply(payload.getString("iss")).key(header.getKeyID())))) {
                throw new StepFailed("the signature does not fit: it was changed after it was signed, or not signed by key " + header.getKeyID());
            }
            return payload;
        } catch (ParseException malformed) {
            throw new StepFailed("not a signed statement (JWS, compact form): " + malformed.getMessage());
        } catch (JOSEException failed) {
            throw new StepFailed("the signature cannot be checked: " + failed.getMessage());
        }
    }

    private void checkHeader(JWSHeader header) {
        if (!JWSAlgorithm.ES256.equals(header.getAlgorithm())) {
            throw new StepFailed("signed with %s, not ES256".formatted(header.getAlgorithm()));
        }
        if (!new JOSEObjectType(type).equals(header.getType())) {
            throw new StepFailed("of type %s, not %s".formatted(header.getType(), type));
        }
        if (header.getCriticalParams() != null || header.getKeyID() == null) {
            throw new StepFailed("its header names no key, or holds what is not understood");
        }
    }
}
