package io.arbitration.mainapi.filings;

import io.arbitration.domain.hash.ContentHash;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A document filed in a case. What is not there yet is null.
 *
 * @param phaseId phase in which it was made or, once submitted, submitted
 * @param approverParty party that decides on it, fixed at submission; null where nobody needs to
 * @param entryId docket entry that it became
 * @param late whether its submission was after its deadline, under a rule that only marks that
 */
record Filing(
        long filingId, UUID caseId, String documentId, String phaseId, String partyId, UUID userId, UUID organizationId,
        FilingState state, String title, JsonObject fields, Long supersedes, Long parentEntryId, long revision, Instant created,
        Instant updated, Instant submittedAt, String approverParty, Instant decidedAt, UUID decidedBy, String reason, Long entryId,
        boolean late) {

    /** What a draft says; the filer's side may change it. */
    record Content(String title, JsonObject fields, Long supersedes, Long parentEntryId) {}

    static Filing draft(long filingId, UUID caseId, String documentId, String phaseId, Part filer, Content content, Instant now) {
        return new Filing(filingId, caseId, documentId, phaseId, filer.partyId(), filer.userId(), filer.organizationId(),
                FilingState.DRAFT, content.title, content.fields, content.supersedes, content.parentEntryId, 1, now, now,
                null, null, null, null, null, null, false);
    }

    Content content() {
        return new Content(title, fields, supersedes, parentEntryId);
    }

    /** A rejection and its reason stay readable until the next submission. */
    Filing edited(Content content, Instant now) {
        return new Filing(filingId, caseId, documentId, phaseId, partyId, userId, organizationId, FilingState.DRAFT,
                content.title, content.fields, content.supersedes, content.parentEntryId, revision + 1, created, now,
                null, null, decidedAt, decidedBy, reason, null, false);
    }

    Filing submitted(String phase, String approver, boolean isLate, Instant now) {
        return new Filing(filingId, caseId, documentId, phase, partyId, userId, organizationId, FilingState.SUBMITTED, title,
                fields, supersedes, parentEntryId, revision + 1, created, now, now, approver, null, null, null, null, isLate);
    }

    Filing withdrawn(Instant now) {
        return new Filing(filingId, caseId, documentId, phaseId, partyId, userId, organizationId, FilingState.WITHDRAWN, title,
                fields, supersedes, parentEntryId, revision + 1, created, now, submittedAt, approverParty, decidedAt, decidedBy,
                reason, null, late);
    }

    Filing rejected(UUID by, String why, Instant now) {
        return new Filing(filingId, caseId, documentId, phaseId, partyId, userId, organizationId, FilingState.REJECTED, title,
                fields, supersedes, parentEntryId, revision + 1, created, now, submittedAt, approverParty, now, by, why, null, late);
    }

    /** @param by who approved it; null when it was docketed by its submission */
    Filing docketed(UUID by, long entry, Instant now) {
        long next = by == null ? revision : revision + 1;
        return new Filing(filingId, caseId, documentId, phaseId, partyId, userId, organizationId, FilingState.DOCKETED, title,
                fields, supersedes, parentEntryId, next, created, now, submittedAt, approverParty, by == null ? null : now, by,
                null, entry, late);
    }

    /** The hash of what the filer wrote: {@link ContentHash#FILING_MEMBERS}. */
    String contentHash() {
        Map<String, Object> written = new HashMap<>();
        written.put("documentID", documentId);
        written.put("fields", fields.getMap());
        written.put("parentEntryID", parentEntryId == null ? null : parentEntryId.toString());
        written.put("supersedes", supersedes == null ? null : supersedes.toString());
        written.put("title", title);
        return ContentHash.of(written, ContentHash.FILING_MEMBERS);
    }

    JsonObject json() {
        JsonObject json = new JsonObject()
                .put("filingID", String.valueOf(filingId))
                .put("caseID", caseId.toString())
                .put("documentID", documentId)
                .put("phaseID", phaseId)
                .put("partyID", partyId)
                .put("userID", userId.toString())
                .put("organizationID", organizationId == null ? null : organizationId.toString())
                .put("state", state.wireName())
                .put("title", title)
                .put("fields", fields)
                .put("revision", revision)
                .put("created", Timestamps.text(created))
                .put("updated", Timestamps.text(updated));
        putPresent(json, "supersedes", supersedes);
        putPresent(json, "parentEntryID", parentEntryId);
        putPresent(json, "submittedAt", submittedAt);
        putPresent(json, "decidedAt", decidedAt);
        putPresent(json, "decidedBy", decidedBy);
        putPresent(json, "reason", reason);
        putPresent(json, "entryID", entryId);
        return json;
    }

    private static void putPresent(JsonObject json, String name, Object value) {
        if (value != null) {
            json.put(name, value instanceof Instant instant ? Timestamps.text(instant) : value.toString());
        }
    }
}
