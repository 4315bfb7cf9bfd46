package io.arbitration.cases.definitions;

import io.arbitration.cases.definitions.BrokenDefinition.Problem;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads a folder of definitions: parties.yaml, phases.yaml, evidence.yaml, mail-types.yaml, documents/ and rule-sets/.
 *
 * <p>Reads every file once, on the thread of the caller: for the start, not for an event loop.
 */
public final class DefinitionsLoader {
    private DefinitionsLoader() {
    }

    /**
     * The definitions of a folder. Fails with {@link BrokenDefinition}, which names file, place and reason of all
     * problems at once: first those within files, then, once there are none, those between files.
     */
    public static Definitions load(Path folder) {
        DefinitionFiles files = DefinitionFiles.read(folder);
        List<Problem> problems = CrossReferences.problems(files);
        if (!problems.isEmpty()) {
            throw new BrokenDefinition(problems);
        }
        return DefinitionsReader.definitions(files);
    }
}
