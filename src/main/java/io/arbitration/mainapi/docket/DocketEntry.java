package io.arbitration.mainapi.docket;

import io.arbitration.domain.hash.ContentHash;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An entry of a case's docket, numbered from 1 without a gap and chained by hashes: each hash covers the canonical JSON
 * (RFC 8785) of the entry, the previous hash included. What is not there is null.
 */
public record DocketEntry(
        long entryId, UUID caseId, int number, long filingId, Instant enteredAt, UUID userId, UUID organizationId, String phaseId,
        String documentId, String partyId, String title, JsonObject fields, Long supersedes, Long parentEntryId, Long rootEntryId,
        String previousHash, String hash) {

    /** The hash before the first entry of every case. */
    public static final String FIRST_PREVIOUS_HASH = ContentHash.FIRST_PREVIOUS_HASH;

    /** The same entry with the hash that it ought to have. */
    public DocketEntry hashed() {
        return new DocketEntry(entryId, caseId, number, filingId, enteredAt, userId, organizationId, phaseId, documentId, partyId,
                title, fields, supersedes, parentEntryId, rootEntryId, previousHash, computedHash());
    }

    /** The hash of {@link ContentHash#ENTRY_MEMBERS}. */
    String computedHash() {
        return ContentHash.of(hashedContent(), ContentHash.ENTRY_MEMBERS);
    }

    /** The hash of what was filed: {@link ContentHash#FILING_MEMBERS}, as a receipt states it. */
    public String contentHash() {
        return ContentHash.of(hashedContent(), ContentHash.FILING_MEMBERS);
    }

    private Map<String, Object> hashedContent() {
        Map<String, Object> content = new HashMap<>();
        content.put("caseID", caseId.toString());
        content.put("documentID", documentId);
        content.put("enteredAt", Timestamps.text(enteredAt));
        content.put("entryID", String.valueOf(entryId));
        content.put("fields", fields.getMap());
        content.put("filingID", String.valueOf(filingId));
        content.put("number", number);
        content.put("organizationID", text(organizationId));
        content.put("parentEntryID", text(parentEntryId));
        content.put("partyID", partyId);
        content.put("phaseID", phaseId);
        content.put("previousHash", previousHash);
        content.put("rootEntryID", text(rootEntryId));
        content.put("supersedes", text(supersedes));
        content.put("title", title);
        content.put("userID", userId.toString());
        return content;
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    /** All that the hash covers, the hash, and the entry that took this one's place: what proves the entry by itself. */
    public JsonObject proof(Long supersededBy) {
        return new JsonObject(new TreeMap<>(hashedContent())).put("hash", hash).put("supersededBy", text(supersededBy));
    }

    /** The payload of the {@code docket_filing} event. */
    public JsonObject eventData() {
        return new JsonObject()
                .put("entryID", String.valueOf(entryId))
                .put("enteredAt", Timestamps.text(enteredAt))
                .put("filingID", String.valueOf(filingId))
                .put("caseID", caseId.toString())
                .put("phaseID", phaseId)
                .put("documentID", documentId)
                .put("userID", userId.toString())
                .put("organizationID", text(organizationId))
                .put("partyID", partyId)
                .put("rootEntryID", text(rootEntryId))
                .put("parentEntryID", text(parentEntryId));
    }

    /** The entry as {@code /docket/entries/view} shows it. */
    JsonObject view(Long supersededBy) {
        JsonObject json = new JsonObject()
                .put("entryID", String.valueOf(entryId))
                .put("enteredAt", Timestamps.text(enteredAt))
                .put("userID", userId.toString())
                .put("organizationID", text(organizationId))
                .put("phaseID", phaseId)
                .put("documentID", documentId)
                .put("partyID", partyId)
                .put("filingID", String.valueOf(filingId))
                .put("title", title);
        if (supersedes != null) {
            json.put("supersedes", supersedes.toString());
        }
        return json
                .put("number", number)
                .put("fields", fields)
                .put("rootEntryID", text(rootEntryId))
                .put("parentEntryID", text(parentEntryId))
                .put("supersededBy", text(supersededBy))
                .put("previousHash", previousHash)
                .put("hash", hash);
    }
}
