package io.arbitration.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.PlatformProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short proof that no attack makes a call of an honest caller fail; {@code ./acp abuse} plays each whole and judges how slow the calls are. */
class AbuseIT {

    /** Against a hang alone. */
    private static final int WAIT_SECONDS = 900;

    @TempDir
    private Path folder;

    @TestFactory
    @Timeout(value = WAIT_SECONDS + 60, unit = TimeUnit.SECONDS)
    Stream<DynamicTest> noCallOfAnHonestCallerFailsBesideAnAttack() throws Exception {
        List<String> command = new ArrayList<>(PlatformProgram.bench(PlatformProgram.USUAL_HEAP_MEGABYTES));
        // An attack that reached nothing beside other tests is played again, a failed call counts at once.
        command.addAll(List.of("abuse", "--quick", "--together", "4", "--tries", "3"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("output").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ACP_") || name.equals("JAVA_TOOL_OPTIONS"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).as("ends by itself").isTrue();
        } finally {
            process.destroy();
        }
        List<String> printed = Files.readAllLines(folder.resolve("output"));
        return Attacks.all().stream().map(attack -> DynamicTest.dynamicTest(attack.name() + ": " + attack.what(), () ->
                assertThat(printed).anyMatch(line -> line.startsWith(attack.name() + "  ") && line.endsWith(": held"))));
    }
}
