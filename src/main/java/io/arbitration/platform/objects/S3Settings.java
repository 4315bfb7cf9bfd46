package io.arbitration.platform.objects;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.keys.AwsCredentials;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a service with the S3 protocol. Its text form omits the secret.
 *
 * @param accessKeyId empty: requests are signed with the role of the machine
 */
public record S3Settings(String endpoint, String region, String accessKeyId, String secretAccessKey) {

    /** Empty if no bucket has this scheme. */
    static Optional<S3Settings> read(Configuration c, String key, String usualEndpoint, Bucket.Scheme scheme, List<Bucket> buckets) {
        String accessKeyId = c.text(key + ".accessKeyId");
        String secretAccessKey = c.secret(key + ".secretAccessKey");
        String endpoint = c.optional(key + ".endpoint", "http(s)://host or http(s)://host:port", Configuration.matching("https?://[^/?#@]+")).orElse(usualEndpoint);
        String region = c.required(key + ".region");
        if (buckets.stream().noneMatch(bucket -> bucket.scheme() == scheme)) {
            return Optional.empty();
        }
        AwsCredentials.requirePair(key + ".accessKeyId", accessKeyId, key + ".secretAccessKey", secretAccessKey);
        if (scheme == Bucket.Scheme.GS && accessKeyId.isBlank()) {
            throw ConfigurationError.outOfBounds(key + ".accessKeyId", "(empty)", "needed by objects.buckets");
        }
        return Optional.of(new S3Settings(endpoint, region, accessKeyId, secretAccessKey));
    }

    @Override
    public String toString() {
        return "S3Settings[%s, %s]".formatted(endpoint, region);
    }
}
