package io.arbitration.push;

import java.time.Duration;

/** How an attempt to hand a message to a push service went. */
sealed interface PushAnswer {

    /** The push service has it. */
    record Accepted(int status) implements PushAnswer {}

    /** The subscription has ended. */
    record Gone(int status) implements PushAnswer {}

    /**
     * It asks to be left alone, or is in trouble.
     *
     * @param pause what it asks for; zero when it says nothing
     */
    record Busy(int status, Duration pause) implements PushAnswer {}

    /** It will not take this message, later no more than now. */
    record Refused(int status) implements PushAnswer {}

    /** No answer came. */
    record Unreached(String why, boolean late) implements PushAnswer {}

    /** The configuration does not allow its push service any more. */
    record NotAllowed() implements PushAnswer {}
}
