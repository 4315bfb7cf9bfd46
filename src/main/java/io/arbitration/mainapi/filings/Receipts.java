package io.arbitration.mainapi.filings;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.filing.FiledFile;
import io.arbitration.domain.filing.Filing;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.keys.SigningKeys;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Receipts of filings: JWS in compact form (RFC 7515), signed with ES256 and the published keys. The same keys sign access tokens, which
 * have another {@code typ} in their header.
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
     * The receipt of a submitted filing. A filing cannot be edited after its submission, so its content is what was submitted. An edit after
     * a rejection deletes the submission, so there is no receipt until the next one.
     *
     * @param entry the docket entry of the filing, if it is docketed
     * @param clock the clock of the case; the receipt of a sandbox says that it is one
     */
    String receipt(Filing.Document filing, Filing.Submission submission, Optional<DocketEntry> entry, CaseClock clock) {
        JsonObject payload = payload(filing.filingId(), filing.caseId(), filing.documentTypeId(), filing.contentHash(), submission.at(),
                entry.map(docketed -> docketed.form().files())
                        .orElseGet(() -> filing.content().files().stream().map(FiledFile::sha256).toList()));
        entry.ifPresent(docketed -> putEntry(payload, docketed));
        return signed(payload, clock.isSandbox());
    }

    /** The receipt of a docketed filing, from its docket entry. */
    public String receipt(DocketEntry entry, Instant submittedAt, boolean inSandbox) {
        JsonObject payload = payload(entry.filingId(), entry.caseId(), entry.documentTypeId(), entry.filedHash(), submittedAt, entry.form().files());
        putEntry(payload, entry);
        return signed(payload, inSandbox);
    }

    private static void putEntry(JsonObject payload, DocketEntry entry) {
        payload.put("entryID", entry.entryId().toString()).put("number", entry.number()).put("entryHash", entry.hash());
    }

    private JsonObject payload(FilingId filingId, CaseId caseId, DocumentTypeId documentTypeId, String contentHash, Instant submittedAt, List<String> files) {
        return new JsonObject()
                .put("iss", issuer)
                .put("filingID", filingId.toString())
                .put("caseID", caseId.toString())
                .put("documentID", documentTypeId.value())
                .put("contentHash", contentHash)
                .put("files", new JsonArray(files))
                .put("submittedAt", Timestamps.text(submittedAt))
                .put("issuedAt", Timestamps.text(Timestamps.milliseconds(clock.instant())));
    }

    private String signed(JsonObject payload, boolean inSandbox) {
        if (inSandbox) {
            payload.put("sandbox", true);
        }
        return keys.signed(TYPE, payload.encode());
    }
}
