package io.arbitration.domain;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The id of a deadline: a UUID made from what the deadline is for, so that it never changes; 36 characters on the wire. */
public record DeadlineId(UUID value) {

    public DeadlineId {
        Objects.requireNonNull(value);
    }

    /** The id that a client wrote; empty for a text that is no UUID, which names nothing. */
    public static Optional<DeadlineId> of(String text) {
        return Identifiers.uuid(text).map(DeadlineId::new);
    }

    /**
     * The id of the deadline of a party for a document type in a phase of a case: a name-based UUID (RFC 9562, section 5.3).
     *
     * @param trigger the entry that set it running; empty: the start of the phase, or the creation of the case
     */
    public static DeadlineId of(CaseId caseId, PhaseId phaseId, DocumentTypeId documentId, PartyId partyId, Optional<EntryId> trigger) {
        String name = String.join("/", "deadline", caseId.toString(), phaseId.value(), documentId.value(), partyId.value(),
                trigger.map(EntryId::toString).orElse(""));
        return new DeadlineId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }

    /** As it stands on the wire. */
    @Override
    public String toString() {
        return value.toString();
    }
}
