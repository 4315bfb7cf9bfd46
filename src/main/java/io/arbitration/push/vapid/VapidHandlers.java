package io.arbitration.push.vapid;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The operations on VAPID keys. */
public final class VapidHandlers {

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
        return keys.all().map(all -> {
            List<JsonObject> listed = new ArrayList<>();
            for (VapidKey key : all) {
                listed.add(new JsonObject()
                        .put("vapidKey", VapidKey.text(key.publicKey()))
                        .put("created", Timestamps.text(key.created()))
                        // New subscriptions are made with the newest key.
                        .put("active", listed.isEmpty()));
            }
            return Reply.json(new JsonObject().put("keys", new JsonArray(listed)));
        });
    }
}
