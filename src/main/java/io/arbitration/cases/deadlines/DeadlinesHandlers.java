package io.arbitration.cases.deadlines;

import io.arbitration.cases.TimeWindow;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.ExtensionId;
import io.arbitration.domain.cases.ExtensionRules;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.listing.PageByTime;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** The operations on deadlines and their extensions. */
public final class DeadlinesHandlers {

    private final DeadlinesService service;

    DeadlinesHandlers(DeadlinesService service) {
        this.service = service;
    }

    public Contract bind(Contract contract) {
        return contract
                .bind("listDeadlines", this::list)
                .bind("requestDeadlineExtension", this::request)
                .bind("withdrawDeadlineExtension", this::withdraw)
                .bind("decideDeadlineExtension", this::decide)
                .bind("listDeadlineExtensions", this::extensions);
    }

    private Future<Reply> list(Call call) {
        TimeWindow window = TimeWindow.of(call);
        PageByTime.Wanted wanted = PageByTime.Wanted.of(call);
        Future<DeadlinesService.Listed> listed = call.optionalText("caseID").isPresent()
                ? service.ofCase(caseId(call), window, wanted, call.requester())
                : service.ofCaller(window, wanted, call.requester());
        return listed.map(found -> found.page().reply("deadlines", one -> ListedDeadlineJson.of(one, found.now())));
    }

    private Future<Reply> request(Call call) {
        ExtensionRules.Request request = new ExtensionRules.Request(call.time("until"), call.textNotBlank("reason"), call.ifMatch());
        return service.request(caseId(call), DeadlineId.of(call.text("deadlineID")), request, call.requester())
                .map(written -> Reply.json(new JsonObject().put("extensionID", written.extension().extensionId().toString()))
                        .withRevision(written.revision()));
    }

    private Future<Reply> withdraw(Call call) {
        return service.withdraw(caseId(call), extensionId(call), call.ifMatch(), call.requester())
                .map(written -> Reply.sentence("Extension withdrawn.").withRevision(written.revision()));
    }

    private Future<Reply> decide(Call call) {
        ExtensionRules.Ruling ruling = new ExtensionRules.Ruling(
                call.flag("granted", false), call.optionalTime("until"), call.textNotBlank("reason"), call.ifMatch());
        return service.decide(caseId(call), extensionId(call), ruling, call.requester())
                .map(written -> Reply.sentence("Extension decided.").withRevision(written.revision()));
    }

    private Future<Reply> extensions(Call call) {
        return service.extensions(caseId(call), PageByTime.Wanted.newestFirst(call), call.requester())
                .map(page -> page.reply("extensions", ExtensionJson::of));
    }

    private static Optional<CaseId> caseId(Call call) {
        return CaseId.of(call.text("caseID"));
    }

    private static Optional<ExtensionId> extensionId(Call call) {
        return ExtensionId.of(call.text("extensionID"));
    }
}
