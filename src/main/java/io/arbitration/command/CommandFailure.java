package io.arbitration.command;

/** A command cannot continue. The message gives the user the reason, in one sentence. */
final class CommandFailure extends RuntimeException {

    CommandFailure(String message) {
        super(message, null, false, false);
    }
}
