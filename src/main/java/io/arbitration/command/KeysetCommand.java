package io.arbitration.command;

import io.arbitration.platform.keys.KeySettings;
import io.arbitration.platform.keys.LocalKeyset;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes the keyset of nodes that get it from elsewhere and cannot write it, such as pods with a Secret. */
@Command(name = "keyset", description = "Make a keyset in a file that only its owner can read; encrypted by the key service where keys.service names one.",
        mixinStandardHelpOptions = true)
final class KeysetCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "Where it goes. One that is there already stays as it is.")
    private Path file;

    @Override
    public Integer call() {
        KeySettings configured = Node.settings(Node.environmentWith(Map.of())).keys();
        if (!LocalKeyset.make(new KeySettings(file, configured.service(), configured.patience()), Clock.systemUTC())) {
            throw new StepFailed("%s is there already: what a keyset has encrypted is lost without it, so none takes its place".formatted(file));
        }
        return 0;
    }
}
