package io.arbitration.webhooks.events;

import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.webhooks.events.EventFeedRepository.FeedEvent;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

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
        EventFeedRepository.Side side = side(Optional.ofNullable(call.body().getLong("afterSequence")), Optional.ofNullable(call.body().getLong("beforeSequence")));
        return service.list(call.requester(), side, call.optionalText("event"), call.integer("limit", LIMIT_USUAL)).map(events -> reply(events, side.position()));
    }

    private static EventFeedRepository.Side side(Optional<Long> after, Optional<Long> before) {
        if (after.isPresent() && before.isPresent()) {
            throw EventFeedError.AFTER_OR_BEFORE.refusal();
        }
        return before.<EventFeedRepository.Side>map(EventFeedRepository.Side.Before::new).orElseGet(() -> new EventFeedRepository.Side.After(after.orElse(0L)));
    }

    private static Reply reply(List<FeedEvent> events, long asked) {
        JsonArray listed = new JsonArray();
        events.forEach(one -> listed.add(new JsonObject().put("sequence", one.position()).mergeIn(new JsonObject(one.envelope()))));
        Reply reply = Reply.json(new JsonObject().put("events", listed).put("nextSequence", events.isEmpty() ? asked : events.getLast().position()));
        String inSandbox = SandboxMark.of(events);
        return inSandbox.isEmpty() ? reply : reply.withHeader(SandboxMark.HEADER, inSandbox);
    }
}
