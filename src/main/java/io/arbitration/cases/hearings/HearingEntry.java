package io.arbitration.cases.hearings;

import io.arbitration.domain.cases.Hearing;
import io.arbitration.domain.time.CalendarText;
import java.time.Instant;
import java.util.Optional;

/** Makes calendar entries of hearings. A hearing has the same UID in emails and in feeds, so that a calendar program recognises it. */
final class HearingEntry {

    private HearingEntry() {}

    /**
     * An entry of a feed, without organizer and attendee.
     *
     * @param domain the part of the UID after the @
     */
    static CalendarText.Entry of(Hearing hearing, String caseTitle, String domain) {
        Instant stamp = hearing.attendanceChanged().filter(changed -> changed.isAfter(hearing.updated())).orElse(hearing.updated());
        return of(hearing, stamp, hearing.schedule(), Optional.of(status(hearing)), caseTitle, domain, Optional.empty(), Optional.empty());
    }

    /**
     * An entry of an email, with organizer and attendee.
     *
     * @param stamp     the time of the invitation
     * @param shown     the schedule that the attendee may see
     * @param status    empty for a cancellation that only concerns this attendee
     * @param domain    the part of the UID after the @
     * @param organizer sender address of the platform's emails
     */
    static CalendarText.Entry inviting(Hearing hearing, Instant stamp, Hearing.Schedule shown, Optional<CalendarText.Status> status, String caseTitle, String domain, String organizer, String attendee) {
        return of(hearing, stamp, shown, status, caseTitle, domain, Optional.of(organizer), Optional.of(attendee));
    }

    static CalendarText.Status status(Hearing hearing) {
        return hearing.isScheduled() ? CalendarText.Status.CONFIRMED : CalendarText.Status.CANCELLED;
    }

    private static CalendarText.Entry of(Hearing hearing, Instant stamp, Hearing.Schedule schedule, Optional<CalendarText.Status> status, String caseTitle, String domain, Optional<String> organizer,
            Optional<String> attendee) {
        return new CalendarText.Entry("hearing-%s@%s".formatted(hearing.hearingId(), domain), hearing.sequence(),
                stamp, hearing.updated(), schedule.start(), schedule.end(), schedule.timeZone(), "%s: %s".formatted(caseTitle, schedule.title()),
                schedule.place(), schedule.link(), schedule.agenda(), status, organizer, attendee);
    }
}
