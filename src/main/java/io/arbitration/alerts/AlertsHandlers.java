package io.arbitration.alerts;

import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** The preferences of the caller, and nobody else's. */
final class AlertsHandlers {

    private static final String DOCKET_FILINGS = "docket_filings";
    private static final String CASE_CREATED = "case_created";

    private final PreferencesService service;

    AlertsHandlers(PreferencesService service) {
        this.service = service;
    }

    Future<Reply> view(Call call) {
        return service.preferences(call.caller().id()).map(preferences -> Reply.json(new JsonObject()
                .put(DOCKET_FILINGS, preferences.docketFilings())
                .put(CASE_CREATED, preferences.caseCreated())));
    }

    Future<Reply> update(Call call) {
        return service.update(call.caller().id(), choice(call, DOCKET_FILINGS), choice(call, CASE_CREATED))
                .map(done -> Reply.sentence("Preferences updated successfully."));
    }

    private static Optional<Boolean> choice(Call call, String name) {
        return Optional.ofNullable(call.body().getBoolean(name));
    }
}
