package io.arbitration.platform.keys;

import java.nio.file.Path;
import java.util.Optional;

/** The service that encrypts the keyset; the text forms omit secrets. */
public sealed interface KeyService {

    /** No service: only the permissions of the file protect it. */
    record Local() implements KeyService {}

    /**
     * @param accessKeyId empty: requests are signed with the role of the machine
     * @param sessionToken of temporary credentials, else empty
     */
    record Aws(String endpoint, String region, String keyId, String accessKeyId, String secretAccessKey, String sessionToken) implements KeyService {
        @Override
        public String toString() {
            return "Aws[%s, %s]".formatted(region, keyId);
        }
    }

    /** @param credentialsFile of a service account; empty: that of the machine, from the metadata endpoint */
    record Gcp(String endpoint, String metadataEndpoint, String key, Optional<Path> credentialsFile) implements KeyService {}

    /** @param tokenFile is read at each call; empty: the token is used */
    record Vault(String address, String mount, String key, String token, Optional<Path> tokenFile, Optional<String> namespace) implements KeyService {
        @Override
        public String toString() {
            return "Vault[%s, %s/%s]".formatted(address, mount, key);
        }
    }
}
