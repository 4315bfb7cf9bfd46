package io.arbitration;

import io.arbitration.command.ArbitrationCommand;
import io.arbitration.platform.keys.CryptoProvider;

/** The command line of the platform; {@code run} serves. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        CryptoProvider.installAhead();
        // Vert.x and the pools leave threads behind that would hold the process: it ends with the command.
        System.exit(ArbitrationCommand.execute(arguments));
    }
}
