package io.arbitration.emails;

import java.time.Duration;

/** What follows from an attempt. */
sealed interface Outcome {

    Claimed claimed();

    Attempt attempt();

    record Sent(Claimed claimed, Attempt attempt) implements Outcome {}

    /** The mail server refused this mail for this recipient for good. */
    record Bounced(Claimed claimed, Attempt attempt) implements Outcome {}

    /** No attempt is left. */
    record Failed(Claimed claimed, Attempt attempt) implements Outcome {}

    record Again(Claimed claimed, Attempt attempt, Duration pause) implements Outcome {}
}
