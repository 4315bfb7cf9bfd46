package io.arbitration.domain.docket;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import java.time.Instant;
import java.util.List;

/** That a docket entry is withheld from some parties; {@link EntryVisibility} says from which. */
public record Seal(Terms terms, UserId by, Instant at) {

    /**
     * What a seal says.
     *
     * @param visibleTo parties that see the entry beside those who always do; each once
     * @param reason shown to whoever sees the entry
     */
    public record Terms(List<PartyId> visibleTo, String reason) {

        public Terms {
            visibleTo = List.copyOf(visibleTo);
        }
    }
}
