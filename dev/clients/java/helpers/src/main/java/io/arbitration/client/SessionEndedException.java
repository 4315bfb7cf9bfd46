package io.arbitration.client;

import java.net.http.HttpHeaders;

/** The platform takes the refresh token no more: the person has to sign in again. Every later call with these credentials fails so. */
public final class SessionEndedException extends PlatformException {

    private static final long serialVersionUID = 1L;

    SessionEndedException(int status, HttpHeaders headers, String body) {
        super(status, headers, body);
    }
}
