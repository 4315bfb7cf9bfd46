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
 * @param revision          from 1; grows by 1 with every change
 * @param attendanceChanges how often somebody joined or left the case while the hearing was to come
 * @param attendanceChanged when that was last; empty where it never was
 * @param cancelled         why it does not take place; empty while it is scheduled
 */
public record Hearing(
        HearingId hearingId, CaseId caseId, Schedule schedule, long revision, int attendanceChanges, Optional<Instant> attendanceChanged, Optional<Cancellation> cancelled, UserId createdBy,
        Instant created, Instant updated) {

    /**
     * What is scheduled.
     *
     * @param start    in whole minutes
     * @param duration in whole minutes, at least one
     * @param timeZone of the people who come; the hearing begins at {@code start} whatever becomes of the zone's rules
     * @param link     where it is held on the network
     */
    public record Schedule(
            String title, Instant start, Duration duration, ZoneId timeZone, Optional<String> place, Optional<String> link, Optional<String> agenda) {

        public Instant end() {
            return start.plus(duration);
        }
    }

    /** That a hearing was cancelled. */
    public record Cancellation(UserId by, Instant at, String reason) {}

    /** The number by which calendars know which of two messages about it is the newer one (RFC 5545, section 3.8.7.4). */
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
