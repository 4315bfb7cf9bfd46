package io.arbitration.command;

/** A step of the demo case was not answered as it should be; the message says which, and the answer. */
final class StepFailed extends RuntimeException {

    StepFailed(String message) {
        super(message, null, false, false);
    }
}
