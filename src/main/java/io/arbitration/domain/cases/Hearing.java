package io.arbitration.domain.cases;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.UserId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A hearing of a case.
 *
 * @param revision from 1; grows by 1 with every change
 * @param attendanceChanges how often somebody joined or left the case while the hearing was in the future
 * @param attendanceChanged the time of the last such change; empty if there was none
 * @param cancelled the cancellation; empty while the hearing is scheduled
 */
public record Hearing(
        HearingId hearingId, CaseId caseId, Schedule schedule, long revision, int attendanceChanges, Optional<Instant> attendanceChanged, Optional<Cancellation> cancelled, UserId createdBy,
        Instant created, Instant updated) {

    /**
     * The schedule of a hearing.
     *
     * @param start in whole minutes
     * @param duration in whole minutes, at least one
     * @param timeZone of the participants; {@code start} stays the same instant even if the rules of the zone change
     * @param link the address of a hearing that is held online
     */
    public record Schedule(
            String title, Instant start, Duration duration, ZoneId timeZone, Optional<String> place, Optional<String> link, Optional<String> agenda) {

        public Instant end() {
            return start.plus(duration);
        }
    }

    /** That a hearing was cancelled. */
    public record Cancellation(UserId by, Instant at, String reason) {}

    /** The number by which calendars recognize the newer of two messages about it (RFC 5545, section 3.8.7.4). */
    public long sequence() {
        return revision - 1 + attendanceChanges;
    }

    public boolean isScheduled() {
        return cancelled.isEmpty();
    }

    Hearing changed(Schedule to, Instant now) {
        return new Hearing(hearingId, caseId, to, revision + 1, attendanceChanges, attendanceChanged, cancelled, createdBy, created, now);
    }

    Hearing cancelled(UserId by, String reason, Instant now) {
        return new Hearing(hearingId, caseId, schedule, revision + 1, attendanceChanges, attendanceChanged, Optional.of(new Cancellation(by, now, reason)), createdBy, created, now);
    }
}
