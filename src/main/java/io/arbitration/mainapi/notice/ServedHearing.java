package io.arbitration.mainapi.notice;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.time.LocalMoment;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
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

    /** When it begins, in words and in the time zone of those who come. */
    String when() {
        return LocalMoment.text(start, timeZone);
    }
}
