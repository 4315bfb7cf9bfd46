package io.arbitration.platform.objects;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import java.util.List;
import java.util.Optional;

/** A service that speaks the S3 protocol. Its text form leaves the secret out. */
public record S3Settings(String endpoint, String region, String accessKeyId, String secretAccessKey) {

    /** Empty when no bucket is of this scheme; else the credentials are needed. */
    static Optional<S3Settings> read(Configuration c, String key, String usualEndpoint, Bucket.Scheme scheme, List<Bucket> buckets) {
        Optional<String> accessKeyId = c.optional(key + ".accessKeyId");
        Optional<String> secretAccessKey = c.optionalSecret(key + ".secretAccessKey");
        String endpoint = c.optional(key + ".endpoint", "http(s)://host or http(s)://host:port", Configuration.matching("https?://[^/?#@]+")).orElse(usualEndpoint);
        String region = c.required(key + ".region");
        if (buckets.stream().noneMatch(bucket -> bucket.scheme() == scheme)) {
            return Optional.empty();
        }
        return Optional.of(new S3Settings(endpoint, region,
                accessKeyId.orElseThrow(() -> ConfigurationError.outOfBounds(key + ".accessKeyId", "(empty)", "needed by objects.buckets")),
                secretAccessKey.orElseThrow(() -> ConfigurationError.outOfBounds(key + ".secretAccessKey", "(empty)", "needed by objects.buckets"))));
    }

    @Override
    public String toString() {
        return "S3Settings[%s, %s]".formatted(endpoint, region);
    }
}
