package io.arbitration.command;

import io.arbitration.platform.keys.KeySettings;
import io.arbitration.platform.keys.LocalKeyset;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a keyset for nodes that cannot write one themselves, such as pods that read it from a Secret, and replaces its key step by step. */
@Command(name = "keyset", description = "Make a keyset in a file that only its owner can read, or replace its key; encrypted by the key service where keys.service names one.",
        mixinStandardHelpOptions = true)
final class KeysetCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "The file to write. An existing file is changed only by one of the three options.")
    private Path file;

    @ArgGroup(exclusive = true)
    private Replacement replacement;

    /** The steps by which the key is replaced. Each is to be on all nodes before the next. */
    private static final class Replacement {

        @Option(names = "--add-key", description = "First: add a key that does not encrypt yet.")
        private boolean adds;

        @Option(names = "--use-newest", description = "Then: let the newest key encrypt. Nodes that start with it encrypt stored values again.")
        private boolean uses;

        @Option(names = "--remove-others", description = "At last, a day later: remove the other keys.")
        private boolean removes;

        private LocalKeyset.Step step() {
            return adds ? LocalKeyset.Step.ADD_KEY : uses ? LocalKeyset.Step.USE_NEWEST : LocalKeyset.Step.REMOVE_OTHERS;
        }
    }

    @Override
    public Integer call() {
        KeySettings configured = Node.settings(Node.environmentWith(Map.of())).keys();
        KeySettings settings = new KeySettings(file, configured.service(), configured.patience());
        if (replacement != null) {
            LocalKeyset.change(settings, replacement.step(), Clock.systemUTC());
            return 0;
        }
        if (!LocalKeyset.make(settings, Clock.systemUTC())) {
            throw new CommandFailure("%s exists already and is not overwritten: without this keyset, what it has encrypted would be lost".formatted(file));
        }
        return 0;
    }
}
