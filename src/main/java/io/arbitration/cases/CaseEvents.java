package io.arbitration.cases;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.cases.Case;
import io.arbitration.domain.cases.CaseChange;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The event and the audit line of a write to a case. */
final class CaseEvents {

    private final RandomGenerator random;

    CaseEvents(RandomGenerator random) {
        this.random = random;
    }

    Event opened(Case opened, Optional<OrganizationId> organizationId, Requester requester) {
        return event(opened, "case_created", requester, opened.created(), new JsonObject()
                .put("caseID", opened.caseId().toString())
                .put("title", opened.title())
                .put("ruleSet", opened.ruleSet())
                .put("created", Timestamps.text(opened.created()))
                .put("userID", requester.userId().toString())
                .put("organizationID", organizationId.map(OrganizationId::toString).orElse(null)));
    }

    /** Empty if the change concerns nobody outside of the case. */
    Optional<Event> changed(Case before, CaseChange change, Requester requester, Instant at) {
        JsonObject data = new JsonObject().put("caseID", before.caseId().toString());
        return switch (change) {
            case CaseChange.ParticipantAdded(Participant participant) ->
                    Optional.of(event(before, "participant_added", requester, at, about(participant, data)));
            case CaseChange.ParticipantRemoved(Participant participant) ->
                    Optional.of(event(before, "participant_removed", requester, at, about(participant, data)));
            case CaseChange.ParticipantRestricted ignored -> Optional.empty();
            case CaseChange.PhaseBegun phase -> Optional.of(event(before, "phase_changed", requester, at, data
                    .put("previousPhaseID", phase.before().value())
                    .put("currentPhaseID", phase.begun().value())));
            case CaseChange.Closed ignored -> Optional.of(event(before, "case_closed", requester, at, data));
        };
    }

    private static JsonObject about(Participant participant, JsonObject data) {
        return data.put("userID", participant.userId().toString())
                .put("organizationID", participant.organizationId().map(OrganizationId::toString).orElse(null))
                .put("partyID", participant.partyId().value());
    }

    private Event event(Case of, String kind, Requester requester, Instant at, JsonObject data) {
        return new Event(Identifiers.random(random), kind, of.caseId().value(), Optional.of(requester.userId()), at, data, requester.trace(),
                of.clock().isSandbox());
    }

    /** The audit trail has the time of the platform, whatever clock the case has. */
    static AuditTrail.Line openedLine(Case opened, Requester requester) {
        return line(opened, "case.created", null, requester, opened.created());
    }

    static AuditTrail.Line changedLine(Case before, CaseChange change, Requester requester, Instant at) {
        return switch (change) {
            case CaseChange.ParticipantAdded added ->
                    line(before, "participant.added", added.participant().userId().toString(), requester, at);
            case CaseChange.ParticipantRemoved removed -> line(before, "participant.removed", removed.participant().userId().toString(), requester, at);
            case CaseChange.ParticipantRestricted restricted -> line(before, restricted.mayFile() ? "participant.may-file" : "participant.restricted",
                    restricted.userId().toString(), requester, at);
            case CaseChange.PhaseBegun phase -> line(before, "phase.advanced", phase.begun().value(), requester, at);
            case CaseChange.Closed ignored -> line(before, "case.closed", null, requester, at);
        };
    }

    /** @param subject the changed object; null: the case itself */
    private static AuditTrail.Line line(Case of, String action, String subject, Requester requester, Instant at) {
        return new AuditTrail.Line(of.caseId().value(), at, requester.userId(), action, subject, requester.requestId(), requester.address());
    }
}
