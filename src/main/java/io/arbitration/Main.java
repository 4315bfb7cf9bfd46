package io.arbitration;

import io.arbitration.command.ArbitrationCommand;
import io.arbitration.platform.keys.CryptoProvider;

/** The command line of the platform; {@code run} serves. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        CryptoProvider.installAhead();
        // Threads of Vert.x and of pools may still run; without this, the process would not end.
        System.exit(ArbitrationCommand.execute(arguments));
    }
}
