package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The guide to generated clients, run as it stands: each client is generated, built, and plays a case against the platform. */
class ClientsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final Path GUIDE = Path.of("docs/guides/generate-a-client.md");
    private static final Pattern SHELL = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
    private static final int MINUTES_MAX = 4;
    private static final int CASES = 1_000;
    private static final int CALLERS = 8;
    /** A language of the guide: what it is built with, and what that says where its registry cannot be reached. */
    private enum Language {
        JAVA("Java", "Could not transfer artifact|in offline mode", "mvn", "--version"),
        TYPESCRIPT("TypeScript", "ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT", "npm", "--version"),
        PYTHON("Python", "Failed to establish a new connection|Connection refused|Name or service not known", "python3", "-c", "import ensurepip, venv"),
        GO("Go", "dial tcp|toolchain not available", "go", "version");

        private final String heading;
        private final Pattern unreachable;
        private final String[] probe;

        Language(String heading, String unreachable, String... probe) {
            this.heading = heading;
            this.unreachable = Pattern.compile(unreachable);
            this.probe = probe;
        }
    }

    private record Ended(int code, String output) {}

    @TempDir
    private static Path folder;
    private static boolean fetched;

    @BeforeAll
    static void generate() throws Exception {
        Ended ended = run(SHELL.matcher(Files.readString(GUIDE)).results().findFirst().orElseThrow().group(1));
        fetched = ended.code() == 0 || !skipped(Language.JAVA, ended);
        Assumptions.assumeTrue(fetched, "no registry for OpenAPI Generator");
        assertThat(ended.code()).as(ended.output()).isZero();
        haveCases();
    }

    /** Of whom the programs have every case listed. */
    private static String claimant() {
        return PLATFORM.signIn("clara@clients.example", "Clara", "Claimant").token();
    }

    private static void haveCases() throws Exception {
        String token = claimant();
        JsonObject wanted = new JsonObject().put("title", "Cranes v. Quarry").put("ruleSet", "commercial");
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<Future<Integer>> created = callers.invokeAll(Collections.nCopies(CASES, () -> PLATFORM.post("/cases/cases/create", wanted, token).status()));
            for (Future<Integer> status : created) {
                assertThat(status.get()).isEqualTo(200);
            }
        }
    }

    /** The block of a language, of the guide as it stands but for the address of the platform. */
    private static String block(Language language) throws IOException {
        String guide = Files.readString(GUIDE);
        Matcher block = SHELL.matcher(guide);
        assertThat(block.find(guide.indexOf("\n## " + language.heading + "\n"))).isTrue();
        return block.group(1);
    }

    private static Ended run(String script) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "run", ".log");
        ProcessBuilder builder = new ProcessBuilder("bash", "-eu", "-c", script.replace("http://localhost:8080", PLATFORM.url()))
                .redirectErrorStream(true).redirectOutput(output.toFile()).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        String java = System.getProperty("java.home");
        builder.environment().put("JAVA_HOME", java);
        builder.environment().merge("PATH", java + "/bin", (path, ours) -> ours + ":" + path);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        // Briefly: programs that run once, and packages that were fetched before.
        builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        builder.environment().put("npm_config_prefer_offline", "true");
        // A package of an earlier run has the same name and version, and other bytes.
        builder.environment().put("npm_config_force", "true");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).as("ends by itself").isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), new String(Files.readAllBytes(output), StandardCharsets.UTF_8));
    }

    private static boolean skipped(Language language, Ended ended) {
        boolean unreachable = language.unreachable.matcher(ended.output()).find();
        if (unreachable) {
            System.out.printf("skipped: no registry for the %s client from this machine: %s%n", language.heading, ended.output());
        }
        return unreachable;
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void theGeneratedClientPlaysTheDemoCase(Language language) throws Exception {
        boolean here = OtherRuntimes.runs(language.probe);
        if (!here) {
            System.out.printf("skipped: nothing to build the %s client with on this machine (tried %s)%n", language.heading, String.join(" ", language.probe));
        }
        Assumptions.assumeTrue(here, "no tools for " + language.heading);
        Ended ended = run(block(language));
        Assumptions.assumeTrue(ended.code() == 0 || !skipped(language, ended), "no registry for " + language.heading);
        assertThat(ended.code()).as(ended.output()).isZero();
        Matcher caseId = Pattern.compile("case ([0-9a-f-]{36})\n").matcher(ended.output());
        assertThat(caseId.find()).as(ended.output()).isTrue();
        assertThat(ended.output()).containsSubsequence(
                "filed ", ".pdf of 2 pages",
                "Document successfully submitted.",
                "refused with 409: document is already submitted for approval\n",
                "Document successfully approved.",
                "docket entry ", ": statementOfClaim of 20",
                "docket valid: true\n",
                "webhook verified: docket_filing of statementOfClaim\n",
                "cases: 1");
        Matcher cases = Pattern.compile("cases: (\\d+)\n").matcher(ended.output());
        assertThat(cases.find()).isTrue();
        assertThat(Integer.parseInt(cases.group(1))).as("of more than one page").isGreaterThan(CASES);
        assertThat(ended.output()).containsSubsequence(
                "filled form: %PDF-\n",
                "the same bytes: true\n",
                "Webhook URL deleted.");
        checkPlayed(caseId.group(1));
        if (language == Language.PYTHON || language == Language.GO) {
            checkLibrary(language);
        }
        if (language == Language.PYTHON) {
            // The others are generated so by a setting; this one by a change of its template.
            Ended newer = run("target/clients/python/venv/bin/python -c 'import arbitration_client as acp; state = acp.FilingState(\"archived\"); "
                    + "print(state.value, state == acp.FilingState.DRAFT, acp.FilingState(\"draft\") is acp.FilingState.DRAFT)'");
            assertThat(newer.output()).isEqualTo("archived False True\n");
        }
    }

    /** A program tries what is written by hand, with the package installed from its file into an empty project. */
    private static void checkLibrary(Language language) throws Exception {
        if (language == Language.GO) {
            GoModule.publish(Path.of("target/clients/go/client"), "arbitration.example/platform/client", "v1.0.0", folder.resolve("proxy"));
        }
        try (TroubledPlatform platform = new TroubledPlatform(Files.createTempDirectory(folder, "troubled"))) {
            String program = Files.readString(Path.of("src/test/resources/clients", language.name().toLowerCase(), "run.sh"));
            Ended ended = run("url=%s cut=%s control=%s folder=%s\n%s".formatted(platform.url(), platform.cutUrl(), platform.controlUrl(),
                    folder.toAbsolutePath(), program));
            assertThat(ended.code()).as(ended.output()).isZero();
            assertThat(ended.output()).contains(TroubledPlatform.LIBRARY_HOLDS);
            ended.output().lines().filter(line -> line.startsWith("measured: ")).forEach(System.out::println);
        }
    }

    /** What the platform says of it. */
    private static void checkPlayed(String caseId) {
        String token = claimant();
        JsonObject inCase = new JsonObject().put("caseID", caseId);
        assertThat(PLATFORM.post("/cases/cases/view", inCase, token).object().getString("title")).isEqualTo("Crânes v. Quarry 採石場");
        JsonArray entries = PLATFORM.post("/api/docket/entries/list", inCase, token).object().getJsonArray("entries");
        assertThat(entries).hasSize(1);
        assertThat(entries.getJsonObject(0).getString("documentID")).isEqualTo("statementOfClaim");
        JsonArray uploads = PLATFORM.post("/api/evidence/uploads/list", inCase, token).object().getJsonArray("uploads");
        assertThat(uploads).hasSize(1);
        assertThat(uploads.getJsonObject(0).getString("contentType")).isEqualTo("application/pdf");
        assertThat(uploads.getJsonObject(0).getString("description")).isEqualTo("Notice of hearing 開庭通知");
        assertThat(PLATFORM.post("/webhooks/urls/list", new JsonObject(), token).object().getJsonArray("urls")).isEmpty();
    }

    @Test
    void theContractOfTheSourcesIsTheOneThatIsServed() throws IOException {
        assertThat(Platform.contract()).isEqualTo(PLATFORM.get("/openapi/platform.yaml").response().body());
    }

    /** Else generators make names up: ListCases200Response. */
    @Test
    void everyObjectOfTheContractsHasAName() throws IOException {
        JsonObject contract = new JsonObject(PLATFORM.get("/openapi/platform.json").body());
        List<String> unnamed = new ArrayList<>();
        contract.getJsonObject("paths").forEach(path -> findObjects(path.getKey(), path.getValue(), unnamed));
        contract.getJsonObject("components").forEach(kind -> ((JsonObject) kind.getValue()).forEach(component ->
                ((JsonObject) component.getValue()).forEach(member -> findObjects(component.getKey() + "/" + member.getKey(), member.getValue(), unnamed))));
        assertThat(unnamed).isEmpty();
    }

    private static void findObjects(String where, Object node, List<String> found) {
        switch (node) {
            case JsonObject object when object.getValue("properties") instanceof JsonObject -> found.add(where);
            case JsonObject object -> object.forEach(member -> findObjects(where + "/" + member.getKey(), member.getValue(), found));
            case JsonArray array -> array.forEach(item -> findObjects(where, item, found));
            case null, default -> { }
        }
    }

    @Test
    void theDocumentForGeneratorsLeavesAnswersOpenForMembersThatALaterVersionAddsAndIdsTexts() throws IOException {
        assertThat(new String(Platform.contract())).doesNotContain("additionalProperties: false", "format: \"uuid\"").contains("additionalProperties: true");
    }
}
