package io.arbitration.mainapi.docket;

import io.vertx.core.json.DecodeException;
import java.util.function.Supplier;

/**
 * An entry as it stands in the chain. What it says is read only when its hash is computed: a row that somebody spoiled so
 * far that it reads as no entry breaks the chain there, not the verification.
 */
record ChainLink(long entryId, int number, String previousHash, String hash, Supplier<DocketEntry> entry) {

    boolean follows(int number, String hash) {
        return this.number == number + 1 && previousHash.equals(hash) && hasItsHash();
    }

    private boolean hasItsHash() {
        try {
            return hash.equals(entry.get().computedHash());
        } catch (DecodeException | IllegalArgumentException noEntry) {
            return false;
        }
    }
}
