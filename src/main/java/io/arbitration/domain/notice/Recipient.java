package io.arbitration.domain.notice;

import io.arbitration.domain.UserId;
import java.util.Optional;

/**
 * Somebody on whom a notice is served.
 *
 * @param place     in the request
 * @param userId    empty for one who was named by an address
 * @param isOutside whether the address is that of nobody in the case
 */
public record Recipient(int place, String email, Optional<UserId> userId, boolean isOutside) {

    /** Whom a request names. */
    public sealed interface Named {

        int place();

        /** @param userId empty where the text names nobody */
        record User(int place, Optional<UserId> userId) implements Named {}

        record Address(int place, String email) implements Named {}
    }
}
