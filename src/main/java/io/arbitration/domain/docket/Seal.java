package io.arbitration.domain.docket;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.time.Instant;
import java.util.List;

/** A docket entry is withheld from some parties; {@link EntryVisibility} defines from which. */
public record Seal(Terms terms, UserId by, Instant at) {

    /**
     * The content of a seal.
     *
     * @param visibleTo further parties that see the entry, in addition to those that always do; each once
     * @param reason shown to readers who may see the entry
     */
    public record Terms(List<PartyId> visibleTo, String reason) {

        public Terms {
            visibleTo = List.copyOf(visibleTo);
        }
    }
}
