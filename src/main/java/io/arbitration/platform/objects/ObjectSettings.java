package io.arbitration.platform.objects;

import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The storage of files.
 *
 * @param folder contains the buckets of scheme {@code file}, a folder each
 */
public record ObjectSettings(List<Bucket> buckets, Path folder, Optional<S3Settings> s3, Optional<S3Settings> gs) {

    public static ObjectSettings read(Configuration c, Path dataFolder) {
        List<Bucket> buckets = c.list("objects.buckets", Bucket.BOUND, Bucket::parse).stream().distinct().toList();
        return new ObjectSettings(buckets, dataFolder.resolve("objects"),
                S3Settings.read(c, "objects.s3", "https://s3.%s.amazonaws.com".formatted(c.required("objects.s3.region")), Bucket.Scheme.S3, buckets),
                S3Settings.read(c, "objects.gs", "https://storage.googleapis.com", Bucket.Scheme.GS, buckets));
    }
}
