package io.arbitration.command;

import io.arbitration.platform.keys.KeySettings;
import io.arbitration.platform.keys.LocalKeyset;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Creates a keyset for nodes that cannot write one themselves, such as pods that read it from a Secret. */
@Command(name = "keyset", description = "Make a keyset in a file that only its owner can read; encrypted by the key service where keys.service names one.",
        mixinStandardHelpOptions = true)
final class KeysetCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "The file to write. An existing file is never overwritten.")
    private Path file;

    @Override
    public Integer call() {
        KeySettings configured = Node.settings(Node.environmentWith(Map.of())).keys();
        if (!LocalKeyset.make(new KeySettings(file, configured.service(), configured.patience()), Clock.systemUTC())) {
            throw new CommandFailure("%s exists already and is not overwritten: without this keyset, what it has encrypted would be lost".formatted(file));
        }
        return 0;
    }
}
