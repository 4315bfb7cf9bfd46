package io.arbitration.command;

import io.arbitration.platform.StartFailure;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands of {@code ./acp}. Without a command the platform is started, as by {@code run}. */
@Command(name = "acp", description = "The arbitration case platform.", mixinStandardHelpOptions = true,
        subcommands = {RunCommand.class, DemoCommand.class, TrainCommand.class, VerifyReceiptCommand.class,
        VerifyExportCommand.class, ContractCommand.class, KeysetCommand.class, PlayCommand.class})
public final class ArbitrationCommand {

    private ArbitrationCommand() {}

    /** Runs the command that the arguments name and returns the exit code of the process. */
    public static int execute(String... arguments) {
        String[] given = arguments.length == 0 ? new String[] {"run"} : arguments;
        return execute(new ArbitrationCommand(), given);
    }

    /** Runs one of other commands, for instance those of the benchmarks, which are not part of the product. */
    public static int execute(Object commands, String... arguments) {
        return new CommandLine(commands)
                .setExecutionExceptionHandler((failure, line, parsed) -> failed(failure, line))
                .execute(arguments);
    }

    /** A failure that the user can repair is printed as one message. Any other failure is a defect and is printed with its stack trace. */
    private static int failed(Exception failure, CommandLine line) {
        switch (failure) {
            case StartFailure start -> {
                line.getErr().println("acp: " + start.getMessage());
                return start.exitCode();
            }
            case CommandFailure step -> {
                line.getErr().println("acp: " + step.getMessage());
                return StartFailure.FAILED;
            }
            default -> {
                failure.printStackTrace(line.getErr());
                return StartFailure.FAILED;
            }
        }
    }
}
