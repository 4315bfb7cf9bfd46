package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.OtherRuntimes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image where an engine has it: {@code ./acp image-test} builds it, which takes too long for every run of the tests. */
class ImageIT {

    private static final String IMAGE = "arbitration-platform:1.0.0";

    @TempDir
    private Path folder;

    @Test
    void aNodeOfTheImageThatIsThereRunsAsItIsMeantTo() throws Exception {
        boolean engine = OtherRuntimes.runs("docker", "info");
        if (!engine) {
            System.out.println("skipped: no Docker engine answers (./acp image-test starts one, and builds and plays the image)");
        }
        assumeTrue(engine, "no Docker engine");
        boolean there = OtherRuntimes.runs("docker", "image", "inspect", IMAGE, IMAGE + "-without-browser");
        if (!there) {
            System.out.printf("skipped: the Docker engine has no image %s (./acp image-test --keep builds it)%n", IMAGE);
        }
        assumeTrue(there, "no image");
        Path printed = folder.resolve("printed");
        Process process = new ProcessBuilder("./acp", "image-test", "--built").redirectErrorStream(true).redirectOutput(printed.toFile()).start();
        try {
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroy();
        }
        assertThat(process.exitValue()).as(Files.readString(printed)).isZero();
    }
}
