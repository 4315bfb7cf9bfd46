package io.arbitration.domain.docket;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.hash.ContentHash;
import io.arbitration.domain.time.Timestamps;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An entry of a case's docket. Entries are numbered from 1 without a gap and chained: the hash of each ({@link EntryHash}) covers the
 * entry and the hash of the entry before it.
 *
 * @param userId of the filer; the same applies to organization and party
 * @param fields the filed values: strings, booleans and numbers by field ID
 * @param supersedes the entry that this one replaces
 * @param parentEntryId the entry to which this one replies
 * @param rootEntryId first entry of that chain of replies
 * @param form the form in which it is hashed
 * @param hash lower-case hexadecimal, as is the previous one
 */
public record DocketEntry(
        EntryId entryId, CaseId caseId, int number, FilingId filingId, Instant enteredAt, UserId userId,
        Optional<OrganizationId> organizationId, PhaseId phaseId, DocumentTypeId documentTypeId, PartyId partyId, String title,
        Map<String, Object> fields, Optional<EntryId> supersedes, Optional<EntryId> parentEntryId, Optional<EntryId> rootEntryId,
        EntryForm form, String previousHash, String hash) {

    /** The same entry with the hash that it must have. */
    public DocketEntry hashed() {
        return new DocketEntry(entryId, caseId, number, filingId, enteredAt, userId, organizationId, phaseId, documentTypeId, partyId,
                title, fields, supersedes, parentEntryId, rootEntryId, form, previousHash, computedHash());
    }

    /**
     * The correct hash of the entry, by the version of its form.
     *
     * @throws IllegalArgumentException if the fields contain values that canonical JSON cannot express
     */
    public String computedHash() {
        return EntryHash.of(hashedMembers());
    }

    /** The hash of the filed content, {@link ContentHash#FILING_MEMBERS}, as a receipt states it. */
    public String filedHash() {
        return ContentHash.of(hashedMembers(), ContentHash.FILING_MEMBERS);
    }

    /** The hash of the content, which the hashed link of a version 2 entry contains; empty for version 1. */
    public Optional<String> contentHash() {
        return form instanceof EntryForm.Version2 ? Optional.of(EntryHash.ofContent(hashedMembers())) : Optional.empty();
    }

    /** The members that the hash covers, by name, with null for absent ones: sufficient to verify the entry on its own. */
    public Map<String, Object> hashedMembers() {
        Map<String, Object> members = new HashMap<>();
        members.put("caseID", caseId.toString());
        members.put("documentID", documentTypeId.value());
        members.put("enteredAt", Timestamps.text(enteredAt));
        members.put("entryID", entryId.toString());
        members.put("fields", fields);
        members.put("filingID", filingId.toString());
        members.put("number", number);
        members.put("organizationID", textOrNull(organizationId));
        members.put("parentEntryID", textOrNull(parentEntryId));
        members.put("partyID", partyId.value());
        members.put("phaseID", phaseId.value());
        members.put("previousHash", previousHash);
        members.put("rootEntryID", textOrNull(rootEntryId));
        members.put("supersedes", textOrNull(supersedes));
        members.put("title", title);
        members.put("userID", userId.toString());
        if (form instanceof EntryForm.Version2 second) {
            members.put(EntryHash.VERSION, second.version());
            members.put("files", second.files());
            members.put(EntryHash.SALT, second.salt());
        }
        return members;
    }

    private static String textOrNull(Optional<?> value) {
        return value.map(Object::toString).orElse(null);
    }
}
