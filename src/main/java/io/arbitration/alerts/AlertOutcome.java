package io.arbitration.alerts;

import java.time.Duration;

/** What became of an alert that was due. */
sealed interface AlertOutcome {

    DueAlert alert();

    /** The channel has it, durably. */
    record Told(DueAlert alert) implements AlertOutcome {}

    record Dropped(DueAlert alert, String reason) implements AlertOutcome {}

    /** The channel said that it can not carry it. */
    record Refused(DueAlert alert, String reason) implements AlertOutcome {}

    record Again(DueAlert alert, Duration pause, String reason) implements AlertOutcome {}
}
