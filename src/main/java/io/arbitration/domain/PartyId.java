package io.arbitration.domain;

import java.util.Optional;

/** A party of a case, as the definition files name it ({@code claimant}): see {@link Identifiers#isDefinitionName}. */
public record PartyId(String value) {

    public PartyId {
        if (!Identifiers.isDefinitionName(value)) {
            throw new IllegalArgumentException("not the name of a definition");
        }
    }

    /** The id that a client wrote; empty for a text that no definition can have as its name. */
    public static Optional<PartyId> of(String text) {
        return Identifiers.isDefinitionName(text) ? Optional.of(new PartyId(text)) : Optional.empty();
    }

    /** As it stands on the wire. */
    @Override
    public String toString() {
        return value;
    }
}
