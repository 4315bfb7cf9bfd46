package io.arbitration.mainapi.notice;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.HearingId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * A hearing of which a notice is served, as it stands in the cases area.
 *
 * @param revision grows with every change of the hearing
 * @param changed  when it was scheduled, or changed last
 */
record ServedHearing(
        HearingId hearingId, CaseId caseId, String caseTitle, String title, Instant start, Duration duration, ZoneId timeZone, Optional<String> place,
        Optional<String> link, Optional<String> agenda, long revision, Instant changed, boolean isCancelled) {

    private static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("EEEE, d MMMM uuuu, HH:mm", Locale.ENGLISH);

    /** When it begins, in words and in the time zone of those who come. */
    String when() {
        return "%s (%s)".formatted(WHEN.format(start.atZone(timeZone)), timeZone.getId());
    }
}
