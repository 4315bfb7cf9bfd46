package io.arbitration.domain.notice;

import io.arbitration.domain.UserId;
import java.util.Optional;

/**
 * A recipient of a notice.
 *
 * @param place its position in the request
 * @param userId empty for a recipient that was named by address
 * @param isOutside whether the address belongs to no participant of the case
 */
public record Recipient(int place, String email, Optional<UserId> userId, boolean isOutside) {

    /** A recipient as a request names it. */
    public sealed interface Named {

        int place();

        /** @param userId empty if the text names no user */
        record User(int place, Optional<UserId> userId) implements Named {}

        record Address(int place, String email) implements Named {}
    }
}
