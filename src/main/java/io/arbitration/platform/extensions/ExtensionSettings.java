package io.arbitration.platform.extensions;

import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where an operator's own verticles are.
 *
 * @param folder that has a folder for each of them; empty: there are none
 * @param countMax how many are started; the others are named in health
 * @param patience how long one may take to start before it counts as one that does not run
 */
public record ExtensionSettings(Optional<Path> folder, int countMax, Duration patience) {

    public static ExtensionSettings read(Configuration c, Path home) {
        return new ExtensionSettings(c.optional("extensions.folder").map(home::resolve), c.whole("extensions.countMax", 1, 64),
                Duration.ofSeconds(c.whole("extensions.patienceSeconds", 1, 300)));
    }
}
