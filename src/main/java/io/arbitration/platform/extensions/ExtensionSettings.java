package io.arbitration.platform.extensions;

import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of an operator's own verticles.
 *
 * @param folder that contains a folder for each of them; empty: there are none
 * @param countMax how many are started; health names the others
 * @param patience how long the start of one may take before it is reported as not running
 */
public record ExtensionSettings(Optional<Path> folder, int countMax, Duration patience) {

    public static ExtensionSettings read(Configuration c, Path home) {
        return new ExtensionSettings(c.optional("extensions.folder").map(home::resolve), c.whole("extensions.countMax", 1, 64),
                Duration.ofSeconds(c.whole("extensions.patienceSeconds", 1, 300)));
    }
}
