package io.arbitration.command.bench;

import io.arbitration.platform.StartFailure;

/** A measurement that would not be true: something did not start, or did not answer as it should. */
final class BenchFailed extends StartFailure {

    BenchFailed(String message) {
        super(FAILED, message, null);
    }

    BenchFailed(String message, Throwable cause) {
        super(FAILED, message, cause);
    }
}
