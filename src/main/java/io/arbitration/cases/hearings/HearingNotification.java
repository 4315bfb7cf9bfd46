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
 * A notification of a hearing to one person by one channel, with hearing, case and person as they are now. This node may send it until
 * its lease ends.
 *
 * @param of the state of the hearing that the notification was queued for; it is part of the idempotency key
 * @param isSandbox whether the case is a sandbox. The email to somebody who has left a sandbox is held instead of sent
 * @param reader the notified person; empty if the account is deleted or disabled, is no longer a participant, or wants no
 *                   notifications of hearings. A person who has the hearing in a calendar from an earlier email gets further
 *                   emails about it in any case
 * @param left the schedule when the reader left the case, if the notification is about that; empty if it is about the hearing
 * @param knows whether the reader got an earlier notification of the hearing
 * @param isLast whether it is the last one of the hearing to this person by this channel; the earlier ones are not sent
 * @param waits whether a node is sending an earlier one of them at this moment
 * @param now the time of the platform
 * @param wasClaimed whether it was claimed before, and that node has recorded no outcome
 */
record HearingNotification(
        Lease lease, Channel channel, Hearing hearing, State of, String caseTitle, boolean isSandbox, UserId userId, Optional<Reader> reader, Optional<Hearing.Schedule> left,
        Handover.Handed knows, boolean isLast, boolean waits, Instant now, boolean wasClaimed, Sender sender)
        implements Handover.Item {

    private static final String TEMPLATE = "hearing";
    private static final int TITLE_LENGTH_MAX = 150;

    /** A channel of notifications. */
    enum Channel { EMAIL, PUSH }

    /** A state of a hearing, as its revision and its count of joins and leaves name it. */
    record State(long revision, int attendanceChanges) {}

    record Reader(String email, String firstName) {}

    /**
     * The properties of the platform in calendar entries.
     *
     * @param domain the part of their UIDs after the @
     * @param address the sender of the platform's emails, who is the organizer of the entries
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
        // A person who was never notified of a hearing has no calendar entry that a cancellation could remove.
        return isLast && (isOn() || knows != Handover.Handed.NO) ? reader.map(one -> switch (channel) {
            case EMAIL -> email(one);
            case PUSH -> push();
        }) : Optional.empty();
    }

    private String key() {
        // Joining and leaving do not change the revision, so they are counted beside it. Without them the key is the one of the previous
        // release.
        String state = of.attendanceChanges == 0 ? "%d".formatted(of.revision) : "%d+%d".formatted(of.revision, of.attendanceChanges);
        return "hearing:%s:%s:%s:%s".formatted(hearing.hearingId(), state, userId, channel.name().toLowerCase(Locale.ROOT));
    }

    /** Whether the hearing takes place and the reader is still a participant of the case. */
    private boolean isOn() {
        return hearing.isScheduled() && left.isEmpty();
    }

    private String change() {
        return !isOn() ? "cancelled" : knows == Handover.Handed.YES ? "changed" : "scheduled";
    }

    /** Empty for a person who has left the case: a cancellation for one attendee has no status (RFC 5546, section 3.2.5). */
    private Optional<CalendarText.Status> status() {
        return left.isPresent() ? Optional.empty() : Optional.of(HearingEntry.status(hearing));
    }

    /** The schedule that the reader may see: after leaving, the one of that moment. */
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
        // A template that an operator wrote for the previous release refuses a variable that it does not declare, so this one is only given
        // if it is true.
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
