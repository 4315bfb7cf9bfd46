package io.arbitration.mainapi.filings;

import io.arbitration.domain.Identifiers;
import io.arbitration.domain.docket.DocketEntry;
import io.arbitration.domain.filing.Filing;
import io.arbitration.domain.filing.FilingChange;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.mainapi.docket.EntryJson;
import io.arbitration.platform.auth.Requester;
import io.arbitration.platform.events.AuditTrail;
import io.arbitration.platform.events.Event;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Makes the audit lines and the events of a change of a filing. */
final class FilingTrail {

    private final RandomGenerator random;

    FilingTrail(RandomGenerator random) {
        this.random = random;
    }

    /** The audit lines of a change. @param now the time of the platform, also for a sandbox */
    static List<AuditTrail.Line> lines(FilingCommand command, FilingChange change, Requester requester, Instant now) {
        String action = switch (change.kind()) {
            case CREATED -> "filing.created";
            case UPDATED -> "filing.updated";
            case FILE_ADDED -> "file.uploaded";
            case FILE_UPDATED -> "file.updated";
            case FILE_REMOVED -> "file.removed";
            case SUBMITTED -> "filing.submitted";
            case SUBMITTED_LATE -> "filing.submitted-late";
            case SUBMITTED_AND_DOCKETED -> "filing.submitted-and-docketed";
            case APPROVED -> "filing.approved";
            case REJECTED -> "filing.rejected";
            case WITHDRAWN -> "filing.withdrawn";
        };
        String subject = command instanceof FilingCommand.OnFile onFile ? onFile.fileId().toString() : change.filing().filingId().toString();
        AuditTrail.Line line = line(change, action, subject, requester, now);
        return sealedEntry(change).map(entry -> List.of(line, line(change, "docket-entry.sealed", entry.entryId().toString(), requester, now)))
                .orElseGet(() -> List.of(line));
    }

    private static AuditTrail.Line line(FilingChange change, String action, String subject, Requester requester, Instant now) {
        return new AuditTrail.Line(change.filing().caseId().value(), now, change.by().value(), action, subject, requester.requestId(),
                requester.address());
    }

    /** The docket entry of the change, if it is sealed from the beginning. */
    static Optional<DocketEntry> sealedEntry(FilingChange change) {
        return change.entry().filter(entry -> change.filing().document().sealed().isPresent());
    }

    /** The events of a change, in order; each belongs to the trace of the request. */
    List<Event> events(FilingChange change, Requester requester, CaseClock clock) {
        return Stream.concat(event(change, requester, clock).stream(), sealedEntry(change).flatMap(entry -> event(change, requester, clock, "entry_sealed",
                new JsonObject().put("caseID", entry.caseId().toString()).put("entryID", entry.entryId().toString()))).stream()).toList();
    }

    private Optional<Event> event(FilingChange change, Requester requester, CaseClock clock) {
        Filing filing = change.filing();
        return switch (change.kind()) {
            // For the platform alone: the published view of the event log leaves this kind out.
            case CREATED, UPDATED, FILE_ADDED, FILE_UPDATED, FILE_REMOVED -> event(change, requester, clock, "filing_drafted", reference(filing).put("revision", filing.document().revision()));
            case SUBMITTED, SUBMITTED_LATE -> event(change, requester, clock, "filing_submitted", reference(filing));
            case SUBMITTED_AND_DOCKETED, APPROVED ->
                    event(change, requester, clock, "docket_filing", EntryJson.eventData(change.entry().orElseThrow()));
            case REJECTED -> event(change, requester, clock, "filing_rejected", reference(filing));
            // The other sides never knew of a draft that was not submitted, so its withdrawal is no event for them.
            case WITHDRAWN -> filing.submission().isPresent() || filing.rejection().isPresent()
                    ? event(change, requester, clock, "filing_withdrawn", reference(filing)) : Optional.empty();
        };
    }

    /** The actor of an event is the user of the command: the approver, or the submitter of a filing that needs no approval. */
    private Optional<Event> event(FilingChange change, Requester requester, CaseClock clock, String kind, JsonObject data) {
        return Optional.of(new Event(Identifiers.random(random), kind, change.filing().caseId().value(), Optional.of(change.by().value()), change.at(), data,
                requester.trace(), clock.isSandbox()));
    }

    /** The data of events of a filing that is not docketed: only ids, because all sides get the event but not all may view the filing. */
    private static JsonObject reference(Filing filing) {
        return new JsonObject().put("caseID", filing.caseId().toString()).put("filingID", filing.filingId().toString());
    }
}
