package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Schemathesis reads each contract and plays it against a platform, signed in as a super administrator: what it makes of the
 * schemas, inside and outside of them, and, in every other request that is inside, what there is on the platform, asked for by
 * somebody who may ({@link FuzzPlays}). {@code ./acp fuzz} lets it play longer.
 */
class FuzzIT {

    private static final String PACKAGE = "schemathesis==4.32.5";
    private static final String EXAMPLES = System.getProperty("fuzz.examples", "3");
    /** The same in every ordinary run, so that what one finds the next one finds. */
    private static final String SEED = System.getProperty("fuzz.seed", "1");
    /** One of them alone, while a fault is looked for. */
    private static final String CONTRACTS = System.getProperty("fuzz.contracts", ".+");
    private static final int MINUTES_MAX = 20;
    /** 413, 414 for a long address and 431 for long headers are refusals, too; and 503 says, here, that a model or a browser is not there. */
    private static final String SETTINGS = """
            [checks.negative_data_rejection]
            expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "410", "412", "413", "414", "415", "422", "428", "429", "431", "5xx"]

            [checks.not_a_server_error]
            expected-statuses = ["2xx", "3xx", "4xx", "503"]
            """;

    /** What no request of the run can have answered with a 2xx, and why. */
    private static final Map<String, String> UNREACHED = Map.ofEntries(
            Map.entry("addOrganizationMember", "has gone: everybody is answered 410"),
            Map.entry("finishBrowserSignIn", "needs a sign-in of the same browser"),
            Map.entry("logOutByProvider", "needs a provider that logs somebody out"),
            Map.entry("issueDemoTokens", "needs a code of the demo provider"),
            Map.entry("signInBrowser", "answers with a way to the provider"),
            Map.entry("readCalendarFeed", "needs a secret address"),
            Map.entry("authorizeInDemo", "needs the callback of this platform"),
            Map.entry("createNoticeAttachment", "needs a browser and a public page"),
            Map.entry("generateAward", "needs a model"),
            Map.entry("sendWebPushToSubscription", "needs the push service of a browser"),
            Map.entry("uploadFilingFile", "needs a PDF as well"),
            Map.entry("redactDocketEntry", "needs a PDF as well"),
            Map.entry("uploadPdfTemplate", "needs a PDF, and Schemathesis takes a form with bytes put into it for a wrong one"));

    @TempDir
    private static Path folder;
    /** Schemathesis without its script, which names the folder in which it was installed: the folder may have been moved since. */
    private static List<String> program;
    private static Path plays;
    /** Of its own: what is thrown at it must not meet other tests. */
    private static RunningPlatform platform;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        Optional<Path> python = OtherRuntimes.python(PACKAGE);
        Assumptions.assumeTrue(python.isPresent(), "no Python with " + PACKAGE);
        program = List.of(python.get().toString(), "-c", "from schemathesis.cli import schemathesis; schemathesis(prog_name='schemathesis')");
        platform = RunningPlatform.start(folder.resolve("data"), Map.of("ACP_OUTBOUND_ALLOWED_PRIVATE", "127.0.0.0/8"));
        plays = Files.writeString(folder.resolve("plays.json"), FuzzPlays.on(platform).encode());
    }

    @AfterAll
    static void stop() {
        if (platform != null) {
            platform.close();
        }
    }

    static Stream<String> contracts() {
        return Areas.CONTRACTS.stream().filter(contract -> contract.matches(CONTRACTS));
    }

    @ParameterizedTest
    @MethodSource("contracts")
    void nothingOutsideOfTheContractIsAnsweredOrAccepted(String contract) throws Exception {
        String token = platform.signIn("admin@demo.example", "Ada", "Admin").token();
        Path settings = Files.writeString(folder.resolve("schemathesis.toml"), SETTINGS);
        Path printed = folder.resolve(contract + ".log");
        Path answers = folder.resolve(contract + ".answers");
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(program.stream(), Stream.of("--config-file", settings.toString(), "run",
                platform.url() + "/openapi/" + contract + ".yaml", "--url", platform.url() + prefix(contract),
                "--header", "Authorization: Bearer " + token, "--phases", "examples,coverage,fuzzing", "--max-examples", EXAMPLES,
                "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection",
                "--generation-database", "none", "--continue-on-failure", "--no-color", "--workers", "1", "--seed", SEED)).toList())
                .directory(folder.toFile()).redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.environment().putAll(Map.of("FUZZ_URL", platform.url(), "FUZZ_PLAYS", plays.toString(), "FUZZ_ANSWERS", answers.toString(),
                "SCHEMATHESIS_HOOKS", Path.of("src/test/resources/fuzz/hooks.py").toAbsolutePath().toString()));
        Process process = OtherRuntimes.compilingOnce(builder).start();
        try {
            assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).as("ends by itself").isTrue();
        } finally {
            process.destroy();
        }
        SoftAssertions.assertSoftly(all -> {
            all.assertThat(process.exitValue()).as(() -> found(printed)).isZero();
            all.assertThat(printed).content().containsPattern("(?m)^ +[1-9]\\d+ generated, \\d+ passed");
            all.assertThat(unreached(answers)).as("operations without a 2xx").isEmpty();
        });
    }

    /** The operations that were asked for and never answered with a 2xx, each with how it was answered, but for those that cannot be. */
    private static Map<String, Set<String>> unreached(Path answers) {
        Map<String, Set<String>> statuses = new TreeMap<>();
        for (String line : contentOf(answers.toFile()).lines().toList()) {
            String[] words = line.split(" ");
            statuses.computeIfAbsent(words[0], operation -> new TreeSet<>()).add(words[1]);
        }
        statuses.keySet().removeAll(UNREACHED.keySet());
        statuses.values().removeIf(of -> of.stream().anyMatch(status -> status.startsWith("2")));
        return statuses;
    }

    private static String prefix(String contract) {
        return switch (contract) {
            case "identity" -> "/auth";
            case "main" -> "/api";
            default -> "/" + contract;
        };
    }

    /** What it prints of a body may be a megabyte long. */
    private static String found(Path printed) {
        try (Stream<String> lines = Files.lines(printed)) {
            return String.join("\n", lines.map(line -> line.length() > 500 ? line.substring(0, 500) + " …" : line).limit(300).toList());
        } catch (IOException failed) {
            return failed.toString();
        }
    }
}
