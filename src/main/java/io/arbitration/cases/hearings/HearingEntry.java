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
        return of(hearing, caseTitle, publicUrl, Optional.empty(), Optional.empty());
    }

    /** @param organizer address of the platform's emails */
    static CalendarText.Entry inviting(Hearing hearing, String caseTitle, String publicUrl, String organizer, String attendee) {
        return of(hearing, caseTitle, publicUrl, Optional.of(organizer), Optional.of(attendee));
    }

    private static CalendarText.Entry of(Hearing hearing, String caseTitle, String publicUrl, Optional<String> organizer, Optional<String> attendee) {
        Hearing.Schedule schedule = hearing.schedule();
        return new CalendarText.Entry("hearing-%s@%s".formatted(hearing.hearingId(), URI.create(publicUrl).getHost()), hearing.revision() - 1,
                hearing.updated(), schedule.start(), schedule.end(), schedule.timeZone(), "%s: %s".formatted(caseTitle, schedule.title()),
                schedule.place(), schedule.link(), schedule.agenda(), !hearing.isScheduled(), organizer, attendee);
    }
}
