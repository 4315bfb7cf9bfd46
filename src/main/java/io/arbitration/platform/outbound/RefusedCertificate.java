package io.arbitration.platform.outbound;

import java.security.cert.CertificateException;
import java.util.Optional;

/** Finds out whether a connection failed because of the certificate of the other side. Libraries say so only in the cause of an exception. */
public final class RefusedCertificate {

    private RefusedCertificate() {}

    /** What is wrong with the certificate; empty when the connection failed for another reason. */
    public static Optional<String> reason(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException refused) {
                return Optional.of("the certificate is not accepted: " + refused.getMessage());
            }
        }
        return Optional.empty();
    }
}
