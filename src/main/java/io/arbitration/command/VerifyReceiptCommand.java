package io.arbitration.command;

import io.arbitration.domain.hash.ContentHash;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verifies the receipt of a filing. Needs no network when the keys are in a file. */
@Command(name = "verify-receipt", description = "Verify the receipt of a filing. Exit code 0: it is valid; 1: it is not.",
        mixinStandardHelpOptions = true)
final class VerifyReceiptCommand implements Callable<Integer> {

    static final String TYPE = "filing-receipt+jws";

    @Parameters(paramLabel = "FILE", description = "The receipt, or the answer of /filings/receipt; - for standard input.")
    private String file;

    @Option(names = "--keys", paramLabel = "FILE|URL",
            description = "The published keys (JWKS). Without: those that the issuer named in the receipt publishes now.")
    private String keys;

    @Option(names = "--filing", paramLabel = "FILE",
            description = "The filing, as /filings/view answers it: checks that the receipt is of this content.")
    private String filing;

    @Spec
    private CommandSpec command;

    @Override
    public Integer call() {
        JsonObject payload = new SignedStatement(compact(Inputs.text(file)), TYPE).verifiedPayload(Optional.ofNullable(keys));
        if (filing != null) {
            JsonObject viewed = Inputs.json(filing);
            checkContent(payload, viewed);
            checkFiles(payload, viewed);
        }
        print(payload);
        return 0;
    }

    /** Accepts the receipt alone, or the JSON answer that contains it. */
    private static String compact(String text) {
        String stripped = text.strip();
        return stripped.startsWith("{") ? Inputs.json(stripped, "the receipt").getString("receipt", "") : stripped;
    }

    private static void checkContent(JsonObject payload, JsonObject filing) {
        String actual = ContentHash.of(filing.getMap(), ContentHash.FILING_MEMBERS);
        if (!actual.equals(payload.getString("contentHash"))) {
            throw new CommandFailure("the receipt is of other content: it states %s, the filing has %s"
                    .formatted(payload.getString("contentHash"), actual));
        }
    }

    /** A receipt from before filings had files has no files. */
    private static void checkFiles(JsonObject payload, JsonObject filing) {
        JsonArray stated = payload.getJsonArray("files", new JsonArray());
        List<Object> actual = filing.getJsonArray("files", new JsonArray()).stream().map(file -> ((JsonObject) file).getValue("sha256")).toList();
        if (!stated.getList().equals(actual)) {
            throw new CommandFailure("the receipt is of other files: it states %s, the filing has %s".formatted(stated.encode(), new JsonArray(actual).encode()));
        }
    }

    private void print(JsonObject payload) {
        PrintWriter out = command.commandLine().getOut();
        out.println("The receipt is valid.");
        payload.forEach(member -> out.printf("  %-12s %s%n", member.getKey(), member.getValue()));
        out.println(filing == null
                ? "  The content was not compared; --filing FILE does it."
                : "  The filing has the content that the receipt states.");
        out.flush();
    }
}
