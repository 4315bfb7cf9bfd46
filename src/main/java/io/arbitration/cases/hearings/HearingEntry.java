package io.arbitration.cases.hearings;

import io.arbitration.domain.cases.Hearing;
import io.arbitration.domain.time.CalendarText;
import java.time.Instant;
import java.util.Optional;

/** Hearings as they stand in calendars: the same entry wherever it is read, so that a program knows that it is the same. */
final class HearingEntry {

    private HearingEntry() {}

    /**
     * In a calendar that invites nobody.
     *
     * @param domain in the UID
     */
    static CalendarText.Entry of(Hearing hearing, String caseTitle, String domain) {
        Instant stamp = hearing.attendanceChanged().filter(changed -> changed.isAfter(hearing.updated())).orElse(hearing.updated());
        return of(hearing, stamp, hearing.schedule(), Optional.of(status(hearing)), caseTitle, domain, Optional.empty(), Optional.empty());
    }

    /**
     * @param stamp     when the invitation is written
     * @param shown     what the attendee may know of it
     * @param status    empty: the attendee alone is taken out of it
     * @param domain    in the UID
     * @param organizer address of the platform's emails
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
