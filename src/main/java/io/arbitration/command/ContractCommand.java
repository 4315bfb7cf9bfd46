package io.arbitration.command;

import io.arbitration.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes the contracts of all areas in one document, without a platform that runs. */
@Command(name = "contract", description = "Write the contracts of all areas as one OpenAPI document.", mixinStandardHelpOptions = true)
final class ContractCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "Where it goes, in YAML.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Platform.contract());
        return 0;
    }
}
