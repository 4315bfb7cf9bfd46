package io.arbitration.mainapi.evidence;

import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.objects.Bucket;
import java.util.List;
import java.util.Optional;

/**
 * Evidence and its files.
 *
 * @param bucket where they are kept
 * @param transfersMax uploads and downloads at once on this node
 * @param transfersPerCaller of those, of one caller
 * @param uploadsPerPartyMax in one case
 */
public record EvidenceSettings(Bucket bucket, long uploadBytesMax, int transfersMax, int transfersPerCaller, int uploadsPerPartyMax) {

    public static EvidenceSettings read(Configuration c, List<Bucket> buckets) {
        Optional<Bucket> named = c.optional("evidence.bucket", Bucket.BOUND, Bucket::parse);
        Bucket bucket = named.or(() -> buckets.stream().findFirst()).orElseThrow(
                () -> ConfigurationError.outOfBounds("objects.buckets", "(empty)", "evidence needs one"));
        if (!buckets.contains(bucket)) {
            throw ConfigurationError.outOfBounds("evidence.bucket", bucket, "one of objects.buckets");
        }
        return new EvidenceSettings(bucket, c.whole("evidence.uploadBytesMax", 1024L, 17_179_869_184L), c.whole("evidence.transfersMax", 1, 10_000),
                c.whole("evidence.transfersPerCaller", 1, 10_000), c.whole("evidence.uploadsPerPartyMax", 1, 1_000_000));
    }
}
