package io.arbitration.platform.kafka;

/**
 * Events cannot be published: a topic would lose them, is missing and cannot be created, or another node has other settings. The
 * message names the topic and the remedy.
 */
final class TopicMisconfigured extends RuntimeException {

    TopicMisconfigured(String message) {
        super(message);
    }
}
