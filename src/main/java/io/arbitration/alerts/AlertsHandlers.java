package io.arbitration.alerts;

import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** The preferences of the caller, and nobody else's. */
final class AlertsHandlers {

    private static final String DOCKET_FILINGS = "docket_filings";
    private static final String CASE_CREATED = "case_created";
    private static final String APPROVALS = "approvals";
    private static final String DECISIONS = "decisions";
    private static final String DEADLINES = "deadlines";
    private static final String HEARINGS = "hearings";
    private static final String INVITATIONS = "invitations";

    private final PreferencesService service;

    AlertsHandlers(PreferencesService service) {
        this.service = service;
    }

    /** Without {@code all=true} only the two preferences of the specification, because its clients expect no others. */
    Future<Reply> view(Call call) {
        return service.preferences(call.caller().id()).map(preferences -> {
            JsonObject json = new JsonObject()
                    .put(DOCKET_FILINGS, preferences.docketFilings())
                    .put(CASE_CREATED, preferences.caseCreated());
            return Reply.json(call.flag("all", false) ? json
                    .put(APPROVALS, preferences.approvals())
                    .put(DECISIONS, preferences.decisions())
                    .put(DEADLINES, preferences.deadlines())
                    .put(HEARINGS, preferences.hearings())
                    .put(INVITATIONS, preferences.invitations()) : json);
        });
    }

    Future<Reply> update(Call call) {
        PreferenceChange change = new PreferenceChange(choice(call, DOCKET_FILINGS), choice(call, CASE_CREATED), choice(call, APPROVALS),
                choice(call, DECISIONS), choice(call, DEADLINES), choice(call, HEARINGS), choice(call, INVITATIONS));
        return service.update(call.caller().id(), change).map(done -> Reply.sentence("Preferences updated successfully."));
    }

    private static Optional<Boolean> choice(Call call, String name) {
        return Optional.ofNullable(call.body().getBoolean(name));
    }
}
