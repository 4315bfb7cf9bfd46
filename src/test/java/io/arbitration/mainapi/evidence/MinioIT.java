package io.arbitration.mainapi.evidence;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.OtherRuntimes;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evidence in a bucket of MinIO, built from its source. */
class MinioIT {

    private static final String MINIO = "github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c";

    @TempDir
    private Path folder;

    @Test
    void filesGoUpAndDownAndTheStoreMayGoAwayAndChangeItsCredentials() throws Exception {
        Optional<Path> program = OtherRuntimes.largeGo(MINIO);
        assumeTrue(program.isPresent(), "no MinIO");
        try (BucketProgram minio = new BucketProgram(folder, (port, secret, buckets) -> {
            ProcessBuilder command = new ProcessBuilder(program.get().toString(), "server", "--quiet", "--address", "127.0.0.1:" + port, buckets.toString());
            command.environment().putAll(Map.of("MINIO_ROOT_USER", "platform", "MINIO_ROOT_PASSWORD", secret, "MINIO_BROWSER", "off"));
            return command;
        })) {
            minio.checkUploadsThroughOutagesAndChangedCredentials();
        }
    }
}
