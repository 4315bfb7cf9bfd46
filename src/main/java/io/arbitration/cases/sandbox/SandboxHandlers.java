package io.arbitration.cases.sandbox;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.cases.TimedCaseEvent;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The operation on the clock of a sandbox. */
public final class SandboxHandlers {

    private final SandboxService service;

    SandboxHandlers(SandboxService service) {
        this.service = service;
    }

    public Contract bind(Contract contract) {
        return contract.bind("advanceSandboxClock", this::advance);
    }

    private Future<Reply> advance(Call call) {
        return service.setOn(CaseId.of(call.text("caseID")), call.time("to"), call.ifMatch(), call.requester()).map(set -> Reply.json(new JsonObject()
                .put("now", Timestamps.text(set.now()))
                .put("fired", new JsonArray(set.fired().stream().map(SandboxHandlers::shown).toList()))).withRevision(set.revision()));
    }

    private static JsonObject shown(TimedCaseEvent happening) {
        JsonObject json = new JsonObject()
                .put("kind", switch (happening) {
                    case TimedCaseEvent.ReminderDue due -> "deadline_near";
                    case TimedCaseEvent.DeadlinePassed passed -> "deadline_passed";
                })
                .put("at", Timestamps.text(happening.at()))
                .put("deadlineID", happening.deadline().deadlineId().toString())
                .put("phaseID", happening.deadline().phaseId().value())
                .put("documentID", happening.deadline().documentId().value())
                .put("partyID", happening.deadline().partyId().value())
                .put("date", Timestamps.text(happening.date()));
        return switch (happening) {
            case TimedCaseEvent.ReminderDue due -> json.put("days", due.days());
            case TimedCaseEvent.DeadlinePassed passed -> json.put("status", passed.isMet() ? "met" : "missed");
        };
    }
}
