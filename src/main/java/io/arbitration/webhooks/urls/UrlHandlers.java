package io.arbitration.webhooks.urls;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.webhooks.sending.DeliveryAttempt;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The operations under {@code /urls}. */
public final class UrlHandlers {

    private final UrlService service;

    public UrlHandlers(UrlService service) {
        this.service = service;
    }

    public void bind(Contract contract) {
        contract.bind("createWebhookUrl", this::create)
                .bind("listWebhookUrls", this::list)
                .bind("viewWebhookUrl", this::view)
                .bind("deleteWebhookUrl", this::delete)
                .bind("enableWebhookUrl", this::enable)
                .bind("disableWebhookUrl", this::disable)
                .bind("testWebhookUrl", this::test)
                .bind("rotateWebhookSecret", this::rotate);
    }

    private Future<Reply> create(Call call) {
        return service.register(call.requester(), call.text("url"), call.texts("events")).map(registered -> {
            JsonObject body = record(registered.url()).put("events", new JsonArray(registered.url().events()));
            registered.secret().ifPresent(secret -> body.put("secret", secret.text()));
            return Reply.json(body);
        });
    }

    private Future<Reply> list(Call call) {
        return service.list(call.requester())
                .map(all -> Reply.json(new JsonObject().put("urls", new JsonArray(all.stream().map(UrlHandlers::record).toList()))));
    }

    private Future<Reply> view(Call call) {
        return service.view(call.requester(), call.text("url")).map(url -> Reply.json(record(url)
                .put("events", new JsonArray(url.events()))
                .put("enabled", url.disabled().isEmpty())
                .put("disabledAt", url.disabled().map(disabled -> Timestamps.text(disabled.at())).orElse(null))
                .put("disabledReason", url.disabled().map(RegisteredUrl.Disabled::reason).orElse(null))));
    }

    private static JsonObject record(RegisteredUrl url) {
        return new JsonObject()
                .put("created", Timestamps.text(url.created()))
                .put("createdBy", url.createdBy().toString())
                .put("url", url.url());
    }

    private Future<Reply> delete(Call call) {
        return service.delete(call.requester(), call.text("url")).map(done -> Reply.sentence("Webhook URL deleted."));
    }

    private Future<Reply> enable(Call call) {
        return service.enable(call.requester(), call.text("url")).map(done -> Reply.sentence("Webhook URL enabled."));
    }

    private Future<Reply> disable(Call call) {
        return service.disable(call.requester(), call.text("url")).map(done -> Reply.sentence("Webhook URL disabled."));
    }

    private Future<Reply> test(Call call) {
        return service.test(call.requester(), call.text("url")).map(attempt -> Reply.sentence(sentence(attempt)));
    }

    private static String sentence(DeliveryAttempt attempt) {
        return attempt.status()
                .map(status -> "Test event %s: the URL answered %d in %d ms.".formatted(
                        attempt.succeeded() ? "delivered" : "not delivered", status, attempt.durationMillis()))
                .orElseGet(() -> "Test event not delivered: %s.".formatted(attempt.error().orElse("no answer")));
    }

    private Future<Reply> rotate(Call call) {
        return service.rotate(call.requester(), call.text("url"))
                .map(secret -> Reply.json(new JsonObject().put("secret", secret.text())));
    }
}
