package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.browser.Chromium;
import io.arbitration.platform.browser.PageSession;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
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
    /** Three pages of 200. */
    private static final int CASES = 450;
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

    /** How the checks of a language are run, below {@code src/test/clients}: with the package that the guide installs, in small memory. */
    private static final Map<Language, String> CHECKS = Map.of(
            Language.JAVA, """
                    cp="target/clients/java/example/lib/*"
                    javac -d target/clients/java/checks -cp "$cp" src/test/clients/java/Checks.java SNIPPETS
                    java -Xmx40m -cp "$cp:target/clients/java/checks" Checks GIVEN
                    """,
            Language.TYPESCRIPT, """
                    cp src/test/clients/typescript/* target/clients/typescript/example/
                    cp SNIPPETS target/clients/typescript/example/
                    cd target/clients/typescript/example
                    node_modules/.bin/tsc --target es2022 --module nodenext --strict --noEmitOnError checks.ts required.cts snippets.ts
                    node required.cjs
                    node --expose-gc checks.js GIVEN
                    """);
    private static final int LARGE_BYTES = 64 * 1024 * 1024;

    private record Ended(int code, String output) {}

    @TempDir
    private static Path folder;
    private static boolean fetched;
    private static RunningPlatform limited;
    private static final Map<Language, Future<Ended>> BUILT = new EnumMap<>(Language.class);
    private static final Map<Language, Ended> PLAYED = new EnumMap<>(Language.class);
    /** Two at a time: a build uses little more than one processor. */
    private static final ExecutorService BUILDERS = Executors.newFixedThreadPool(2);
    /** The documentation tool runs briefly, in a JVM of its own that Maven begins, and writes the pages of the classes without indexes of them. */
    private static final String BRIEF_JAVADOC = """
            -DadditionalJOption=-J-XX:TieredStopAtLevel=1
            -Duse=false
            -Dnoindex=true
            -Dnotree=true
            -DdetectJavaApiLink=false
            """;

    @BeforeAll
    static void generate() throws Exception {
        // The package of an earlier run has the same name and version, and other bytes.
        run("rm -rf target/clients/typescript/example/node_modules target/clients/python/venv");
        String generate = SHELL.matcher(Files.readString(GUIDE)).results().findFirst().orElseThrow().group(1);
        Future<Ended> generated = BUILDERS.submit(() -> run(generate));
        haveCases();
        Ended ended = generated.get();
        fetched = ended.code() == 0 || !skipped(Language.JAVA, ended);
        Assumptions.assumeTrue(fetched, "no registry for OpenAPI Generator");
        assertThat(ended.code()).as(ended.output()).isZero();
        Files.writeString(Files.createDirectories(Path.of("target/clients/java/client/.mvn")).resolve("maven.config"), BRIEF_JAVADOC);
        for (Language language : Language.values()) {
            if (OtherRuntimes.runs(language.probe)) {
                BUILT.put(language, BUILDERS.submit(() -> run(building(language))));
            }
        }
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
        builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        builder.environment().put("npm_config_prefer_offline", "true");
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

    /** The block but for its last line, which plays the example; Go's line builds it, too. */
    private static String building(Language language) throws IOException {
        String block = block(language).stripTrailing();
        String play = block.substring(block.lastIndexOf('\n') + 1);
        return block.substring(0, block.length() - play.length()) + (language == Language.GO ? "go build -o /dev/null ." : "");
    }

    /** Goes to the folder of the block, and runs its last line. */
    private static String playing(Language language) throws IOException {
        List<String> lines = block(language).lines().toList();
        assertThat(lines.getFirst()).startsWith("cd ");
        return lines.getFirst() + "\n" + lines.getLast();
    }

    /** Waits for the package of a language, and plays the example with it, once for all tests. */
    private static Ended played(Language language) throws Exception {
        if (!BUILT.containsKey(language)) {
            System.out.printf("skipped: nothing to build the %s client with on this machine (tried %s)%n", language.heading, String.join(" ", language.probe));
        }
        Assumptions.assumeTrue(BUILT.containsKey(language), "no tools for " + language.heading);
        if (!PLAYED.containsKey(language)) {
            Ended built = BUILT.get(language).get();
            PLAYED.put(language, built.code() == 0 ? run(playing(language)) : built);
        }
        Ended ended = PLAYED.get(language);
        Assumptions.assumeTrue(ended.code() == 0 || !skipped(language, ended), "no registry for " + language.heading);
        assertThat(ended.code()).as(ended.output()).isZero();
        return ended;
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void theGeneratedClientPlaysTheDemoCase(Language language) throws Exception {
        Ended ended = played(language);
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
                "cases: ");
        Matcher cases = Pattern.compile("cases: (\\d+)\n").matcher(ended.output());
        assertThat(cases.find()).isTrue();
        assertThat(Integer.parseInt(cases.group(1))).as("of more than one page").isGreaterThan(CASES);
        assertThat(ended.output()).containsSubsequence(
                "filled form: %PDF-\n",
                "the same bytes: true\n",
                "Webhook URL deleted.");
        checkPlayed(caseId.group(1));
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
            String program = Files.readString(Path.of("src/test/clients", language.name().toLowerCase(), "run.sh"));
            Ended ended = run("url=%s cut=%s control=%s folder=%s\n%s".formatted(platform.url(), platform.cutUrl(), platform.controlUrl(),
                    folder.toAbsolutePath(), program));
            assertThat(ended.code()).as(ended.output()).isZero();
            assertThat(ended.output()).contains(TroubledPlatform.LIBRARY_HOLDS);
            ended.output().lines().filter(line -> line.startsWith("measured: ")).forEach(System.out::println);
        }
    }

    /** Behind a proxy that loses answers, and on a platform that refuses what comes too often. */
    @ParameterizedTest
    @EnumSource(Language.class)
    void theLibraryBesideTheGeneratedCallsHoldsWhereThingsGoWrong(Language language) throws Exception {
        played(language);
        if (!CHECKS.containsKey(language)) {
            checkLibrary(language);
            return;
        }
        Path large = folder.resolve("large.txt");
        if (!Files.exists(large)) {
            ClientChecks.write(large, LARGE_BYTES);
        }
        try (FaultyProxy proxy = new FaultyProxy(PLATFORM.url())) {
            ClientChecks checks = new ClientChecks(PLATFORM, proxy, language.heading, large);
            Path given = folder.resolve(language + ".json");
            Files.writeString(given, checks.given(limited().url(), ClientChecks.write(folder.resolve("small.txt"), 100_000)).encode());
            Ended ended = run(CHECKS.get(language).replace("GIVEN", given.toAbsolutePath().toString()).replace("SNIPPETS", snippets(language)));
            assertThat(ended.code()).as(ended.output()).isZero();
            checks.assertHeld(ended.output());
        }
    }

    /** A file of the examples that the guide and the README of a language show, to be compiled; nothing where they are run otherwise. */
    private static String snippets(Language language) throws IOException {
        String of = language.name().toLowerCase();
        Path around = Path.of("src/test/clients", of, language == Language.JAVA ? "Snippets.java" : "snippets.ts");
        if (!Files.exists(around)) {
            return "";
        }
        Pattern blocks = Pattern.compile("```" + of + "\n(.*?)```", Pattern.DOTALL);
        String pages = Files.readString(GUIDE) + Files.readString(Path.of("docs/guides/integrate.md")) + Files.readString(Path.of("dev/clients", of, "helpers/README.md"));
        List<String> shown = blocks.matcher(pages).results().map(block -> block.group(1).replaceAll("(?m)^import .*$", "")).toList();
        assertThat(shown).hasSizeGreaterThan(4);
        StringBuilder all = new StringBuilder();
        for (String block : shown) {
            all.append(language == Language.JAVA ? "void shown%d() throws Exception {\n".formatted(all.length()) : "{\n").append(block).append("}\n");
        }
        Path written = folder.resolve(around.getFileName());
        Files.writeString(written, Files.readString(around).replace("// SNIPPETS", all));
        return written.toAbsolutePath().toString();
    }

    /** A platform that takes few requests of a caller in a second. */
    private static RunningPlatform limited() throws IOException {
        if (limited == null) {
            limited = RunningPlatform.start(Files.createDirectory(folder.resolve("limited")), Map.of(
                    "ACP_RATE_LIMIT_ENABLED", "true", "ACP_RATE_LIMIT_PER_CALLER", "8", "ACP_RATE_LIMIT_PER_ADDRESS", "1000"));
        }
        return limited;
    }

    @AfterAll
    static void close() {
        BUILDERS.shutdownNow();
        if (limited != null) {
            limited.close();
        }
    }

    @Test
    void theJavaPackageHasSourcesDocumentationAndALicence() throws Exception {
        played(Language.JAVA);
        Path deployed = Path.of("target/clients/java/repository/io/arbitration/arbitration-client/1.0.0");
        assertThat(entries(deployed.resolve("arbitration-client-1.0.0.jar"))).contains("io/arbitration/client/Platform.class", "META-INF/LICENSE");
        assertThat(entries(deployed.resolve("arbitration-client-1.0.0-sources.jar"))).contains("io/arbitration/client/Platform.java", "io/arbitration/client/api/CasesApi.java");
        assertThat(entries(deployed.resolve("arbitration-client-1.0.0-javadoc.jar"))).contains("io.arbitration.client/io/arbitration/client/Platform.html",
                "io.arbitration.client/io/arbitration/client/api/CasesApi.html");
        assertThat(Files.readString(deployed.resolve("arbitration-client-1.0.0.pom"))).contains("<name>", "<description>", "Apache-2.0").doesNotContain("<scm>", "github");
    }

    private static List<String> entries(Path archive) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            return zip.stream().map(ZipEntry::getName).toList();
        }
    }

    @Test
    void theTypeScriptPackageNeedsNothingAndBundlersLeaveOutWhatIsNotUsed() throws Exception {
        played(Language.TYPESCRIPT);
        Path installed = Path.of("target/clients/typescript/example/node_modules/@arbitration/client");
        assertThat(new JsonObject(Files.readString(installed.resolve("package.json"))).containsKey("dependencies")).isFalse();
        assertThat(installed.resolve("README.md")).exists();
        assertThat(installed.resolve("LICENSE")).exists();
        String bundle = bundle("import { WebhookVerifier } from '@arbitration/client';\nconsole.log(new WebhookVerifier('whsec_YQ=='));\n");
        assertThat(bundle).contains("webhook-signature").doesNotContain("/cases/cases/list", "class Platform");
    }

    /** A script of the package in one file, by the bundler that the build unpacks for the console. */
    private static String bundle(String script) throws Exception {
        Path bundler = Path.of("target/console/esbuild/bin/esbuild").toAbsolutePath();
        if (!Files.isExecutable(bundler)) {
            System.out.println("skipped: no esbuild, which the build unpacks for the console");
        }
        Assumptions.assumeTrue(Files.isExecutable(bundler), "no esbuild");
        Path project = Path.of("target/clients/typescript/example");
        Files.writeString(project.resolve("small.js"), script);
        Ended bundled = run("cd %s; %s small.js --bundle --format=iife --platform=browser --outfile=small.bundle.js --log-level=warning".formatted(project, bundler));
        assertThat(bundled.code()).as(bundled.output()).isZero();
        return Files.readString(project.resolve("small.bundle.js"));
    }

    @Test
    void theTypeScriptPackageUploadsFromABrowserWithProgress() throws Exception {
        played(Language.TYPESCRIPT);
        Optional<Path> binary = Chromium.find(Optional.ofNullable(System.getenv("ACP_CHROMIUM")));
        if (binary.isEmpty()) {
            System.out.println("skipped: no browser on this machine for the TypeScript client");
        }
        Assumptions.assumeTrue(binary.isPresent(), "no browser");
        String bundle = bundle("import { Credentials, Platform, Uploads } from '@arbitration/client';\nglobalThis.library = { Credentials, Platform, Uploads };\n");
        RunningPlatform.Person clara = PLATFORM.signIn("clara@clients.example", "Clara", "Claimant");
        String caseId = PLATFORM.post("/cases/cases/create", new JsonObject().put("title", "By a page").put("ruleSet", "commercial"), clara.token())
                .object().getString("caseID");
        Vertx vertx = Vertx.vertx();
        Chromium chromium = Await.result(Chromium.launch(vertx, binary.get(), List.of(), Duration.ofSeconds(40)));
        try {
            PageSession page = Await.result(chromium.open());
            Await.result(page.call("Page.navigate", new JsonObject().put("url", PLATFORM.url() + "/docs/errors")));
            Await.until(() -> "the page of the platform", Await.BOUND,
                    () -> PLATFORM.url().equals(Await.result(page.evaluate("document.readyState === 'complete' ? location.origin : ''"))));
            Await.result(page.evaluate(bundle + "\n0"));
            JsonObject seen = new JsonObject(String.valueOf(Await.result(page.evaluate("""
                    (async () => {
                      const { Credentials, Platform, Uploads } = library;
                      const uploads = new Uploads(new Platform(location.origin, Credentials.resume("%s")));
                      const file = new File([new Uint8Array(3000000).fill(97)], "größer.txt");
                      const told = [];
                      const progress = (sent, total) => told.push(total === file.size ? sent : -1);
                      const { uploadID } = await uploads.createEvidenceUpload("%s", "correspondence", "開庭通知", file, { progress });
                      const refused = await uploads.createEvidenceUpload("7", "correspondence", "None", file).catch(({ errorCode }) => errorCode);
                      const rises = told.every((one, i) => i === 0 || one >= told[i - 1]);
                      return JSON.stringify({ uploadID, rises, last: told[told.length - 1], refused });
                    })()""".formatted(clara.refreshToken(), caseId)))));
            assertThat(seen.copy().put("uploadID", "")).isEqualTo(
                    new JsonObject().put("uploadID", "").put("rises", true).put("last", 3_000_000).put("refused", "case.not-found"));
            JsonObject stored = PLATFORM.post("/api/evidence/uploads/view",
                    new JsonObject().put("caseID", caseId).put("uploadID", seen.getString("uploadID")), clara.token()).object();
            assertThat(stored.getString("fileName")).isEqualTo("größer.txt");
            assertThat(stored.getString("description")).isEqualTo("開庭通知");
            assertThat(stored.getLong("bytes")).isEqualTo(3_000_000);
        } finally {
            Await.result(chromium.close());
            Await.result(vertx.close());
        }
    }

    /** Uploads are written by hand: an operation with a form that is added to the contract has to be added to them. */
    @Test
    void everyOperationWithAFormIsAmongTheUploadsOfEachLanguage() throws IOException {
        JsonObject paths = new JsonObject(PLATFORM.get("/openapi/platform.json").body()).getJsonObject("paths");
        List<String> forms = paths.fieldNames().stream().filter(path -> paths.getJsonObject(path).encode().contains("\"multipart/form-data\"")).toList();
        assertThat(forms).contains("/api/evidence/uploads/create").hasSizeGreaterThan(3);
        for (Language language : Language.values()) {
            Path helpers = Path.of("dev/clients", language.name().toLowerCase(), "helpers");
            if (!Files.isDirectory(helpers)) {
                continue;
            }
            try (Stream<Path> library = Files.walk(helpers)) {
                StringBuilder text = new StringBuilder();
                for (Path file : library.filter(Files::isRegularFile).toList()) {
                    text.append(Files.readString(file));
                }
                assertThat(forms).as(language.heading).allMatch(path -> text.indexOf("\"" + path + "\"") >= 0);
            }
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
