package io.arbitration.cases;

import io.arbitration.domain.time.Deadline;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Something that a participant can do in a case right now.
 *
 * @param quotaLeft how often the document may still be submitted in this phase
 * @param deadline  of the document, also when it has passed and the filing would be late
 */
record Action(Kind kind, Optional<String> documentID, OptionalLong filingId, OptionalInt quotaLeft, Optional<Deadline> deadline) {

    enum Kind {
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
    }

    static Action onCase(Kind kind) {
        return new Action(kind, Optional.empty(), OptionalLong.empty(), OptionalInt.empty(), Optional.empty());
    }

    static Action onFiling(Kind kind, OpenFiling filing) {
        return new Action(kind, Optional.of(filing.documentID()), OptionalLong.of(filing.filingId()), OptionalInt.empty(), Optional.empty());
    }

    Action within(int quota, Optional<Deadline> until) {
        return new Action(kind, documentID, filingId, OptionalInt.of(quota), until);
    }

    JsonObject json() {
        JsonObject json = new JsonObject().put("action", kind.wireName);
        documentID.ifPresent(id -> json.put("documentID", id));
        filingId.ifPresent(id -> json.put("filingID", String.valueOf(id)));
        quotaLeft.ifPresent(left -> json.put("quotaLeft", left));
        deadline.ifPresent(until -> json.put("deadline", DeadlineJson.of(until)));
        return json;
    }
}
