package io.arbitration.platform.answer;

import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;

/** A deadline in the form of the contracts. */
public final class DeadlineJson {

    private DeadlineJson() {}

    public static JsonObject of(Deadline deadline) {
        JsonObject json = new JsonObject()
                .put("date", Timestamps.text(deadline.date()))
                .put("rule", deadline.rule())
                .put("trigger", Timestamps.text(deadline.trigger()))
                .put("rawDate", deadline.rawDate().toString())
                .put("rolledDate", deadline.rolledDate().toString());
        deadline.extendedFrom().ifPresent(before -> json.put("extendedFrom", Timestamps.text(before)));
        return json;
    }
}
