package io.arbitration.alerts;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** What a channel is asked to say, in the words of its address on the event bus. */
final class AlertRequest {

    /** Code points; a push service carries some 4,000 bytes in all, an email's subject 500 characters. */
    private static final int TITLE_LENGTH_MAX = 150;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    private final Optional<String> caseUrl;

    /** @param caseUrl page of a case, with {@code {caseID}} in the place of its id; empty: alerts name no page */
    AlertRequest(Optional<String> caseUrl) {
        this.caseUrl = caseUrl;
    }

    JsonObject of(DueAlert alert) {
        return switch (alert.channel()) {
            case EMAIL -> email(alert, alert.reader().orElseThrow());
            case PUSH -> push(alert);
        };
    }

    private JsonObject email(DueAlert alert, DueAlert.Reader reader) {
        News news = alert.news();
        JsonObject data = new JsonObject().put("caseTitle", line(news.caseTitle()));
        if (!reader.firstName().isBlank()) {
            data.put("firstName", line(reader.firstName()));
        }
        page(news).ifPresent(url -> data.put("url", url));
        if (news.entry().isPresent()) {
            News.Entry entry = news.entry().get();
            data.put("entryNumber", entry.number()).put("entryTitle", line(entry.title())).put("enteredAt", words(news.at()));
            news.by().ifPresent(name -> data.put("filedBy", line(name)));
        } else {
            data.put("createdAt", words(news.at()));
            news.by().ifPresent(name -> data.put("createdBy", line(name)));
        }
        return new JsonObject()
                .put("idempotencyKey", alert.idempotencyKey())
                .put("to", new JsonArray().add(reader.email()))
                .put("template", news.entry().isPresent() ? "docket-filing" : "case-created")
                .put("data", data);
    }

    private JsonObject push(DueAlert alert) {
        News news = alert.news();
        JsonObject data = new JsonObject().put("eventID", news.eventId().toString()).put("event", news.event()).put("caseID", news.caseId().toString());
        JsonObject notification = new JsonObject().put("data", data);
        if (news.entry().isPresent()) {
            News.Entry entry = news.entry().get();
            notification.put("title", "New on the docket")
                    .put("body", "%s: %s (No. %d)".formatted(line(news.caseTitle()), line(entry.title()), entry.number()));
            data.put("entryID", String.valueOf(entry.id()));
        } else {
            notification.put("title", "A new case").put("body", "You take part in %s.".formatted(line(news.caseTitle())));
        }
        page(news).ifPresent(url -> notification.put("url", url));
        return new JsonObject().put("idempotencyKey", alert.idempotencyKey()).put("userID", alert.userId().toString()).put("notification", notification);
    }

    private Optional<String> page(News news) {
        return caseUrl.map(url -> url.replace("{caseID}", news.caseId().toString()));
    }

    private static String words(Instant at) {
        return TIME.format(at);
    }

    /** Titles and names may hold what no subject can. */
    private static String line(String text) {
        String line = text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f]+", " ").strip();
        return line.codePointCount(0, line.length()) <= TITLE_LENGTH_MAX
                ? line : line.substring(0, line.offsetByCodePoints(0, TITLE_LENGTH_MAX - 1)) + "…";
    }
}
