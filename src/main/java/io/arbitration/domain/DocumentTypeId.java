package io.arbitration.domain;

import java.util.Optional;

/** A type of document that can be filed, as the definition files name it ({@code statementOfClaim}): see {@link Identifiers#isDefinitionName}. */
public record DocumentTypeId(String value) {

    public DocumentTypeId {
        if (!Identifiers.isDefinitionName(value)) {
            throw new IllegalArgumentException("not the name of a definition");
        }
    }

    /** The id that a client wrote; empty for a text that no definition can have as its name. */
    public static Optional<DocumentTypeId> of(String text) {
        return Identifiers.isDefinitionName(text) ? Optional.of(new DocumentTypeId(text)) : Optional.empty();
    }

    /** As it stands on the wire. */
    @Override
    public String toString() {
        return value;
    }
}
