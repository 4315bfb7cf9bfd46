package io.arbitration.mainapi.filings;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.docket.DocketEntry;
import io.arbitration.platform.keys.SigningKeys;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;

/**
 * Receipts of filings: JWS in the compact form (RFC 7515), ES256, by the published keys. Their type differs from that of an
 * access token, which the same keys sign.
 */
public final class Receipts {

    private static final String TYPE = "filing-receipt+jws";

    private final String issuer;
    private final SigningKeys keys;
    private final Clock clock;

    public Receipts(String issuer, SigningKeys keys, Clock clock) {
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
        JsonObject payload = payload(filing.filingId(), filing.caseId(), filing.documentId(), filing.contentHash(), filing.submittedAt());
        if (entry != null) {
            payload.put("entryID", String.valueOf(entry.entryId())).put("number", entry.number()).put("entryHash", entry.hash());
        }
        return signed(payload);
    }

    /** The receipt of the filing that became a docket entry, which says what was filed. */
    public String receipt(DocketEntry entry, Instant submittedAt) {
        return signed(payload(entry.filingId(), entry.caseId(), entry.documentId(), entry.contentHash(), submittedAt)
                .put("entryID", String.valueOf(entry.entryId())).put("number", entry.number()).put("entryHash", entry.hash()));
    }

    private JsonObject payload(long filingId, UUID caseId, String documentId, String contentHash, Instant submittedAt) {
        return new JsonObject()
                .put("iss", issuer)
                .put("filingID", String.valueOf(filingId))
                .put("caseID", caseId.toString())
                .put("documentID", documentId)
                .put("contentHash", contentHash)
                .put("submittedAt", Timestamps.text(submittedAt))
                .put("issuedAt", Timestamps.text(Timestamps.milliseconds(clock.instant())));
    }

    private String signed(JsonObject payload) {
        return keys.signed(TYPE, payload.encode());
    }
}
