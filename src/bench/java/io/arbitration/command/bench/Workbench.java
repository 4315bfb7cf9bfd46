package io.arbitration.command.bench;

import io.arbitration.command.ArbitrationCommand;
import io.arbitration.platform.keys.CryptoProvider;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Command;

/** The command line of what is not shipped: benchmarks, and the maker of the PDF templates. */
@Command(name = "acp", mixinStandardHelpOptions = true, subcommands = {BenchCommand.class, AbuseBench.class, AttackProcess.Attacker.class, BenchTurns.class, TemplatesCommand.class})
public final class Workbench {

    private Workbench() {}

    public static void main(String[] arguments) {
        CryptoProvider.installAhead();
        if (arguments.length > 1 && arguments[0].equals("bench") && Collections.disjoint(List.of(arguments), List.of("all", "compare", "--help", "--quick"))) {
            Noise.begin();
        }
        System.exit(ArbitrationCommand.execute(new Workbench(), arguments));
    }
}
