package io.arbitration.domain.hash;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Hashes that anyone can compute again: SHA-256, in lower-case hexadecimal, of the UTF-8 of canonical JSON (RFC 8785). The hashed
 * members are defined here once, for code that states a hash and for code that checks it.
 */
public final class ContentHash {

    /** The content by a filer, as a receipt states it: these members of the filing, null for absent ones. */
    public static final List<String> FILING_MEMBERS = List.of("documentID", "fields", "parentEntryID", "supersedes", "title");

    /** The hash before the first entry of every docket. */
    public static final String FIRST_PREVIOUS_HASH = "0".repeat(64);

    private ContentHash() {}

    /** The hash of these members of an object, with null for absent ones. */
    public static String of(Map<String, ?> object, List<String> members) {
        Map<String, Object> content = new HashMap<>();
        members.forEach(member -> content.put(member, object.get(member)));
        return of(content);
    }

    /** The hash of a complete object. */
    public static String of(Map<String, ?> object) {
        return Sha256.hex(CanonicalJson.text(object).getBytes(StandardCharsets.UTF_8));
    }
}
