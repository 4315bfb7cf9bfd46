package io.arbitration.console;

import io.arbitration.RunningPlatform;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What tests of the console begin with: the console in a browser, and the platform behind it. */
abstract class ConsoleScenario {

    @RegisterExtension
    static final RunningConsole CONSOLE = new RunningConsole();
    static RunningPlatform platform;

    @BeforeAll
    static void start() {
        platform = CONSOLE.platform();
    }

    /** As {@link RunningConsole#without}; afterwards {@link #platform} is the one that was started again. */
    static void withoutPlatform(Runnable act) {
        CONSOLE.without(act);
        platform = CONSOLE.platform();
    }
}
