package io.arbitration.webhooks.deliveries;

import io.arbitration.domain.Identifiers;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * A request to repeat deliveries, as its body has it.
 *
 * @param since a time with its offset, as the contract has it
 */
record RedeliveryRequest(Optional<String> deliveryId, Optional<String> url, Optional<String> since) {

    /** The same, parsed. */
    sealed interface Order {

        record One(long deliveryId) implements Order {}

        record Since(String url, Instant since) implements Order {}
    }

    /** @throws io.arbitration.platform.answer.Refusal when the body asks for neither of the two, or for both */
    Order order() {
        if (deliveryId.isPresent() && url.isEmpty() && since.isEmpty()) {
            return new Order.One(Identifiers.number(deliveryId.get()).orElseThrow(DeliveryError.NOT_FOUND::refusal));
        }
        if (deliveryId.isEmpty() && url.isPresent() && since.isPresent()) {
            return new Order.Since(url.get(), OffsetDateTime.parse(since.get()).toInstant());
        }
        throw DeliveryError.ONE_OR_SINCE.refusal();
    }
}
