package io.arbitration.push.messages;

import java.time.Duration;

/** The answer of a push service to a message. */
public sealed interface PushAnswer {

    /** The push service has accepted the message. */
    record Accepted(int status) implements PushAnswer {}

    /** The subscription has ended. */
    record Gone(int status) implements PushAnswer {}

    /**
     * The push service asks to wait, or has failed.
     *
     * @param pause the requested pause; zero if none was given
     */
    record Busy(int status, Duration pause) implements PushAnswer {}

    /** The push service refuses this message permanently. */
    record Refused(int status) implements PushAnswer {}

    /** No answer came. */
    record Unreached(String why, boolean late) implements PushAnswer {}

    /** The configuration no longer allows its push service. */
    record NotAllowed() implements PushAnswer {}
}
