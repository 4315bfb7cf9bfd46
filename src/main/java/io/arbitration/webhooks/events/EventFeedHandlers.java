package io.arbitration.webhooks.events;

import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.webhooks.events.EventFeedRepository.FeedEvent;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The operations under {@code /events}. */
public final class EventFeedHandlers {

    private static final int LIMIT_USUAL = 100;

    private final EventFeedService service;

    public EventFeedHandlers(EventFeedService service) {
        this.service = service;
    }

    public void bind(Contract contract) {
        contract.bind("listEvents", this::list);
    }

    private Future<Reply> list(Call call) {
        long after = call.body().getLong("afterSequence", 0L);
        return service.after(call.requester(), after, call.optionalText("event"), call.whole("limit", LIMIT_USUAL)).map(events -> reply(events, after));
    }

    private static Reply reply(List<FeedEvent> events, long after) {
        JsonArray listed = new JsonArray();
        events.forEach(one -> listed.add(new JsonObject().put("sequence", one.position()).mergeIn(new JsonObject(one.envelope()))));
        Reply reply = Reply.json(new JsonObject().put("events", listed).put("nextSequence", events.isEmpty() ? after : events.getLast().position()));
        String inSandbox = SandboxMark.of(events);
        return inSandbox.isEmpty() ? reply : reply.withHeader(SandboxMark.HEADER, inSandbox);
    }
}
