package io.arbitration.contracts;

import io.arbitration.platform.pipeline.ContractFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Writes each contract as JSON beside its YAML; run by the build. A node reads the JSON at its start ({@link ContractFile}). */
public final class ContractsAsJson {

    private static final String YAML = ".yaml";

    private ContractsAsJson() {}

    /** @param arguments the folder of the contracts among the compiled classes */
    public static void main(String[] arguments) throws IOException {
        for (Path contract : contracts(Path.of(arguments[0]))) {
            String name = contract.getFileName().toString();
            Files.writeString(contract.resolveSibling(name.substring(0, name.length() - YAML.length()) + ".json"), ContractFile.json(Files.readAllBytes(contract)));
        }
    }

    private static List<Path> contracts(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(YAML)).toList();
        }
    }
}
