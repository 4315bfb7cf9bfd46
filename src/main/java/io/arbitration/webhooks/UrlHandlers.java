package io.arbitration.webhooks;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The operations under {@code /urls}. */
final class UrlHandlers {

    private final UrlService service;
    private final UrlRepository urls;
    private final MemberRepository members;

    UrlHandlers(UrlService service, UrlRepository urls, MemberRepository members) {
        this.service = service;
        this.urls = urls;
        this.members = members;
    }

    void bind(Contract contract) {
        contract.bind("createUrl", this::create)
                .bind("listUrls", this::list)
                .bind("viewUrl", this::view)
                .bind("deleteUrl", this::delete)
                .bind("enableUrl", this::enable)
                .bind("testUrl", this::test)
                .bind("rotateUrlSecret", this::rotate);
    }

    private Future<Reply> create(Call call) {
        return members.administrator(call.caller())
                .compose(member -> service.register(call.requester().key(), member, call.text("url"), call.texts("events")))
                .map(registered -> {
                    JsonObject body = record(registered.url()).put("events", new JsonArray(registered.url().events()));
                    registered.secret().ifPresent(secret -> body.put("secret", secret.text()));
                    return Reply.json(body);
                });
    }

    private Future<Reply> list(Call call) {
        return members.member(call.caller())
                .compose(member -> urls.list(member.organizationId()))
                .map(all -> Reply.json(new JsonObject().put("urls", new JsonArray(all.stream().map(UrlHandlers::record).toList()))));
    }

    private Future<Reply> view(Call call) {
        return members.member(call.caller())
                .compose(member -> urls.find(member.organizationId(), call.text("url")))
                .map(found -> {
                    RegisteredUrl url = found.orElseThrow(WebhooksError.URL_NOT_FOUND::refusal);
                    return Reply.json(record(url)
                            .put("events", new JsonArray(url.events()))
                            .put("enabled", url.disabledAt() == null)
                            .put("disabledAt", url.disabledAt() == null ? null : Timestamps.text(url.disabledAt()))
                            .put("disabledReason", url.disabledReason()));
                });
    }

    private static JsonObject record(RegisteredUrl url) {
        return new JsonObject()
                .put("created", Timestamps.text(url.created()))
                .put("createdBy", url.createdBy().toString())
                .put("url", url.url());
    }

    private Future<Reply> delete(Call call) {
        return members.administrator(call.caller())
                .compose(member -> service.delete(member.organizationId(), call.text("url")))
                .map(done -> Reply.sentence("Webhook URL deleted."));
    }

    private Future<Reply> enable(Call call) {
        return members.administrator(call.caller())
                .compose(member -> service.enable(member.organizationId(), call.text("url")))
                .map(done -> Reply.sentence("Webhook URL enabled."));
    }

    private Future<Reply> test(Call call) {
        return members.administrator(call.caller())
                .compose(member -> service.test(call.requester().key(), member, call.text("url")))
                .map(attempt -> Reply.sentence(attempt.status() == null
                        ? "Test event not delivered: %s.".formatted(attempt.error())
                        : "Test event %s: the URL answered %d in %d ms.".formatted(
                                attempt.succeeded() ? "delivered" : "not delivered", attempt.status(), attempt.durationMillis())));
    }

    private Future<Reply> rotate(Call call) {
        return members.administrator(call.caller())
                .compose(member -> service.rotate(call.requester().key(), member.organizationId(), call.text("url")))
                .map(secret -> Reply.json(new JsonObject().put("secret", secret.text())));
    }
}
