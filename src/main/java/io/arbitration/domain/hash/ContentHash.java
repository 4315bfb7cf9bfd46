package io.arbitration.domain.hash;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Hashes that anyone can compute again: SHA-256, in lower-case hexadecimal, of the UTF-8 of canonical JSON (RFC 8785).
 * What is hashed is named here once, for those who state a hash and for those who check it.
 */
public final class ContentHash {

    /** What a filer wrote, and a receipt therefore states: these members of the filing, null where it has none. */
    public static final List<String> FILING_MEMBERS = List.of("documentID", "fields", "parentEntryID", "supersedes", "title");

    /** The hash before the first entry of every docket. */
    public static final String FIRST_PREVIOUS_HASH = "0".repeat(64);

    private ContentHash() {}

    /** The hash of these members of an object, each null where the object has none. */
    public static String of(Map<String, ?> object, List<String> members) {
        Map<String, Object> content = new HashMap<>();
        members.forEach(member -> content.put(member, object.get(member)));
        return of(content);
    }

    /** The hash of a whole object. */
    public static String of(Map<String, ?> object) {
        return sha256(CanonicalJson.text(object).getBytes(StandardCharsets.UTF_8));
    }

    /** SHA-256 in lower-case hexadecimal. */
    public static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    /** A digest to be fed piece by piece. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
