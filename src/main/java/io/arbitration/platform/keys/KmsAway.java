package io.arbitration.platform.keys;

import java.security.GeneralSecurityException;

/** A key-management service that gave no answer, or one that says to try again. */
final class KmsAway extends GeneralSecurityException {

    KmsAway(String message) {
        super(message);
    }
}
