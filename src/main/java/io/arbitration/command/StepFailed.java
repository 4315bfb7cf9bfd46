package io.arbitration.command;

/** A command cannot go on. The message tells the user why, in one sentence. */
final class StepFailed extends RuntimeException {

    StepFailed(String message) {
        super(message, null, false, false);
    }
}
