package io.arbitration.command;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Serves until the process gets a signal to stop. */
@Command(name = "run", description = "Serve. Settings: conf/platform.yaml, ACP_PROFILE, ACP_CONFIGURATION, ACP_….",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    @Override
    public Integer call() throws InterruptedException {
        Node node = Node.start(System.getenv());
        node.printReady();
        node.serve();
        return 0;
    }
}
