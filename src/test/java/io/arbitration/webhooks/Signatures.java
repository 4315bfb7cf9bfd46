package io.arbitration.webhooks;

import java.util.List;
import java.util.Map;

/** The headers that a verifier reads. */
final class Signatures {

    private Signatures() {}

    static Map<String, List<String>> headers(Receiver.Received received) {
        return Map.of("webhook-id", List.of(received.header("webhook-id")),
                "webhook-timestamp", List.of(received.header("webhook-timestamp")),
                "webhook-signature", List.of(received.header("webhook-signature")));
    }
}
