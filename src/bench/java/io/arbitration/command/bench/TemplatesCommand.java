package io.arbitration.command.bench;

import io.arbitration.pdfs.OwnClaim;
import io.arbitration.pdfs.OwnForms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes the PDF templates that the platform ships, and the document that its demo files. */
@Command(name = "templates", description = "Make the PDF templates of the platform and the claim of its demo.", mixinStandardHelpOptions = true)
final class TemplatesCommand implements Callable<Integer> {

    @Option(names = "--folder", defaultValue = "conf/templates/pdf", description = "Where they go (${DEFAULT-VALUE}).")
    private Path folder;

    @Option(names = "--claim", defaultValue = "src/main/resources/demo/statement-of-claim.pdf", description = "Where the claim goes (${DEFAULT-VALUE}).")
    private Path claim;

    @Override
    public Integer call() throws IOException {
        OwnForms.write(folder).forEach(System.out::println);
        OwnClaim.write(claim);
        System.out.println(claim);
        return 0;
    }
}
