package io.arbitration.mainapi.evidence;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.OtherRuntimes;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Evidence in a bucket of a server that others use in production: Versity's gateway, which keeps objects as files of a folder. */
class S3GatewayIT {

    private static final String GATEWAY = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";

    @TempDir
    private Path folder;

    @Test
    void filesGoUpAndDownAndTheStoreMayGoAwayAndChangeItsCredentials() throws Exception {
        assumeTrue(OtherRuntimes.counterparts("Versity's S3 gateway"), "left to ./acp counterparts");
        Optional<Path> program = OtherRuntimes.go(GATEWAY);
        assumeTrue(program.isPresent(), "no versitygw");
        try (BucketProgram gateway = new BucketProgram(folder, (port, secret, buckets) -> new ProcessBuilder(program.get().toString(), "--access", "platform",
                "--secret", secret, "--port", "127.0.0.1:" + port, "posix", buckets.toString()))) {
            gateway.checkUploadsThroughOutagesAndChangedCredentials();
        }
    }
}
