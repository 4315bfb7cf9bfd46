package io.arbitration.platform.keys;

import io.arbitration.platform.config.ConfigurationError;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * The credentials for requests to Amazon's services: configured keys, or the role of the machine. The keys of a role are found as
 * by all of Amazon's tools (environment, web identity, profile, container, instance), cached, and renewed before they expire.
 */
public final class AwsCredentials {

    private final AwsCredentialsIdentity configured;
    private final AwsCredentialsProvider role;

    private AwsCredentials(AwsCredentialsIdentity configured, AwsCredentialsProvider role) {
        this.configured = configured;
        this.role = role;
    }

    /**
     * @param accessKeyId empty: the machine's role
     * @param sessionToken of temporary keys; empty: none
     */
    public static AwsCredentials of(String accessKeyId, String secretAccessKey, String sessionToken) {
        if (accessKeyId.isEmpty()) {
            return new AwsCredentials(null, DefaultCredentialsProvider.builder().build());
        }
        return new AwsCredentials(sessionToken.isEmpty() ? AwsCredentialsIdentity.create(accessKeyId, secretAccessKey)
                : AwsSessionCredentialsIdentity.create(accessKeyId, secretAccessKey, sessionToken), null);
    }

    /** Refuses a key without its secret, and a secret without its key, because neither can sign. */
    public static void requirePair(String keyOfId, String accessKeyId, String keyOfSecret, String secretAccessKey) {
        if (accessKeyId.isBlank() != secretAccessKey.isBlank()) {
            throw ConfigurationError.outOfBounds(accessKeyId.isBlank() ? keyOfId : keyOfSecret, "(empty)",
                    "both of %s and %s, or neither for the role of the machine".formatted(keyOfId, keyOfSecret));
        }
    }

    /**
     * The present keys. Those of a role may need a network request: not for an event loop.
     *
     * @throws IllegalStateException if the machine has no role, or its provider does not answer
     */
    public AwsCredentialsIdentity current() {
        try {
            return configured != null ? configured : role.resolveCredentials();
        } catch (SdkException none) {
            throw new IllegalStateException("no keys of Amazon's are configured, and the machine gives none: " + none.getMessage(), none);
        }
    }
}
