package io.arbitration.cases.hearings;

import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Hearing;
import io.arbitration.domain.text.OneLine;
import io.arbitration.domain.time.CalendarText;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What somebody is to be told of a hearing, as things stand now; this node may tell it until its lease ends.
 *
 * @param reader  whom to tell; empty when the account is gone or disabled, takes no part any more, or wants to hear of no hearings
 * @param isFirst whether this tells that the hearing was scheduled
 * @param isLast  whether nothing later of the same hearing is to be told to the same person
 */
record HearingNews(
        Lease lease, Channel channel, Hearing hearing, String caseTitle, UserId userId, Optional<Reader> reader, boolean isFirst, boolean isLast, Sender sender)
        implements Handover.Item {

    private static final String TEMPLATE = "hearing";
    private static final int TITLE_LENGTH_MAX = 150;
    private static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu, HH:mm", Locale.ENGLISH);

    /** A way to reach somebody. */
    enum Channel { EMAIL, PUSH }

    record Reader(String email, String firstName) {}

    /**
     * Who tells.
     *
     * @param address of the platform's emails, the organizer of its calendar entries
     */
    record Sender(String publicUrl, String address) {

        private String uid(Hearing hearing) {
            return "hearing-%s@%s".formatted(hearing.hearingId(), URI.create(publicUrl).getHost());
        }
    }

    @Override
    public String address() {
        return switch (channel) {
            case EMAIL -> Addresses.EMAILS_SEND;
            case PUSH -> Addresses.PUSH_SEND;
        };
    }

    @Override
    public Optional<JsonObject> request() {
        return isLast ? reader.map(one -> switch (channel) {
            case EMAIL -> email(one);
            case PUSH -> push();
        }) : Optional.empty();
    }

    private String key() {
        return "hearing:%s:%d:%s:%s".formatted(hearing.hearingId(), hearing.revision(), userId, channel.name().toLowerCase(Locale.ROOT));
    }

    private String change() {
        return !hearing.isScheduled() ? "cancelled" : isFirst ? "scheduled" : "changed";
    }

    private String when() {
        Hearing.Schedule schedule = hearing.schedule();
        return "%s (%s)".formatted(WHEN.format(schedule.start().atZone(schedule.timeZone())), schedule.timeZone().getId());
    }

    private JsonObject email(Reader one) {
        Hearing.Schedule schedule = hearing.schedule();
        JsonObject data = new JsonObject().put("change", change()).put("caseTitle", line(caseTitle)).put("title", line(schedule.title()))
                .put("when", when()).put("durationMinutes", schedule.duration().toMinutes())
                .put("firstName", one.firstName.isBlank() ? null : line(one.firstName))
                .put("place", schedule.place().orElse(null)).put("link", schedule.link().orElse(null)).put("agenda", schedule.agenda().orElse(null))
                .put("reason", hearing.cancelled().map(Hearing.Cancellation::reason).orElse(null));
        CalendarText.Method method = hearing.isScheduled() ? CalendarText.Method.REQUEST : CalendarText.Method.CANCEL;
        return new JsonObject()
                .put("idempotencyKey", key())
                .put("to", new JsonArray().add(one.email))
                .put("template", TEMPLATE)
                .put("data", data)
                .put("calendar", new JsonObject().put("method", method.name())
                        .put("text", CalendarText.of(Optional.empty(), Optional.of(method), List.of(entry(hearing, caseTitle, sender, Optional.of(one.email))))));
    }

    /** The hearing as it stands in calendars; without an attendee in a feed. */
    static CalendarText.Entry entry(Hearing hearing, String caseTitle, Sender sender, Optional<String> attendee) {
        Hearing.Schedule schedule = hearing.schedule();
        return new CalendarText.Entry(sender.uid(hearing), hearing.revision() - 1, hearing.updated(), schedule.start(), schedule.end(), schedule.timeZone(),
                "%s: %s".formatted(caseTitle, schedule.title()), schedule.place(), schedule.link(), schedule.agenda(), !hearing.isScheduled(),
                attendee.map(invited -> sender.address), attendee);
    }

    private JsonObject push() {
        String title = switch (change()) {
            case "scheduled" -> "A hearing was scheduled";
            case "changed" -> "A hearing was changed";
            default -> "A hearing was cancelled";
        };
        return new JsonObject().put("idempotencyKey", key()).put("userID", userId.toString()).put("notification", new JsonObject()
                .put("title", title)
                .put("body", "%s: %s, %s".formatted(line(caseTitle), line(hearing.schedule().title()), when()))
                .put("data", new JsonObject().put("caseID", hearing.caseId().toString()).put("hearingID", hearing.hearingId().toString())));
    }

    private static String line(String text) {
        return OneLine.of(text, TITLE_LENGTH_MAX);
    }
}
