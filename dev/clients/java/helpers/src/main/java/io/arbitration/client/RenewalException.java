package io.arbitration.client;

import java.io.IOException;

/** Carries the refusal of a renewal through the HTTP client, which throws {@link IOException} alone. */
final class RenewalException extends IOException {

    private static final long serialVersionUID = 1L;
    private final ApiException refused;

    RenewalException(ApiException refused) {
        super(refused.getMessage(), refused);
        this.refused = refused;
    }

    ApiException refused() {
        return refused;
    }
}
