package io.arbitration.domain.docket;

import io.arbitration.domain.EntryId;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An entry as a link of the chain. What it says is read only when its hash is computed. A stored row that is damaged so far
 * that it reads as no entry breaks the chain there; the check of the chain goes on.
 *
 * @param content the whole entry; empty when what is stored reads as none
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
