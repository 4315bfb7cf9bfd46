package io.arbitration.cases.hearings;

import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Hearing;
import io.arbitration.domain.text.OneLine;
import io.arbitration.domain.time.CalendarText;
import io.arbitration.domain.time.LocalMoment;
import io.arbitration.platform.events.Addresses;
import io.arbitration.platform.queue.Handover;
import io.arbitration.platform.queue.Lease;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * What somebody is to be told of a hearing, as things stand now; this node may tell it until its lease ends.
 *
 * @param of        what the hearing was when this was to be told, by which a repetition is known
 * @param isSandbox whether the case is a sandbox, of which nobody who has no part in it gets an email
 * @param reader    whom to tell; empty when the account is gone or disabled, takes no part any more, or wants to hear of no hearings. Who has the hearing in
 *                  a calendar by an email of the platform is told by email what becomes of it, also when it wants to hear of no others
 * @param left      what the hearing was when the reader left the case, of which that is told; empty where the hearing itself is told
 * @param knows     whether the reader was told of the hearing before
 * @param isLast    whether nothing later of the same hearing is to be told to the same person
 * @param waits     whether a node tells the same person something earlier of it at this moment
 * @param now        when it is told, by the time of the platform
 * @param wasOffered whether it was claimed before and nobody recorded what came of it
 */
record HearingNews(
        Lease lease, Channel channel, Hearing hearing, State of, String caseTitle, boolean isSandbox, UserId userId, Optional<Reader> reader, Optional<Hearing.Schedule> left,
        Handover.Handed knows, boolean isLast, boolean waits, Instant now, boolean wasOffered, Sender sender)
        implements Handover.Item {

    private static final String TEMPLATE = "hearing";
    private static final int TITLE_LENGTH_MAX = 150;

    /** A way to reach somebody. */
    enum Channel { EMAIL, PUSH }

    /** A state of a hearing, as its revision and its count of joins and leaves name it. */
    record State(long revision, int attendanceChanges) {}

    record Reader(String email, String firstName) {}

    /**
     * Who tells.
     *
     * @param domain  in the UIDs of its calendar entries
     * @param address of the platform's emails, the organizer of its calendar entries
     */
    record Sender(String domain, String address) {}

    @Override
    public String address() {
        return switch (channel) {
            case EMAIL -> Addresses.EMAILS_SEND;
            case PUSH -> Addresses.PUSH_SEND;
        };
    }

    @Override
    public Optional<JsonObject> request() {
        // Who was never told of a hearing has nothing in the calendar to be taken out.
        return isLast && (isOn() || knows != Handover.Handed.NO) ? reader.map(one -> switch (channel) {
            case EMAIL -> email(one);
            case PUSH -> push();
        }) : Optional.empty();
    }

    private String key() {
        // Attendance alone changes no revision; without it the key is the one that nodes of the release before use.
        String state = of.attendanceChanges == 0 ? "%d".formatted(of.revision) : "%d+%d".formatted(of.revision, of.attendanceChanges);
        return "hearing:%s:%s:%s:%s".formatted(hearing.hearingId(), state, userId, channel.name().toLowerCase(Locale.ROOT));
    }

    /** Whether it takes place, and for the reader, too. */
    private boolean isOn() {
        return hearing.isScheduled() && left.isEmpty();
    }

    private String change() {
        return !isOn() ? "cancelled" : knows == Handover.Handed.YES ? "changed" : "scheduled";
    }

    /** Who is taken out of a hearing gets no status of it (RFC 5546, section 3.2.5). */
    private Optional<CalendarText.Status> status() {
        return left.isPresent() ? Optional.empty() : Optional.of(HearingEntry.status(hearing));
    }

    /** What the reader may know of it. */
    private Hearing.Schedule shown() {
        return left.orElse(hearing.schedule());
    }

    private String when() {
        return LocalMoment.text(shown().start(), shown().timeZone());
    }

    private JsonObject email(Reader one) {
        Hearing.Schedule schedule = shown();
        JsonObject data = new JsonObject().put("change", change()).put("caseTitle", line(caseTitle)).put("title", line(schedule.title()))
                .put("when", when()).put("durationMinutes", schedule.duration().toMinutes())
                .put("firstName", one.firstName.isBlank() ? null : line(one.firstName))
                .put("place", schedule.place().orElse(null)).put("link", schedule.link().orElse(null)).put("agenda", schedule.agenda().orElse(null))
                .put("reason", left.isPresent() ? null : hearing.cancelled().map(Hearing.Cancellation::reason).orElse(null));
        // A template that an operator made for the release before refuses a variable that it does not know, so it is given where it is needed.
        left.ifPresent(gone -> data.put("left", true));
        CalendarText.Method method = isOn() ? CalendarText.Method.REQUEST : CalendarText.Method.CANCEL;
        return new JsonObject()
                .put("idempotencyKey", key())
                .put("to", new JsonArray().add(one.email))
                .put("template", TEMPLATE)
                .put("hold", isSandbox && left.isPresent())
                .put("data", data)
                .put("calendar", new JsonObject().put("method", method.name())
                        .put("text", CalendarText.of(Optional.empty(), Optional.of(method), List.of(
                                HearingEntry.inviting(hearing, now, schedule, status(), caseTitle, sender.domain, sender.address, one.email)))));
    }

    private JsonObject push() {
        String title = left.isPresent() ? "A hearing is no longer yours" : "A hearing was " + change();
        return new JsonObject().put("idempotencyKey", key()).put("userID", userId.toString()).put("notification", new JsonObject()
                .put("title", title)
                .put("body", "%s: %s, %s".formatted(line(caseTitle), line(shown().title()), when()))
                .put("data", new JsonObject().put("caseID", hearing.caseId().toString()).put("hearingID", hearing.hearingId().toString())));
    }

    private static String line(String text) {
        return OneLine.of(text, TITLE_LENGTH_MAX);
    }
}
