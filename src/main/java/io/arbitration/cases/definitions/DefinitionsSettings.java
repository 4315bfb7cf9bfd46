package io.arbitration.cases.definitions;

import io.arbitration.platform.config.Configuration;
import java.nio.file.Path;

/**
 * The definitions that cases follow.
 *
 * @param replace whether this node may serve with definitions that differ from those of the running nodes
 */
public record DefinitionsSettings(Path folder, boolean replace) {

    public static DefinitionsSettings read(Configuration c, Path home) {
        return new DefinitionsSettings(c.optional("definitions.folder").map(home::resolve).orElse(home.resolve("conf/definitions")),
                c.yesOrNo("definitions.replace"));
    }
}
