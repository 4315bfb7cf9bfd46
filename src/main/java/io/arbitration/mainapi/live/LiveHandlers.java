package io.arbitration.mainapi.live;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.answer.EventStream;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Consumer;

/** The operation {@code GET /events/stream}. */
final class LiveHandlers {

    private final LiveService service;

    LiveHandlers(LiveService service) {
        this.service = service;
    }

    void bind(Contract contract) {
        contract.bindEvents("streamEvents", this::open);
    }

    private Future<Consumer<EventStream>> open(Call call) {
        Optional<CaseId> caseId = call.query("caseID").map(text -> CaseId.of(text).orElseThrow(LiveError.CASE_NOT_FOUND::refusal));
        return service.open(call.caller(), new LiveService.Wanted(caseId, call.query("changes").map(LiveHandlers::flag).orElse(false)), call.lastEventId());
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw LiveError.BAD_CHANGES.refusal();
        };
    }
}
