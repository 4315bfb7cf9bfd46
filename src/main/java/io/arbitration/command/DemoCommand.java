package io.arbitration.command;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts a platform in the demo profile and plays a complete case over HTTP, printing each step. */
@Command(name = "demo", description = "Play a whole case over HTTP on a platform in the demo profile, then keep serving.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {

    @Option(names = "--once", description = "Stop after the case.")
    private boolean once;

    @Option(names = "--ai", description = "Also have a model analyse a document and draft an award. The model is the one at ACP_AI_BASE_URL, or else a small one that dev/local-model installs and starts on this machine.")
    private boolean ai;

    @Override
    public Integer call() throws InterruptedException {
        try (Node node = Node.start(Node.environmentWith(Map.of("ACP_PROFILE", "demo")))) {
            if (ai && node.settings().ai().model().isEmpty()) {
                throw new CommandFailure("--ai: no model is configured; ACP_AI_BASE_URL names its endpoint");
            }
            node.printReady();
            DemoCase.Ending ending;
            try (DemoClient client = new DemoClient(node::url, System.out::println)) {
                ending = new DemoCase(client, node.settings().emails().smtp().url().isEmpty()).play();
                if (ai) {
                    new DemoAnalysis(client, ending).play();
                }
            }
            System.out.println("\nThe case is on the docket, and the docket is valid.");
            if (!once) {
                printNext(node, ending);
                node.serve();
            }
            return 0;
        }
    }

    private static void printNext(Node node, DemoCase.Ending ending) {
        System.out.println("\nStill serving, until Ctrl-C:");
        node.printAddresses();
        System.out.printf("%nThe docket again, as Clara, for the next %d minutes:%n%n",
                node.settings().identity().accessToken().toMinutes());
        System.out.printf("curl -sS %s/docket/entries/list -H 'Content-Type: application/json' -H 'Authorization: Bearer %s' -d '{\"caseID\":\"%s\"}'%n",
                node.url("api"), ending.claimant().token(), ending.caseId());
    }
}
