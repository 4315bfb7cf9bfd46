package io.arbitration.platform.keys;

import io.arbitration.platform.config.ConfigurationError;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/**
 * What requests to Amazon's services are signed with: configured keys, or the role of the machine. A role's keys are looked for as
 * all of Amazon's tools do (environment, web identity, profile, container, instance), kept, and renewed before they expire.
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

    /** Refuses a key without its secret, and a secret without its key: neither names a role nor signs. */
    public static void requirePair(String keyOfId, String accessKeyId, String keyOfSecret, String secretAccessKey) {
        if (accessKeyId.isBlank() != secretAccessKey.isBlank()) {
            throw ConfigurationError.outOfBounds(accessKeyId.isBlank() ? keyOfId : keyOfSecret, "(empty)",
                    "both of %s and %s, or neither for the role of the machine".formatted(keyOfId, keyOfSecret));
        }
    }

    /**
     * The keys of now. Those of a role may be asked for over the network: not for an event loop.
     *
     * @throws IllegalStateException when the machine has no role, or it does not answer
     */
    public AwsCredentialsIdentity current() {
        try {
            return configured != null ? configured : role.resolveCredentials();
        } catch (SdkException none) {
            throw new IllegalStateException("no keys of Amazon's are configured, and the machine gives none: " + none.getMessage(), none);
        }
    }
}
