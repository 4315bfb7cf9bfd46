package io.arbitration.domain;

import java.util.Optional;

/** A phase of a case, as the definition files name it ({@code caseFiling}): see {@link Identifiers#isDefinitionName}. */
public record PhaseId(String value) {

    public PhaseId {
        if (!Identifiers.isDefinitionName(value)) {
            throw new IllegalArgumentException("not the name of a definition");
        }
    }

    /** The ID in this text; empty for a text that cannot be the name of a definition. */
    public static Optional<PhaseId> of(String text) {
        return Identifiers.isDefinitionName(text) ? Optional.of(new PhaseId(text)) : Optional.empty();
    }

    /** The form in which it is sent. */
    @Override
    public String toString() {
        return value;
    }
}
