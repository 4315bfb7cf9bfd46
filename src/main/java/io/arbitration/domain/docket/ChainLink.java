package io.arbitration.domain.docket;

import io.arbitration.domain.EntryId;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An entry as a link of the chain. Its content is parsed only when its hash is computed. A stored row that is damaged and cannot
 * be parsed breaks the chain at this entry; the check continues.
 *
 * @param content the complete entry; empty if the stored row cannot be parsed
 */
public record ChainLink(EntryId entryId, int number, String previousHash, String hash, Supplier<Optional<DocketEntry>> content) {

    boolean follows(int numberBefore, String hashBefore) {
        return number == numberBefore + 1 && previousHash.equals(hashBefore) && hasItsHash();
    }

    private boolean hasItsHash() {
        try {
            return content.get().filter(entry -> hash.equals(entry.computedHash())).isPresent();
        } catch (IllegalArgumentException notCanonical) {
            return false;
        }
    }
}
