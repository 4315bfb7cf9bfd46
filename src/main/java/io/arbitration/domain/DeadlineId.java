package io.arbitration.domain;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The ID of a deadline: a UUID derived from the properties of the deadline, so that it never changes; sent as 36 characters. */
public record DeadlineId(UUID value) {

    public DeadlineId {
        Objects.requireNonNull(value);
    }

    /** The ID in this text; empty for a text that is no UUID, which identifies nothing. */
    public static Optional<DeadlineId> of(String text) {
        return Identifiers.uuid(text).map(DeadlineId::new);
    }

    /**
     * The id of the deadline of a party for a document type in a phase of a case: a name-based UUID (RFC 9562, section 5.3).
     *
     * @param trigger the entry that started it; empty: the start of the phase, or the creation of the case
     */
    public static DeadlineId of(CaseId caseId, PhaseId phaseId, DocumentTypeId documentId, PartyId partyId, Optional<EntryId> trigger) {
        String name = String.join("/", "deadline", caseId.toString(), phaseId.value(), documentId.value(), partyId.value(),
                trigger.map(EntryId::toString).orElse(""));
        return new DeadlineId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }

    /** The form in which it is sent. */
    @Override
    public String toString() {
        return value.toString();
    }
}
