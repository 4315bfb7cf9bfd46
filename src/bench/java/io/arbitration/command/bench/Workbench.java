package io.arbitration.command.bench;

import io.arbitration.command.ArbitrationCommand;
import io.arbitration.platform.keys.CryptoProvider;
import picocli.CommandLine.Command;

/** The command line of what is not shipped: benchmarks, and the maker of the PDF templates. */
@Command(name = "acp", mixinStandardHelpOptions = true, subcommands = {BenchCommand.class, AbuseBench.class, AttackProcess.Attacker.class, TemplatesCommand.class})
public final class Workbench {

    private Workbench() {}

    public static void main(String[] arguments) {
        CryptoProvider.installAhead();
        System.exit(ArbitrationCommand.execute(new Workbench(), arguments));
    }
}
