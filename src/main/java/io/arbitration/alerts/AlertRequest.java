package io.arbitration.alerts;

import io.arbitration.alerts.AlertContent.About;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.DocumentType;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.domain.text.OneLine;
import io.arbitration.domain.time.LocalMoment;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.domain.time.UtcMoment;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/** What a channel is asked to say, in the words of its address on the event bus. */
final class AlertRequest {

    /** Code points; a push service carries some 4,000 bytes in all, an email's subject 500 characters. */
    private static final int TITLE_LENGTH_MAX = 150;

    private final String caseUrl;
    private final Definitions definitions;

    /**
     * @param caseUrl     page of a case, with {@code {caseID}} in the place of its id
     * @param definitions what document types are called
     */
    AlertRequest(String caseUrl, Definitions definitions) {
        this.caseUrl = caseUrl;
        this.definitions = definitions;
    }

    JsonObject of(DueAlert alert) {
        return switch (alert.channel()) {
            case EMAIL -> email(alert, alert.reader().orElseThrow());
            case PUSH -> push(alert);
        };
    }

    private JsonObject email(DueAlert alert, DueAlert.Reader reader) {
        AlertContent content = alert.content();
        JsonObject data = new JsonObject().put("caseTitle", line(content.caseTitle()));
        if (!reader.firstName().isBlank()) {
            data.put("firstName", line(reader.firstName()));
        }
        data.put("url", page(content));
        Optional<String> by = content.by().map(AlertRequest::line);
        switch (content.about().orElseThrow()) {
            case About.Entry entry -> {
                data.put("entryNumber", entry.number()).put("entryTitle", line(entry.title())).put("enteredAt", words(content.at()));
                by.ifPresent(name -> data.put("filedBy", name));
            }
            case About.TheCase() -> {
                data.put("createdAt", words(content.at()));
                by.ifPresent(name -> data.put("createdBy", name));
            }
            case About.Filing filing -> {
                data.put("document", name(filing.documentId())).put("at", words(content.at()));
                by.ifPresent(name -> data.put("by", name));
            }
            case About.Deadline deadline -> data.put("document", name(deadline.documentId())).put("date", words(deadline));
        }
        JsonObject request = new JsonObject();
        if (content.about().orElseThrow() instanceof About.Deadline deadline && !deadline.inSandbox()) {
            // The mail server may be away for longer than the deadline is. In a sandbox time passes only when somebody says so.
            request.put("deadline", new JsonObject().put("deadlineID", deadline.id().toString()).put("date", Timestamps.text(deadline.date())));
        }
        return request
                .put("idempotencyKey", alert.idempotencyKey())
                .put("to", new JsonArray().add(reader.email()))
                .put("template", switch (content.kind()) {
                    case DOCKET_FILING -> "docket-filing";
                    case CASE_CREATED -> "case-created";
                    case APPROVAL_AWAITED -> "approval-awaited";
                    case FILING_REJECTED -> "filing-rejected";
                    case DEADLINE_NEAR -> "deadline-near";
                })
                .put("data", data);
    }

    private JsonObject push(DueAlert alert) {
        AlertContent content = alert.content();
        JsonObject data = new JsonObject().put("eventID", content.eventId().toString()).put("event", content.kind().event()).put("caseID", content.caseId().toString());
        JsonObject notification = new JsonObject().put("data", data);
        String caseTitle = line(content.caseTitle());
        switch (content.about().orElseThrow()) {
            case About.Entry entry -> {
                notification.put("title", "New on the docket").put("body", "%s: %s (No. %d)".formatted(caseTitle, line(entry.title()), entry.number()));
                data.put("entryID", String.valueOf(entry.id()));
            }
            case About.TheCase() -> notification.put("title", "A new case").put("body", "You take part in %s.".formatted(caseTitle));
            case About.Filing filing -> {
                notification.put("title", content.kind() == AlertContent.Kind.APPROVAL_AWAITED ? "A filing awaits your approval" : "Your filing was rejected")
                        .put("body", "%s: %s".formatted(caseTitle, name(filing.documentId())));
                data.put("filingID", String.valueOf(filing.id()));
            }
            case About.Deadline deadline -> {
                notification.put("title", "A deadline is near")
                        .put("body", "%s: %s is due by %s.".formatted(caseTitle, name(deadline.documentId()), words(deadline)));
                data.put("deadlineID", deadline.id().toString());
            }
        }
        notification.put("url", page(content));
        return new JsonObject().put("idempotencyKey", alert.idempotencyKey()).put("userID", alert.userId().toString()).put("notification", notification);
    }

    /** A document type by its name for people; one that the definitions have no more, by its id. */
    private String name(DocumentTypeId documentId) {
        return line(definitions.document(documentId).map(DocumentType::displayName).orElse(documentId.value()));
    }

    private String page(AlertContent content) {
        return caseUrl.replace("{caseID}", content.caseId().toString());
    }

    /** In the time zone of the rule set: the end of a day there is often another day in UTC. */
    private String words(About.Deadline deadline) {
        return LocalMoment.text(deadline.date(), definitions.ruleSet(deadline.ruleSet()).map(RuleSet::timeZone).orElse(ZoneOffset.UTC));
    }

    private static String words(Instant at) {
        return UtcMoment.minute(at);
    }

    private static String line(String text) {
        return OneLine.of(text, TITLE_LENGTH_MAX);
    }
}
