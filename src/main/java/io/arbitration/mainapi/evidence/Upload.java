package io.arbitration.mainapi.evidence;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.objects.ObjectAddress;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/**
 * A piece of evidence.
 *
 * @param exhibit its number among those of its party in the case, from 1
 * @param organizationId null when the uploader has none
 */
record Upload(
        long uploadId, UUID caseId, String partyId, int exhibit, UUID userId, UUID organizationId, String phaseId, String categoryId,
        String description, String contentType, String fileName, long bytes, String sha256,
        ObjectAddress address, Instant created) {

    /** Members and their order are the specification's. */
    JsonObject json() {
        return new JsonObject()
                .put("created", Timestamps.text(created))
                .put("uploadID", String.valueOf(uploadId))
                .put("categoryID", categoryId)
                .put("phaseID", phaseId)
                .put("partyID", partyId)
                .put("userID", userId.toString())
                .put("organizationID", organizationId == null ? null : organizationId.toString())
                .put("description", description)
                .put("contentType", contentType);
    }

    /** With the address that the AI area reads it at. */
    JsonObject view() {
        return exported().put("gsUrl", address.toString());
    }

    /** What holds wherever the case is taken. */
    JsonObject exported() {
        return json()
                .put("exhibitNumber", exhibitNumber(partyId, exhibit))
                .put("fileName", fileName)
                .put("bytes", bytes)
                .put("sha256", sha256);
    }

    /** {@code C-1}, {@code R-1} …; a party that a set of definitions adds is written out. */
    static String exhibitNumber(String partyId, int exhibit) {
        String prefix = switch (partyId) {
            case "claimant" -> "C";
            case "respondent" -> "R";
            case "caseManager" -> "M";
            case "arbitrator" -> "A";
            default -> partyId.toUpperCase(Locale.ROOT);
        };
        return prefix + "-" + exhibit;
    }
}
