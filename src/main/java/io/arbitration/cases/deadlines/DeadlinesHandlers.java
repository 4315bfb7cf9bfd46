package io.arbitration.cases.deadlines;

import io.arbitration.cases.deadlines.DeadlinesRepository.Window;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.ExtensionId;
import io.arbitration.domain.cases.Extension;
import io.arbitration.domain.cases.ExtensionRules;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.answer.TimeCursor;
import io.arbitration.platform.db.TimeKey;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** The operations on deadlines and their extensions. */
public final class DeadlinesHandlers {

    private static final int PAGE_DEFAULT = 50;

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
        Window window = new Window(call.optionalTime("from"), call.optionalTime("until"));
        TimeKey after = call.optionalText("cursor").map(TimeCursor::parse).orElse(TimeKey.FIRST);
        int limit = call.whole("limit", PAGE_DEFAULT);
        Future<DeadlinesService.Listed> listed = call.optionalText("caseID").isPresent()
                ? service.ofCase(caseId(call), window, after, limit, call.requester())
                : service.ofCaller(window, after, limit, call.requester());
        return listed.map(found -> Reply.json(new JsonObject()
                .put("deadlines", new JsonArray(found.page().items().stream().map(one -> ListedDeadlineJson.of(one, found.now())).toList()))
                .put("nextCursor", next(found.page()))));
    }

    private static String next(Page<ListedDeadline> page) {
        return page.more() ? TimeCursor.text(new TimeKey(page.items().getLast().current().date(), page.items().getLast().deadline().deadlineId().value())) : null;
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
                call.yes("granted", false), call.optionalTime("until"), call.textNotBlank("reason"), call.ifMatch());
        return service.decide(caseId(call), extensionId(call), ruling, call.requester())
                .map(written -> Reply.sentence("Extension decided.").withRevision(written.revision()));
    }

    private Future<Reply> extensions(Call call) {
        TimeKey before = call.optionalText("cursor").map(TimeCursor::parse).orElse(TimeKey.LAST);
        return service.extensions(caseId(call), before, call.whole("limit", PAGE_DEFAULT), call.requester())
                .map(page -> Reply.json(new JsonObject()
                        .put("extensions", new JsonArray(page.items().stream().map(ExtensionJson::of).toList()))
                        .put("nextCursor", nextExtension(page))));
    }

    private static String nextExtension(Page<Extension> page) {
        return page.more() ? TimeCursor.text(new TimeKey(page.items().getLast().requestedAt(), page.items().getLast().extensionId().value())) : null;
    }

    private static Optional<CaseId> caseId(Call call) {
        return CaseId.of(call.text("caseID"));
    }

    private static Optional<ExtensionId> extensionId(Call call) {
        return ExtensionId.of(call.text("extensionID"));
    }
}
