package io.arbitration.platform.keys;

import java.security.GeneralSecurityException;

/** A key-management service that did not answer, or that asks to try again. */
final class KmsUnavailable extends GeneralSecurityException {

    KmsUnavailable(String message) {
        super(message);
    }
}
