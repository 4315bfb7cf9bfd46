package io.arbitration.mainapi.notice;

import java.time.Duration;
import java.time.Instant;

/** What follows from asking the mail service for an email. */
sealed interface Handover {

    DueEmail due();

    /** It has it, and sends it. */
    record Taken(DueEmail due) implements Handover {}

    /** It will never send this one. */
    record Refused(DueEmail due, Instant at, String reason) implements Handover {}

    record Again(DueEmail due, Duration pause) implements Handover {}
}
