package io.arbitration.mainapi.filings;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import io.arbitration.domain.Timestamps;
import io.arbitration.mainapi.docket.DocketEntry;
import io.arbitration.platform.keys.SigningKeys;
import io.vertx.core.json.JsonObject;
import java.time.Clock;

/**
 * Receipts of filings: JWS in the compact form (RFC 7515), ES256, by the published keys. Their type differs from that of an
 * access token, which the same keys sign.
 */
final class Receipts {

    private static final JOSEObjectType TYPE = new JOSEObjectType("filing-receipt+jws");

    private final String issuer;
    private final SigningKeys keys;
    private final Clock clock;

    Receipts(String issuer, SigningKeys keys, Clock clock) {
        this.issuer = issuer;
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * A receipt of a submitted filing. Nobody can edit a filing from its submission on, so what it holds now is what was
     * submitted; an edit after a rejection takes {@code submittedAt} away until the next submission.
     *
     * @param entry the docket entry that it became; null when it has not become one
     */
    String receipt(Filing filing, DocketEntry entry) {
        JsonObject payload = new JsonObject()
                .put("iss", issuer)
                .put("filingID", String.valueOf(filing.filingId()))
                .put("caseID", filing.caseId().toString())
                .put("documentID", filing.documentId())
                .put("contentHash", filing.contentHash())
                .put("submittedAt", Timestamps.text(filing.submittedAt()))
                .put("issuedAt", Timestamps.text(Timestamps.milliseconds(clock.instant())));
        if (entry != null) {
            payload.put("entryID", String.valueOf(entry.entryId())).put("number", entry.number()).put("entryHash", entry.hash());
        }
        SigningKeys.SigningKey key = keys.current();
        JWSObject receipt = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.id()).type(TYPE).build(), new Payload(payload.encode()));
        try {
            receipt.sign(key.signer());
        } catch (JOSEException failed) {
            throw new IllegalStateException("signing a receipt failed", failed);
        }
        return receipt.serialize();
    }
}
