package io.arbitration.domain;

import java.util.Optional;

/** A type of document that can be filed, as the definition files name it ({@code statementOfClaim}): see {@link Identifiers#isDefinitionName}. */
public record DocumentTypeId(String value) {

    public DocumentTypeId {
        if (!Identifiers.isDefinitionName(value)) {
            throw new IllegalArgumentException("not the name of a definition");
        }
    }

    /** The ID in this text; empty for a text that cannot be the name of a definition. */
    public static Optional<DocumentTypeId> of(String text) {
        return Identifiers.isDefinitionName(text) ? Optional.of(new DocumentTypeId(text)) : Optional.empty();
    }

    /** The form in which it is sent. */
    @Override
    public String toString() {
        return value;
    }
}
