package io.arbitration;

import io.arbitration.command.ArbitrationCommand;

/** The command line of the platform; {@code run} serves. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        // Vert.x and the pools leave threads behind that would hold the process: it ends with the command.
        System.exit(ArbitrationCommand.execute(arguments));
    }
}
