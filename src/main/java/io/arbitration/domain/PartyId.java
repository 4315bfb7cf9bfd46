package io.arbitration.domain;

import java.util.Optional;

/** A party of a case, as the definition files name it ({@code claimant}): see {@link Identifiers#isDefinitionName}. */
public record PartyId(String value) {

    public PartyId {
        if (!Identifiers.isDefinitionName(value)) {
            throw new IllegalArgumentException("not the name of a definition");
        }
    }

    /** The ID in this text; empty for a text that cannot be the name of a definition. */
    public static Optional<PartyId> of(String text) {
        return Identifiers.isDefinitionName(text) ? Optional.of(new PartyId(text)) : Optional.empty();
    }

    /** The form in which it is sent. */
    @Override
    public String toString() {
        return value;
    }
}
