package io.arbitration.webhooks;

import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.Future;

/** Answers {@code viewWebhooksWelcome}: a sentence with the date and the author of the service. */
final class WelcomeHandler {

    private final Reply reply;

    WelcomeHandler(WebhooksSettings settings) {
        reply = Reply.text("Welcome to the webhooks of the Arbitration Case Platform, created on %s by %s."
                .formatted(settings.created(), settings.author()));
    }

    Future<Reply> welcome(Call call) {
        return Future.succeededFuture(reply);
    }
}
