package io.arbitration.cases.hearings;

import io.arbitration.domain.cases.Hearing;
import io.arbitration.domain.time.Timestamps;
import io.vertx.core.json.JsonObject;

/** A hearing as the interface shows it. */
final class HearingJson {

    private HearingJson() {}

    static JsonObject of(Hearing hearing) {
        Hearing.Schedule schedule = hearing.schedule();
        return new JsonObject()
                .put("hearingID", hearing.hearingId().toString())
                .put("caseID", hearing.caseId().toString())
                .put("revision", hearing.revision())
                .put("status", hearing.isScheduled() ? "scheduled" : "cancelled")
                .put("title", schedule.title())
                .put("start", Timestamps.text(schedule.start()))
                .put("durationMinutes", schedule.duration().toMinutes())
                .put("timeZone", schedule.timeZone().getId())
                .put("place", schedule.place().orElse(null))
                .put("link", schedule.link().orElse(null))
                .put("agenda", schedule.agenda().orElse(null))
                .put("reason", hearing.cancelled().map(Hearing.Cancellation::reason).orElse(null))
                .put("createdBy", hearing.createdBy().toString())
                .put("created", Timestamps.text(hearing.created()))
                .put("updated", Timestamps.text(hearing.updated()));
    }
}
