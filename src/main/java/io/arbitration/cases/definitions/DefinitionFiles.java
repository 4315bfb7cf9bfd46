package io.arbitration.cases.definitions;

import io.arbitration.cases.definitions.InvalidDefinition.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of a folder of definitions, each read once and valid by its schema.
 *
 * @param documents by file name
 * @param ruleSets by file name
 */
record DefinitionFiles(
        DefinitionFile parties,
        DefinitionFile phases,
        DefinitionFile evidence,
        DefinitionFile mailTypes,
        List<DefinitionFile> documents,
        List<DefinitionFile> ruleSets) {
    /** Fails with InvalidDefinition, with the problems of all files together. */
    static DefinitionFiles read(Path folder) {
        return new Reading(folder).files();
    }

    /** Reads every file even if one is broken, so that all problems are reported together. */
    private static final class Reading {
        private final Path folder;
        private final Set<String> known = new HashSet<>();
        private final Map<DefinitionKind, DefinitionSchema> schemas = new EnumMap<>(DefinitionKind.class);
        private final List<Problem> problems = new ArrayList<>();

        Reading(Path folder) {
            this.folder = folder;
        }

        DefinitionFiles files() {
            DefinitionFile parties = list("parties.yaml", DefinitionKind.PARTIES);
            DefinitionFile phases = list("phases.yaml", DefinitionKind.PHASES);
            DefinitionFile evidence = list("evidence.yaml", DefinitionKind.EVIDENCE);
            DefinitionFile mailTypes = list("mail-types.yaml", DefinitionKind.MAIL_TYPES);
            List<DefinitionFile> documents = subfolder("documents", DefinitionKind.DOCUMENT);
            List<DefinitionFile> ruleSets = subfolder("rule-sets", DefinitionKind.RULE_SET);
            names("").stream().filter(name -> !known.contains(name)).forEach(this::refuse);
            if (!problems.isEmpty()) {
                throw new InvalidDefinition(problems);
            }
            return new DefinitionFiles(parties, phases, evidence, mailTypes, documents, ruleSets);
        }

        private DefinitionFile list(String name, DefinitionKind kind) {
            known.add(name);
            return read(name, kind).orElse(null);
        }

        private List<DefinitionFile> subfolder(String name, DefinitionKind kind) {
            known.add(name);
            List<DefinitionFile> files = new ArrayList<>();
            List<String> children = names(name);
            if (children.isEmpty()) {
                problems.add(new Problem(name, "", 0, "holds no definition"));
            }
            for (String child : children) {
                if (child.endsWith(".yaml")) {
                    read(name + "/" + child, kind).ifPresent(files::add);
                } else {
                    refuse(name + "/" + child);
                }
            }
            return files;
        }

        private Optional<DefinitionFile> read(String name, DefinitionKind kind) {
            try {
                DefinitionFile file = DefinitionFile.read(folder, name);
                problems.addAll(schemas.computeIfAbsent(kind, DefinitionSchema::new).problems(file));
                return Optional.of(file);
            } catch (InvalidDefinition broken) {
                problems.addAll(broken.problems());
                return Optional.empty();
            }
        }

        /** A file with a wrong name would be a definition that is silently ignored. */
        private void refuse(String name) {
            problems.add(new Problem(name, "", 0, "is not the name of a definition file"));
        }

        /** The entries of a subfolder, in order, without hidden ones, which mounts and desktops create. */
        private List<String> names(String subfolder) {
            try (Stream<Path> children = Files.list(folder.resolve(subfolder))) {
                return children.map(child -> child.getFileName().toString())
                        .filter(name -> !name.startsWith("."))
                        .sorted()
                        .toList();
            } catch (NoSuchFileException missing) {
                problems.add(new Problem(subfolder.isEmpty() ? folder.toString() : subfolder, "", 0, "is missing"));
                return List.of();
            } catch (IOException unreadable) {
                problems.add(new Problem(subfolder, "", 0, "cannot be read: " + unreadable));
                return List.of();
            }
        }
    }
}
