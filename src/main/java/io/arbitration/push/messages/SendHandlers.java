package io.arbitration.push.messages;

import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import java.time.Duration;

/** The operation that sends a notification to one subscription. */
public final class SendHandlers {

    private final SendService service;
    private final Duration usualTtl;

    /** @param usualTtl how long a push service keeps a notification if the caller does not state it */
    public SendHandlers(SendService service, Duration usualTtl) {
        this.service = service;
        this.usualTtl = usualTtl;
    }

    public void bind(Contract contract) {
        contract.bind("sendWebPushToSubscription", this::send);
    }

    private Future<Reply> send(Call call) {
        PushMessage message = new PushMessage(Notification.of(call.body()).payload(),
                call.hasAny("ttl") ? Duration.ofSeconds(call.integer("ttl", 0)) : usualTtl,
                call.optionalText("urgency").map(PushMessage.Urgency::of).orElse(PushMessage.Urgency.NORMAL), call.optionalText("topic"));
        return service.send(call.text("subscriptionID"), message).map(sent -> Reply.text("Notification sent successfully."));
    }
}
