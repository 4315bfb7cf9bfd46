package io.arbitration.emails;

import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.Future;
import io.vertx.core.eventbus.Message;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sending and retrieving, over HTTP and over the event bus. */
final class EmailsHandlers {

    static final String ACCEPTED = "Email accepted.";
    private static final int INTERNAL = 500;
    private static final Logger LOG = LoggerFactory.getLogger(EmailsHandlers.class);

    private final EmailsService service;

    EmailsHandlers(EmailsService service) {
        this.service = service;
    }

    Contract bind(Contract contract) {
        return contract.bind("sendEmail", this::send).bind("retrieveEmail", this::retrieve);
    }

    private Future<Reply> send(Call call) {
        return service.send(NewEmail.of(call.body()), Optional.of(call.caller().id())).map(accepted -> Reply.sentence(ACCEPTED));
    }

    private Future<Reply> retrieve(Call call) {
        return service.retrieve(call.caller().id(), call.text("idempotencyKey"), call.flag("sent", false))
                .map(sent -> Reply.json(new JsonObject().put("html", sent.html()).put("subject", sent.subject())));
    }

    /** The request of another area. A refusal is answered with the status and sentence that an HTTP client would get. */
    void asked(Message<JsonObject> message) {
        Future.succeededFuture(message.body())
                .map(NewEmail::ofArea)
                .compose(email -> service.send(email, Optional.empty()))
                .onComplete(accepted -> message.reply(ACCEPTED), failure -> {
                    if (failure instanceof Refusal refusal) {
                        message.fail(refusal.status(), refusal.getMessage());
                    } else {
                        LOG.warn("emails: an email asked for over the event bus was not accepted: {}", failure.getMessage());
                        message.fail(INTERNAL, String.valueOf(failure.getMessage()));
                    }
                });
    }
}
