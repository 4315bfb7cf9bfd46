package io.arbitration.command.bench;

import io.arbitration.pdfs.OwnForms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes the PDF templates that the platform ships. */
@Command(name = "templates", description = "Make the PDF templates of the platform.", mixinStandardHelpOptions = true)
final class TemplatesCommand implements Callable<Integer> {

    @Option(names = "--folder", defaultValue = "conf/templates/pdf", description = "Where they go (${DEFAULT-VALUE}).")
    private Path folder;

    @Override
    public Integer call() throws IOException {
        OwnForms.write(folder).forEach(System.out::println);
        return 0;
    }
}
