package io.arbitration.cases.hearings;

import io.arbitration.domain.cases.Hearing;
import io.arbitration.domain.time.CalendarText;
import java.net.URI;
import java.util.Optional;

/** Hearings as they stand in calendars: the same entry wherever it is read, so that a program knows that it is the same. */
final class HearingEntry {

    private HearingEntry() {}

    /** In a calendar that invites nobody. */
    static CalendarText.Entry of(Hearing hearing, String caseTitle, String publicUrl) {
        return of(hearing, hearing.schedule(), hearing.isScheduled(), caseTitle, publicUrl, Optional.empty(), Optional.empty());
    }

    /**
     * @param shown     what the attendee may know of it
     * @param isOn      false: it is taken out of the attendee's calendar
     * @param organizer address of the platform's emails
     */
    static CalendarText.Entry inviting(Hearing hearing, Hearing.Schedule shown, boolean isOn, String caseTitle, String publicUrl, String organizer, String attendee) {
        return of(hearing, shown, isOn, caseTitle, publicUrl, Optional.of(organizer), Optional.of(attendee));
    }

    private static CalendarText.Entry of(Hearing hearing, Hearing.Schedule schedule, boolean isOn, String caseTitle, String publicUrl, Optional<String> organizer,
            Optional<String> attendee) {
        return new CalendarText.Entry("hearing-%s@%s".formatted(hearing.hearingId(), URI.create(publicUrl).getHost()), hearing.sequence(),
                hearing.updated(), schedule.start(), schedule.end(), schedule.timeZone(), "%s: %s".formatted(caseTitle, schedule.title()),
                schedule.place(), schedule.link(), schedule.agenda(), !isOn, organizer, attendee);
    }
}
