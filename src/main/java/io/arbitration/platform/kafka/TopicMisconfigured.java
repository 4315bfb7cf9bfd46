package io.arbitration.platform.kafka;

/** A topic that events would be lost in, or that is not there and cannot be made, or settings that others do not share; the message names it and what would help. */
final class TopicMisconfigured extends RuntimeException {

    TopicMisconfigured(String message) {
        super(message);
    }
}
