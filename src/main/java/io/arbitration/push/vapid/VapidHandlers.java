package io.arbitration.push.vapid;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The operations on VAPID keys. */
public final class VapidHandlers {

    private static final int LIMIT_USUAL = 50;

    private final VapidKeys keys;

    public VapidHandlers(VapidKeys keys) {
        this.keys = keys;
    }

    public void bind(Contract contract) {
        contract.bind("createVapidKey", this::create).bind("listVapidKeys", this::list);
    }

    private Future<Reply> create(Call call) {
        return keys.create(call.requester().key()).map(created -> Reply.text("Vapid key created successfully."));
    }

    private Future<Reply> list(Call call) {
        OptionalLong before = call.optionalText("cursor").map(VapidHandlers::cursor).orElse(OptionalLong.empty());
        return keys.list(before, call.integer("limit", LIMIT_USUAL)).map(page -> {
            List<JsonObject> listed = new ArrayList<>();
            for (VapidKey key : page.items()) {
                listed.add(new JsonObject()
                        .put("vapidKey", VapidKey.text(key.publicKey()))
                        .put("created", Timestamps.text(key.created()))
                        // New subscriptions use the newest key, the first one of the first page.
                        .put("active", before.isEmpty() && listed.isEmpty()));
            }
            return Reply.json(new JsonObject().put("keys", new JsonArray(listed))
                    .put("nextCursor", page.more() ? String.valueOf(page.items().getLast().id()) : null));
        });
    }

    private static OptionalLong cursor(String text) {
        return OptionalLong.of(Identifiers.number(text).orElseThrow(VapidError.INVALID_CURSOR::refusal));
    }
}
