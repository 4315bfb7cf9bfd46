package io.arbitration.domain.docket;

import io.arbitration.domain.hash.ContentHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The canonical forms in which docket entries are hashed, for code that states a hash and for code that checks it. A hash is that
 * of {@link ContentHash}: SHA-256 of canonical JSON (RFC 8785), with null for absent members.
 *
 * <p>Version 1 hashes the complete entry. Version 2 hashes the link of the chain, which contains the hash of the content; so a
 * reader who may not see the content can still verify the link.
 */
public final class EntryHash {

    /** The member with the version of the form; an entry without it has version 1. */
    public static final String VERSION = "version";
    /** The member with the hash of the content, from version 2 on. */
    public static final String CONTENT_HASH = "contentHash";
    /** The member with 32 random bytes, 64 hexadecimal digits: without them, short content could be guessed by its hash. */
    public static final String SALT = "salt";

    /** The members that the hash of a version 1 entry covers. */
    private static final List<String> VERSION_1 = List.of(
            "caseID", "documentID", "enteredAt", "entryID", "fields", "filingID", "number", "organizationID", "parentEntryID",
            "partyID", "phaseID", "previousHash", "rootEntryID", "supersedes", "title", "userID");
    /** The members that the hash of a version 2 entry covers. */
    private static final List<String> LINK = List.of("caseID", CONTENT_HASH, "entryID", "number", "previousHash", VERSION);
    /** The members that the content hash of a version 2 entry covers. */
    private static final List<String> CONTENT = List.of(
            "documentID", "enteredAt", "fields", "files", "filingID", "organizationID", "parentEntryID", "partyID", "phaseID", "rootEntryID",
            SALT, "supersedes", "title", "userID");

    private EntryHash() {}

    /**
     * The hash of an entry. A version 2 entry without {@code salt} is withheld: the content hash that it states is used
     * unchecked.
     *
     * @param entry its members by name
     * @throws IllegalArgumentException if the version of the entry is unknown, its stated content hash is wrong, or it contains
     *         values that canonical JSON cannot express
     */
    public static String of(Map<String, ?> entry) {
        return switch (version(entry)) {
            case 1 -> ContentHash.of(entry, VERSION_1);
            case 2 -> ofLink(entry);
            default -> throw new IllegalArgumentException("version %s is not known".formatted(entry.get(VERSION)));
        };
    }

    private static String ofLink(Map<String, ?> entry) {
        Map<String, Object> link = new HashMap<>(entry);
        if (entry.get(SALT) != null) {
            String contentHash = ofContent(entry);
            Object stated = link.put(CONTENT_HASH, contentHash);
            if (stated != null && !stated.equals(contentHash)) {
                throw new IllegalArgumentException("the content has not the hash that the entry states");
            }
        }
        return ContentHash.of(link, LINK);
    }

    /** The content hash of a version 2 entry. */
    public static String ofContent(Map<String, ?> entry) {
        return ContentHash.of(entry, CONTENT);
    }

    /** 0 for an invalid version. */
    private static int version(Map<String, ?> entry) {
        return switch (entry.get(VERSION)) {
            case null -> 1;
            case Integer version -> version;
            default -> 0;
        };
    }
}
