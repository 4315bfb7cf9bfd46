package io.arbitration.command;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verifies the export of a case. Needs no network when the keys are in a file. */
@Command(name = "verify-export", mixinStandardHelpOptions = true,
        description = "Verify the export of a case. Exit code 0: it is valid; 1: it is not; 2: it could not be checked.")
final class VerifyExportCommand implements Callable<Integer> {

    private static final int DOES_NOT_HOLD = 1;
    private static final int NOT_CHECKED = 2;
    private static final int SHOWN_MAX = 20;

    @Parameters(paramLabel = "FILE", description = "The export, as /cases/export answered it.")
    private Path file;

    @Option(names = "--keys", paramLabel = "FILE|URL",
            description = "The published keys (JWKS). Without: those that the issuer named in the export publishes now.")
    private String keys;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() {
        ExportVerification verification = new ExportVerification(Optional.ofNullable(keys));
        try {
            verification.verify(file);
        } catch (CommandFailure | IOException notChecked) {
            command.commandLine().getErr().println("acp: %s could not be checked: %s".formatted(file, notChecked.getMessage()));
            return NOT_CHECKED;
        }
        List<String> problems = verification.problems();
        if (problems.isEmpty()) {
            print(verification);
            return 0;
        }
        PrintWriter err = command.commandLine().getErr();
        err.println("acp: the export is not valid: %s".formatted(problems.size() == 1 ? problems.getFirst() : problems.size() + " faults"));
        if (problems.size() > 1) {
            problems.stream().limit(SHOWN_MAX).forEach(problem -> err.println("  " + problem));
        }
        if (problems.size() > SHOWN_MAX) {
            err.println("  and %d more".formatted(problems.size() - SHOWN_MAX));
        }
        err.flush();
        return DOES_NOT_HOLD;
    }

    private void print(ExportVerification verification) {
        JsonObject signed = verification.statement();
        PrintWriter out = command.commandLine().getOut();
        out.printf("The export is valid: case %s, exported %s by %s: %s docket entries up to %s, %d files, signed by %s.%n",
                signed.getString("caseID"), signed.getString("exportedAt"), signed.getString("userID"), signed.getValue("entries"),
                signed.getString("headHash"), verification.files(), signed.getString("iss"));
        if (verification.docket().withheld() > 0) {
            out.printf("%d docket entries are sealed and withheld from the person who exported; only their links in the chain are verified.%n", verification.docket().withheld());
        }
        if (verification.docket().redacted() > 0) {
            out.printf("%d files were redacted after they were filed; the docket has the hashes of the originals.%n", verification.docket().redacted());
        }
        out.flush();
    }
}
