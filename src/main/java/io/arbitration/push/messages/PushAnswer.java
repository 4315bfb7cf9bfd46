package io.arbitration.push.messages;

import java.time.Duration;

/** What a push service answered to a message. */
public sealed interface PushAnswer {

    /** The push service has accepted the message. */
    record Accepted(int status) implements PushAnswer {}

    /** The subscription has ended. */
    record Gone(int status) implements PushAnswer {}

    /**
     * The push service asks to wait, or has failed.
     *
     * @param pause what it asks for; zero when it says nothing
     */
    record Busy(int status, Duration pause) implements PushAnswer {}

    /** The push service refuses this message, and would refuse it again. */
    record Refused(int status) implements PushAnswer {}

    /** No answer came. */
    record Unreached(String why, boolean late) implements PushAnswer {}

    /** The configuration does not allow its push service any more. */
    record NotAllowed() implements PushAnswer {}
}
