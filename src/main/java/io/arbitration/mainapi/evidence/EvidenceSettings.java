package io.arbitration.mainapi.evidence;

import io.arbitration.domain.evidence.EvidenceBounds;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.objects.Bucket;
import java.util.List;
import java.util.Optional;

/**
 * The settings of evidence and its files.
 *
 * @param bucket where files are stored
 * @param transfersMax concurrent uploads and downloads on this node
 * @param transfersPerCaller by one caller
 * @param bounds the bounds of evidence
 */
public record EvidenceSettings(Bucket bucket, long uploadBytesMax, int transfersMax, int transfersPerCaller, EvidenceBounds bounds) {

    public static EvidenceSettings read(Configuration c, List<Bucket> buckets) {
        Optional<Bucket> named = c.optional("evidence.bucket", Bucket.BOUND, Bucket::parse);
        Bucket bucket = named.or(() -> buckets.stream().findFirst()).orElseThrow(
                () -> ConfigurationError.outOfBounds("objects.buckets", "(empty)", "evidence needs one"));
        if (!buckets.contains(bucket)) {
            throw ConfigurationError.outOfBounds("evidence.bucket", bucket, "one of objects.buckets");
        }
        return new EvidenceSettings(bucket, c.whole("evidence.uploadBytesMax", 1024L, 17_179_869_184L), c.whole("evidence.transfersMax", 1, 10_000),
                c.whole("evidence.transfersPerCaller", 1, 10_000), bounds(c));
    }

    private static EvidenceBounds bounds(Configuration c) {
        long ofCase = c.whole("evidence.caseBytesMax", 1024L, 1L << 50);
        long ofParty = c.whole("evidence.partyBytesMax", 0L, 1L << 50);
        if (ofParty > ofCase) {
            throw ConfigurationError.outOfBounds("evidence.partyBytesMax", ofParty, "at most evidence.caseBytesMax (%d)".formatted(ofCase));
        }
        return new EvidenceBounds(c.whole("evidence.uploadsPerPartyMax", 1, 1_000_000), ofCase,
                ofParty == 0 ? EvidenceBounds.usualPartyBytesMax(ofCase) : ofParty, c.whole("evidence.userBytesMax", 1024L, 1L << 50));
    }
}
