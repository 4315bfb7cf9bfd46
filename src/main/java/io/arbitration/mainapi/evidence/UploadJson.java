package io.arbitration.mainapi.evidence;

import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;

/** Evidence in the form of the interface. Members and their order are those of the specification. */
public final class UploadJson {

    private UploadJson() {}

    static JsonObject listed(Upload upload) {
        return new JsonObject()
                .put("created", Timestamps.text(upload.created()))
                .put("uploadID", String.valueOf(upload.uploadId()))
                .put("categoryID", upload.categoryId())
                .put("phaseID", upload.phaseId().value())
                .put("partyID", upload.exhibit().partyId().value())
                .put("userID", upload.userId().toString())
                .put("organizationID", upload.organizationId().map(OrganizationId::toString).orElse(null))
                .put("description", upload.description())
                .put("contentType", upload.contentType());
    }

    /** With the address at which the AI area reads it. */
    static JsonObject viewed(Upload upload) {
        return exported(upload).put("gsUrl", upload.address().toString());
    }

    /** The members that are valid independently of the platform. */
    public static JsonObject exported(Upload upload) {
        return listed(upload)
                .put("exhibitNumber", upload.exhibit().toString())
                .put("fileName", upload.fileName())
                .put("bytes", upload.bytes())
                .put("sha256", upload.sha256());
    }
}
