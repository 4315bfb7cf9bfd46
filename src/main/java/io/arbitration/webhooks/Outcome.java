package io.arbitration.webhooks;

import java.time.Duration;

/** What follows from an attempt. */
sealed interface Outcome {

    Claimed claimed();

    Attempt attempt();

    record Delivered(Claimed claimed, Attempt attempt) implements Outcome {}

    record Failed(Claimed claimed, Attempt attempt) implements Outcome {}

    record Again(Claimed claimed, Attempt attempt, Duration pause) implements Outcome {}
}
