package io.arbitration.mainapi.docket;

import io.arbitration.domain.EntryId;
import io.arbitration.domain.docket.ChainCheck;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.docket.EntryForm;
import io.arbitration.domain.docket.EntryHash;
import io.arbitration.domain.docket.EntryVisibility;
import io.arbitration.domain.docket.Seal;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.files.FiledFiles;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Docket entries and their chain as JSON. */
public final class EntryJson {

    private EntryJson() {}

    /** The proof of an entry: everything that its hash covers, the hashes, and the entry that superseded it. */
    public static JsonObject proof(DocketEntry entry, Optional<EntryId> supersededBy) {
        JsonObject proof = new JsonObject(new TreeMap<>(entry.hashedMembers()));
        entry.contentHash().ifPresent(contentHash -> proof.put(EntryHash.CONTENT_HASH, contentHash));
        return proof.put("hash", entry.hash()).put("supersededBy", textOrNull(supersededBy));
    }

    /**
     * The proof for a reader from whom the entry is withheld: what the docket list shows, and the link of the hash chain. The hash of the
     * content proves a link of version 2. Without the salt, nobody can test guesses of the content against that hash.
     */
    public static JsonObject withheldProof(DocketEntry entry, Optional<EntryId> supersededBy) {
        JsonObject proof = proof(entry, supersededBy).put("title", EntryVisibility.WITHHELD_TITLE).put("withheld", true);
        Stream.of("fields", "files", EntryHash.SALT).forEach(proof::remove);
        return proof;
    }

    /** The payload of the {@code docket_filing} event. */
    public static JsonObject eventData(DocketEntry entry) {
        return new JsonObject()
                .put("entryID", entry.entryId().toString())
                .put("enteredAt", Timestamps.text(entry.enteredAt()))
                .put("filingID", entry.filingId().toString())
                .put("caseID", entry.caseId().toString())
                .put("phaseID", entry.phaseId().value())
                .put("documentID", entry.documentTypeId().value())
                .put("userID", entry.userId().toString())
                .put("organizationID", textOrNull(entry.organizationId()))
                .put("partyID", entry.partyId().value())
                .put("rootEntryID", textOrNull(entry.rootEntryId()))
                .put("parentEntryID", textOrNull(entry.parentEntryId()));
    }

    /** The entry as {@code /docket/entries/list} shows it. */
    static JsonObject listed(ListedEntry entry) {
        JsonObject json = new JsonObject()
                .put("entryID", String.valueOf(entry.entryId()))
                .put("enteredAt", Timestamps.text(entry.enteredAt().toInstant()))
                .put("userID", entry.userId().toString())
                .put("organizationID", textOrNull(entry.organizationId()))
                .put("phaseID", entry.phaseId())
                .put("documentID", entry.documentId())
                .put("partyID", entry.partyId())
                .put("filingID", String.valueOf(entry.filingId()))
                .put("title", entry.title());
        entry.supersedes().ifPresent(superseded -> json.put("supersedes", superseded.toString()));
        return json;
    }

    /** The entry as {@code /docket/entries/view} shows it. */
    static JsonObject view(DocketRepository.Viewed viewed) {
        DocketEntry entry = viewed.entry();
        JsonObject json = new JsonObject()
                .put("entryID", entry.entryId().toString())
                .put("enteredAt", Timestamps.text(entry.enteredAt()))
                .put("userID", entry.userId().toString())
                .put("organizationID", textOrNull(entry.organizationId()))
                .put("phaseID", entry.phaseId().value())
                .put("documentID", entry.documentTypeId().value())
                .put("partyID", entry.partyId().value())
                .put("filingID", entry.filingId().toString())
                .put("title", entry.title());
        entry.supersedes().ifPresent(superseded -> json.put("supersedes", superseded.toString()));
        viewed.seal().ifPresent(sealed -> json.put("sealed", SealTerms.json(sealed.terms())
                .put("by", sealed.by().toString()).put("at", Timestamps.text(sealed.at()))));
        return json
                .put("number", entry.number())
                .put("fields", new JsonObject(entry.fields()))
                .put("rootEntryID", textOrNull(entry.rootEntryId()))
                .put("parentEntryID", textOrNull(entry.parentEntryId()))
                .put("supersededBy", textOrNull(viewed.supersededBy()))
                .put("files", FiledFiles.json(viewed.files()))
                .put("version", entry.form().version())
                .put("salt", salt(entry))
                .put("contentHash", entry.contentHash().orElse(null))
                .put("previousHash", entry.previousHash())
                .put("hash", entry.hash());
    }

    private static String salt(DocketEntry entry) {
        return switch (entry.form()) {
            case EntryForm.Version1 first -> null;
            case EntryForm.Version2 second -> second.salt();
        };
    }

    /** What {@code /docket/verify} answers. */
    static JsonObject report(ChainCheck.Report report) {
        JsonObject json = new JsonObject().put("valid", report.valid()).put("entries", report.entries()).put("headHash", report.headHash());
        report.firstBroken().ifPresent(broken -> json.put("firstBroken", broken.toString()));
        return json;
    }

    private static String textOrNull(Optional<?> value) {
        return value.map(Object::toString).orElse(null);
    }
}
