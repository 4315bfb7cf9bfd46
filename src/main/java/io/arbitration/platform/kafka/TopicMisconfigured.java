package io.arbitration.platform.kafka;

/**
 * Events cannot be published: a topic would lose them, is missing and cannot be made, or another node has other settings. The
 * message names the topic and what would help.
 */
final class TopicMisconfigured extends RuntimeException {

    TopicMisconfigured(String message) {
        super(message);
    }
}
