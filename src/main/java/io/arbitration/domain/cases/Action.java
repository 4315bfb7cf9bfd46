package io.arbitration.domain.cases;

import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.time.Deadline;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An action that a participant can take in a case now.
 *
 * @param quotaLeft how often the document may still be submitted in this phase
 * @param deadline of the document, even if it has passed and the filing would be late
 */
public record Action(
        Kind kind, Optional<DocumentTypeId> documentId, Optional<FilingId> filingId, OptionalInt quotaLeft, Optional<Deadline> deadline) {

    public enum Kind {
        FILE("file"),
        EDIT("edit"),
        SUBMIT("submit"),
        APPROVE("approve"),
        REJECT("reject"),
        WITHDRAW("withdraw"),
        UPLOAD("upload"),
        ADVANCE("advance"),
        CLOSE("close"),
        ADD_PARTICIPANT("addParticipant"),
        REMOVE_PARTICIPANT("removeParticipant");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        /** Its name in the interface. */
        public String wireName() {
            return wireName;
        }
    }

    static Action onCase(Kind kind) {
        return new Action(kind, Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty());
    }

    static Action onFiling(Kind kind, OpenFiling filing) {
        return new Action(kind, Optional.of(filing.documentId()), Optional.of(filing.filingId()), OptionalInt.empty(), Optional.empty());
    }

    Action within(int quota, Optional<Deadline> until) {
        return new Action(kind, documentId, filingId, OptionalInt.of(quota), until);
    }
}
