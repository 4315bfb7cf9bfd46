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

/** What is written with a change of a filing: its line in the audit trail, and the event that it is. */
final class FilingTrail {

    private final RandomGenerator random;

    FilingTrail(RandomGenerator random) {
        this.random = random;
    }

    /** @param now by the time of the platform, whatever clock the case runs by */
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

    /** The docket entry that it became, if that is sealed from the first moment. */
    static Optional<DocketEntry> sealedEntry(FilingChange change) {
        return change.entry().filter(entry -> change.filing().document().sealed().isPresent());
    }

    /** What is told of a change, in order; each event is part of the trace of the request. */
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
            // Of a draft that was never submitted the other sides know nothing, and learn nothing now.
            case WITHDRAWN -> filing.submission().isPresent() || filing.rejection().isPresent()
                    ? event(change, requester, clock, "filing_withdrawn", reference(filing)) : Optional.empty();
        };
    }

    /** Its actor is who made it happen: the approver of an approval, the submitter of what is docketed by its submission. */
    private Optional<Event> event(FilingChange change, Requester requester, CaseClock clock, String kind, JsonObject data) {
        return Optional.of(new Event(Identifiers.random(random), kind, change.filing().caseId().value(), Optional.of(change.by().value()), change.at(), data,
                requester.trace(), clock.isSandbox()));
    }

    /** All that an event says of a filing that is not docketed, since every side gets the event and not every side may view the filing. */
    private static JsonObject reference(Filing filing) {
        return new JsonObject().put("caseID", filing.caseId().toString()).put("filingID", filing.filingId().toString());
    }
}
