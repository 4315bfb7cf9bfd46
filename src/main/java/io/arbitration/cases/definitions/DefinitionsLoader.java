package io.arbitration.cases.definitions;

import io.arbitration.cases.definitions.InvalidDefinition.Problem;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.hash.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loads a folder of definitions: parties.yaml, phases.yaml, evidence.yaml, mail-types.yaml, documents/ and rule-sets/.
 *
 * <p>Reads every file once, on the thread of the caller: for the start, not for an event loop.
 */
public final class DefinitionsLoader {
    private DefinitionsLoader() {
    }

    /**
     * The definitions in a folder. Fails with {@link InvalidDefinition}, which names file, position and reason of all problems
     * together: first those within files, then, if there are none, those between files.
     */
    public static Definitions load(Path folder) {
        DefinitionFiles files = DefinitionFiles.read(folder);
        List<Problem> problems = CrossReferences.problems(files);
        if (!problems.isEmpty()) {
            throw new InvalidDefinition(problems);
        }
        return DefinitionsReader.definitions(files);
    }

    /**
     * The rules in a folder of definitions, with the holidays of this year and the next ones computed. Fails like {@link #load}.
     */
    public static CaseRules rules(Path folder, Clock clock) {
        return CaseRules.of(load(folder), JollydayCalendars.computedFrom(clock));
    }

    /** Equal for folders with the same files, byte for byte, and different otherwise. */
    public static String fingerprint(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            MessageDigest digest = Sha256.digest();
            for (Path file : all.filter(Files::isRegularFile).filter(file -> file.toString().endsWith(".yaml")).sorted().toList()) {
                byte[] content = Files.readAllBytes(file);
                digest.update("%s %d ".formatted(folder.relativize(file), content.length).getBytes(StandardCharsets.UTF_8));
                digest.update(content);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException failed) {
            throw new IllegalStateException("%s cannot be read".formatted(folder), failed);
        }
    }
}
