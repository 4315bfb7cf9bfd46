package io.arbitration.webhooks.sending;

import java.time.Duration;

/** What follows from an attempt: the delivery has ended, or is tried again after a pause. */
public sealed interface Outcome {

    Claimed claimed();

    Attempt attempt();

    record Delivered(Claimed claimed, Attempt attempt) implements Outcome {}

    record Failed(Claimed claimed, Attempt attempt) implements Outcome {}

    record Again(Claimed claimed, Attempt attempt, Duration pause) implements Outcome {}
}
