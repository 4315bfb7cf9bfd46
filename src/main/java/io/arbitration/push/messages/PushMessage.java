package io.arbitration.push.messages;

import java.time.Duration;
import java.util.Optional;

/**
 * A notification with its delivery options for the push service (RFC 8030, section 5).
 *
 * @param ttl how long it is kept for a browser that is not running; zero: not at all
 * @param topic replaces a message with the same topic that the browser has not received yet; at most 32 characters of base64url
 */
public record PushMessage(byte[] payload, Duration ttl, Urgency urgency, Optional<String> topic) {

    enum Urgency {
        VERY_LOW("very-low"), LOW("low"), NORMAL("normal"), HIGH("high");

        private final String text;

        Urgency(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        /** The contract allows no other values. */
        static Urgency of(String text) {
            for (Urgency urgency : values()) {
                if (urgency.text.equals(text)) {
                    return urgency;
                }
            }
            throw new IllegalArgumentException("no urgency " + text);
        }
    }
}
