package io.arbitration.command;

import io.arbitration.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes the contracts of all areas into one document. No platform needs to run. */
@Command(name = "contract", description = "Write the contracts of all areas as one OpenAPI document.", mixinStandardHelpOptions = true)
final class ContractCommand implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "The file to write, as YAML.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Platform.contract());
        return 0;
    }
}
