package io.arbitration.guides;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.arbitration.OpenCase;
import io.arbitration.OtherRuntimes;
import io.arbitration.PlatformProgram;
import io.arbitration.RunningPlatform;
import io.arbitration.Settings;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.config.Configuration;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.tools.ToolProvider;

/**
 * Follows a page as a reader would: in a folder of its own that looks like a clone, block by block. A page finds the platform of the
 * test run at {@code http://localhost:8080} and at {@code https://arbitration.example.org}, unless it starts one there itself; the
 * ports that it names are others then, so that pages can be followed at once. Where it starts none it is also given {@code url},
 * {@code token}, and a case with an entry on its docket: {@code case_id}, {@code entry_id}, {@code filing_id}, and the tokens
 * {@code claimant} (the same as {@code token}, an administrator of an organization), {@code respondent}, {@code manager} and
 * {@code administrator}.
 */
final class Guide {

    private static final Path HOME = Path.of("").toAbsolutePath();
    private static final Pattern OWN_PLATFORM = Pattern.compile("(?m)^\\./acp (demo|run)\\b");
    /** Ports as pages name them: a few that servers of readers usually have. */
    private static final Pattern PORT = Pattern.compile("(?<=[:=] ?|, )(80[89][0-9]|90[0-9][0-9])\\b");
    private static final Pattern TOOL = Pattern.compile(
            "(?m)(?:^|[|(;]|&&) *(node|npm|npx|go|docker|kubectl|pdfdetach|pdftotext|qpdf|unzip|openssl|jq|python3|psql|curl)\\b");
    private static final Pattern PUBLIC_CLASS = Pattern.compile("(?m)^(?:public )?(?:final )?(?:class|record) (\\w+)");
    private static final Pattern GIVEN = Pattern.compile("\\$\\{?(url|token|case_id|entry_id|filing_id|claimant|respondent|manager|administrator)\\b");
    private static final Pattern SECRET = Pattern.compile("whsec_([A-Za-z0-9+/]{16,}=*)");
    private static final Pattern SETTING = Pattern.compile("(?m)(?:^|[ ;])(ACP_[A-Z0-9_]+)=([A-Za-z0-9._:/-]+)(?=[ \n;])");
    private static final Pattern VARIABLE = Pattern.compile("(ACP_[A-Z0-9_]+)=(.*)");

    private final Page page;
    private final Path folder;
    private final Consumer<String> told;
    private final boolean ownPlatform;
    private final Map<String, String> ports = new HashMap<>();
    private final ShownAnswer answers = new ShownAnswer();
    private Terminal terminal;
    private String printed = "";
    private Terminal.Background background;
    /** What runs in the background, when the last block began it. */
    private Terminal.Background answered;

    /** @param told is told of what is not run, and why */
    Guide(Page page, Path folder, Consumer<String> told) {
        this.page = page;
        this.folder = folder;
        this.told = told;
        this.ownPlatform = page.blocks().stream().anyMatch(block -> isShell(block) && block.notRun().isEmpty() && OWN_PLATFORM.matcher(block.text()).find());
    }

    private static boolean isShell(Page.Block block) {
        return block.language().equals("sh") || block.language().equals("bash");
    }

    /** Follows the page to its end; fails at the first block that does not hold. */
    void follow() throws Exception {
        try {
            for (Page.Block block : page.blocks()) {
                checkVariables(block);
                if (block.notRun().isPresent()) {
                    told.accept("not run: %s: %s".formatted(block.where(), block.notRun().get()));
                } else if (block.from().isPresent()) {
                    checkFrom(block);
                } else if (!block.given().isBlank() && !isShell(block)) {
                    throw new AssertionError(block.where() + ": only shell is given something");
                } else {
                    Optional<String> missing = isShell(block) ? missingTool(block) : Optional.empty();
                    if (missing.isPresent()) {
                        told.accept("skipped: %s and what follows on that page: no %s here".formatted(block.where(), missing.get()));
                        return;
                    }
                    check(block);
                }
            }
        } finally {
            if (terminal != null) {
                terminal.close();
            }
        }
    }

    private void check(Page.Block block) throws Exception {
        switch (block.language()) {
            case "sh", "bash" -> shell(block);
            case "json" -> json(block);
            case "text" -> text(block);
            case "yaml" -> yaml(block);
            case "properties" -> properties(block);
            case "http" -> http(block);
            case "java" -> java(block);
            case "python" -> code(block, ".py", "python3", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())");
            case "js", "javascript" -> code(block, ".mjs", "node", "--check");
            case "ts", "typescript" -> typescript(block);
            case "go" -> code(block, ".go", "gofmt", "-e", "-l");
            default -> throw new AssertionError("%s: nothing checks blocks of %s; if it can be run nowhere, say why above it: <!-- not run: … -->".formatted(
                    block.where(), block.language().isEmpty() ? "no language" : block.language()));
        }
        List<String> unknown = block.words().stream().filter(word -> !knownWords(block.language()).contains(word)).toList();
        boolean names = block.language().equals("json") && block.words().size() == 3 && block.is("request");
        assertThat(names ? List.of() : unknown).as("%s: words that mean nothing", block.where()).isEmpty();
    }

    private static List<String> knownWords(String language) {
        return switch (language) {
            case "sh", "bash" -> List.of("background", "fails", "refused");
            case "json" -> List.of("answer", "event");
            case "text" -> List.of("answer", "background");
            default -> List.of();
        };
    }

    // ---- Shell ---------------------------------------------------------------------------------------------------

    private void shell(Page.Block block) throws Exception {
        Terminal shell = terminal();
        if (!block.given().isBlank()) {
            Terminal.Ended given = shell.run(local(block.given()));
            assertThat(given.code()).as("%s, what is given: %s", block.where(), given.printed()).isZero();
        }
        answered = null;
        printed = "";
        if (block.is("background")) {
            answered = background = shell.runOn(local(block.text()));
            block.shows().forEach(text -> awaitLines(block, text));
            return;
        }
        Path refusal = folder.resolve(".refused-" + block.line()).toAbsolutePath();
        String script = block.is("refused") ? "export GUIDE_REFUSED='%s'\n%s\nunset GUIDE_REFUSED".formatted(refusal, block.text()) : block.text();
        Terminal.Ended ended = block.is("fails") ? shell.runAside(local(script)) : shell.run(local(script));
        if (block.is("fails")) {
            assertThat(ended.code()).as("%s has to fail%n%s", block.where(), ended.printed()).isPositive();
        } else {
            assertThat(ended.code()).as("%s%n%s%nprinted%n%s", block.where(), block.text(), ended.printed()).isZero();
        }
        printed = ended.printed();
        assertThat(Files.exists(refusal)).as("%s has to be refused%n%s", block.where(), printed).isEqualTo(block.is("refused"));
        assertThat(block.shows()).as(block.where()).allSatisfy(text -> assertThat(printed).contains(local(text)));
    }

    private void awaitLines(Page.Block block, String text) {
        Terminal.Background started = background;
        if (!Terminal.await(started, output -> answers.linesWithin(local(text), output))) {
            throw new AssertionError("%s: is never printed by what runs in the background, which printed%n%s".formatted(block.where(), started.printed()));
        }
    }

    private Terminal terminal() throws Exception {
        if (terminal == null) {
            Path bin = Files.createDirectories(folder.resolve(".bin"));
            executable(bin.resolve("curl"), CURL);
            executable(folder.resolve("acp"), ACP.formatted(folder.toAbsolutePath(), local("localhost:8080").substring("localhost:".length()),
                    local("localhost:8081").substring("localhost:".length()),
                    PlatformProgram.command(PlatformProgram.USUAL_HEAP_MEGABYTES).stream().map("'%s'"::formatted).collect(Collectors.joining(" ")), HOME));
            if (page.text().contains("./acp") || page.text().contains("conf/")) {
                copy(HOME.resolve("conf"), folder.resolve("conf"));
            }
            for (String shared : SHARED) {
                if (page.text().contains(shared)) {
                    Files.createDirectories(folder.resolve(shared).getParent());
                    Files.writeString(folder.resolve(shared), local(Files.readString(HOME.resolve(shared))));
                }
            }
            if (page.text().contains(DEMO_FILES + "/")) {
                Files.createDirectories(folder.resolve(DEMO_FILES).getParent());
                copy(HOME.resolve(DEMO_FILES), folder.resolve(DEMO_FILES));
            }
            if (page.text().contains(EXTENSION)) {
                Files.createDirectories(folder.resolve(EXTENSION));
                copy(HOME.resolve(EXTENSION), folder.resolve(EXTENSION));
            }
            if (page.text().contains(LIBRARIES)) {
                link(folder.resolve(LIBRARIES));
            }
            Map<String, String> environment = new HashMap<>(ownPlatform || !GIVEN.matcher(page.text()).find() ? Map.of() : given());
            Optional.ofNullable(environment.get("url")).ifPresent(platform -> environment.put("GUIDE_PLATFORM", platform));
            environment.put("PATH", bin.toAbsolutePath() + ":" + System.getenv("PATH") + ":" + Path.of(System.getProperty("java.home"), "bin"));
            terminal = new Terminal(folder, environment);
        }
        return terminal;
    }

    /** The functions of the shell, the receiver and the page with the small client, which several guides use. */
    private static final List<String> SHARED = List.of("docs/guides/platform.sh", "docs/guides/receiver.py", "docs/guides/integrate.md");
    /** Where the documents lie that guides upload. */
    private static final String DEMO_FILES = "src/main/resources/demo";

    private static final String EXTENSION = "dev/extension-example";
    private static final String LIBRARIES = "target/lib";

    /** The libraries of this run, in the place of those that a build copies. */
    private static void link(Path into) throws IOException {
        Files.createDirectories(into);
        for (String jar : PlatformProgram.classPath().split(File.pathSeparator)) {
            Path link = into.resolve(Path.of(jar).getFileName());
            if (jar.endsWith(".jar") && Files.notExists(link)) {
                Files.createSymbolicLink(link, Path.of(jar));
            }
        }
    }

    /** An error that HTTP answers is a failure of the command, unless it sees to that itself. */
    private static final String CURL = """
            #!/usr/bin/env bash
            PATH="${PATH#*:}"
            # What a platform without a port of its own says of its address.
            set -- "${@//http:\\/\\/localhost:0\\//${GUIDE_PLATFORM:-}/}"
            if [ -n "${GUIDE_REFUSED:-}" ]; then
              curl --fail-with-body "$@" && exit 0
              code=$?
              [ "$code" = 22 ] && touch "$GUIDE_REFUSED" && exit 0
              exit "$code"
            fi
            for word in "$@"; do
              [[ "$word" =~ ^-[sSLkgi]*f[sSLkgi]*$ || "$word" == --fail* ]] && exec curl "$@"
            done
            exec curl --fail-with-body "$@"
            """;

    /** The command of the repository, with the classes of this run instead of a build. */
    private static final String ACP = """
            #!/usr/bin/env bash
            case "${1:-help}" in
              run | demo | templates | verify-receipt | verify-export | keyset)
                export ACP_HOME='%s' ACP_HTTP_PORT="${ACP_HTTP_PORT:-%s}" ACP_MANAGEMENT_PORT="${ACP_MANAGEMENT_PORT:-%s}"
                exec %s "$@"
                ;;
              help) exec '%s/acp' help ;;
              *) echo "./acp $1 is not run by the test of the guides; say so and why: <!-- not run: … -->" >&2; exit 90 ;;
            esac
            """;

    private static void executable(Path file, String text) throws IOException {
        assertThat(Files.writeString(file, text).toFile().setExecutable(true)).isTrue();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : all.toList()) {
                Files.copy(one, to.resolve(from.relativize(one)), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static Map<String, String> given() {
        RunningPlatform platform = RunningPlatform.shared();
        String email = "clara-" + UUID.randomUUID() + "@example.org";
        platform.post("/auth/organizations/create", new JsonObject().put("name", "Cranes Ltd"), platform.signIn(email, "Clara", "Claimant").token());
        OpenCase first = OpenCase.on(platform);
        OpenCase open = new OpenCase(platform, "", platform.signIn(email, "Clara", "Claimant"), first.colleague(), first.observer(), first.respondent(),
                first.manager(), first.arbitrator(), first.outsider()).another();
        String entryId = open.docketed(new JsonObject());
        JsonObject entry = open.docket(open.claimant()).getJsonObject(0);
        return Map.of("url", platform.url(), "token", open.claimant().token(), "claimant", open.claimant().token(), "respondent", open.respondent().token(),
                "manager", open.manager().token(), "administrator", platform.administrator().token(), "case_id", open.caseId(), "entry_id", entryId,
                "filing_id", entry.getString("filingID"));
    }

    /** A text of the page with the addresses of this run in it. */
    private String local(String text) {
        String platform = ownPlatform ? "http://localhost:8080" : RunningPlatform.shared().url();
        return PORT.matcher(text.replace("https://arbitration.example.org", platform).replace("http://localhost:8080", platform))
                .replaceAll(port -> ports.computeIfAbsent(port.group(), Guide::freePort));
    }

    private static String freePort(String named) {
        try {
            return String.valueOf(FreePort.any());
        } catch (IOException none) {
            throw new IllegalStateException(none);
        }
    }

    private static Optional<String> missingTool(Page.Block block) throws InterruptedException {
        for (String tool : TOOL.matcher(block.text()).results().map(match -> match.group(1)).distinct().toList()) {
            if (!OtherRuntimes.runs("sh", "-c", "command -v " + tool)) {
                return Optional.of(tool);
            }
        }
        return Optional.empty();
    }

    // ---- What is shown -------------------------------------------------------------------------------------------

    private void json(Page.Block block) throws IOException {
        if (block.is("answer")) {
            answers.json(local(block.text()), printed).ifPresent(difference -> {
                throw new AssertionError("%s: %s".formatted(block.where(), difference));
            });
            return;
        }
        List<JsonNode> values = ShownAnswer.values(block.text());
        assertThat(values).as(block.where()).isNotEmpty();
        for (JsonNode value : values) {
            if (block.is("event")) {
                Shapes.event(block.where(), value.toString());
            } else if (block.is("request")) {
                Shapes.request(block.where(), block.words(), value.toString());
            }
        }
    }

    private void text(Page.Block block) {
        if (!block.is("answer")) {
            return;
        }
        if (answered != null || block.is("background")) {
            awaitLines(block, block.text());
        } else {
            assertThat(answers.lines(local(block.text()), printed)).as("%s shows%n%s%nbut was printed%n%s", block.where(), local(block.text()), printed).isTrue();
        }
    }

    private void http(Page.Block block) throws GeneralSecurityException {
        String[] parts = block.text().strip().split("\n\n", 2);
        List<String> head = parts[0].lines().toList();
        assertThat(head.getFirst()).as(block.where()).matches("(GET|POST|HEAD|PUT|DELETE) /\\S*( HTTP/1\\.1)?|HTTP/1\\.1 [1-5][0-9]{2}.*");
        assertThat(head.subList(1, head.size())).as(block.where()).allMatch(line -> line.matches("[A-Za-z-]+: .+"));
        if (head.stream().anyMatch(line -> line.toLowerCase().startsWith("webhook-id:"))) {
            Shapes.event(block.where(), parts[1]);
            checkSignature(block, head, parts[1]);
        } else if (parts.length == 2 && head.stream().anyMatch(line -> line.toLowerCase().matches("content-type: application/json.*"))) {
            new JsonObject(parts[1]);
        }
    }

    /** A webhook is shown with the secret that signed it, so that readers can try their code on it. */
    private void checkSignature(Page.Block block, List<String> head, String body) throws GeneralSecurityException {
        Map<String, String> headers = new HashMap<>();
        head.stream().skip(1).forEach(line -> headers.put(line.substring(0, line.indexOf(':')).toLowerCase(), line.substring(line.indexOf(':') + 1).strip()));
        Matcher secret = SECRET.matcher(page.text());
        assertThat(secret.find()).as("%s: the page has no secret", block.where()).isTrue();
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.group(1)), "HmacSHA256"));
        String signed = "%s.%s.%s".formatted(headers.get("webhook-id"), headers.get("webhook-timestamp"), body);
        assertThat(headers.get("webhook-signature")).as(block.where())
                .isEqualTo("v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
    }

    /** Bodies and events as contracts and the AsyncAPI document describe them. */
    private static final class Shapes {

        private static void event(String where, String text) {
            JsonObject event = new JsonObject(text);
            JsonObject document = yamlResource("/asyncapi/events.yaml");
            JsonObject message = document.getJsonObject("components").getJsonObject("messages").stream().map(one -> (JsonObject) one.getValue())
                    .filter(one -> event.getString("event", "").equals(one.getString("name"))).findFirst()
                    .orElseThrow(() -> new AssertionError("%s: no kind of event: %s".formatted(where, event.getString("event"))));
            validate(where, message.getJsonObject("payload"), document, event);
        }

        private static void request(String where, List<String> words, String text) {
            JsonObject contract = new JsonObject(RunningPlatform.shared().get("/openapi/platform.json").body());
            JsonObject operation = Optional.ofNullable(contract.getJsonObject("paths").getJsonObject(words.get(2)))
                    .map(path -> path.getJsonObject(words.get(1).toLowerCase())).orElseThrow(() -> new AssertionError(where + ": no operation " + words));
            validate(where, operation.getJsonObject("requestBody").getJsonObject("content").getJsonObject("application/json").getJsonObject("schema"), contract,
                    new JsonObject(text));
        }

        private static JsonObject yamlResource(String name) {
            try (InputStream in = Guide.class.getResourceAsStream(name)) {
                return new JsonObject(new YAMLMapper().readTree(in).toString());
            } catch (IOException failed) {
                throw new IllegalStateException(failed);
            }
        }

        private static void validate(String where, JsonObject schema, JsonObject document, JsonObject value) {
            JsonObject whole = schema.copy().put("components", document.getJsonObject("components"));
            OutputUnit result = Validator.create(JsonSchema.of(whole), new JsonSchemaOptions().setDraft(Draft.DRAFT202012)
                    .setBaseUri("https://example.org/shapes").setOutputFormat(OutputFormat.Basic)).validate(value);
            assertThat(result.getValid()).as("%s: %s", where, result.getErrors() == null ? result.getError() : new JsonArray(
                    result.getErrors().stream().map(OutputUnit::toJson).toList())).isTrue();
        }
    }

    // ---- Settings ------------------------------------------------------------------------------------------------

    private void yaml(Page.Block block) throws IOException {
        JsonNode root = new YAMLMapper().readTree(block.text());
        List<String> groups = Configuration.load(HOME, Map.of()).keys().stream().map(key -> key.replaceAll("\\..*", "")).distinct().toList();
        if (root instanceof ObjectNode object && object.properties().stream().anyMatch(member -> groups.contains(member.getKey()))) {
            Path file = Files.writeString(folder.resolve("settings-" + block.line() + ".yaml"), block.text());
            settings(block, Map.of("ACP_CONFIGURATION", file.toString()));
        }
    }

    private void properties(Page.Block block) {
        Map<String, String> environment = new HashMap<>();
        block.text().lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            Matcher variable = VARIABLE.matcher(line);
            assertThat(variable.matches()).as("%s: no setting in the environment: %s", block.where(), line).isTrue();
            environment.put(variable.group(1), variable.group(2).replaceAll("^'(.*)'$", "$1"));
        });
        settings(block, environment);
    }

    /** Also where commands are not run, the settings that they name are there. */
    private static void checkVariables(Page.Block block) {
        if (isShell(block)) {
            Map<String, String> environment = new HashMap<>();
            SETTING.matcher(block.text()).results().forEach(setting -> environment.put(setting.group(1), setting.group(2)));
            settings(block, environment);
        }
    }

    private static void settings(Page.Block block, Map<String, String> environment) {
        try {
            Settings.read(Configuration.load(HOME, environment), HOME);
        } catch (RuntimeException refused) {
            throw new AssertionError("%s: %s".formatted(block.where(), refused.getMessage()), refused);
        }
    }

    // ---- Code ----------------------------------------------------------------------------------------------------

    private void checkFrom(Page.Block block) throws IOException {
        Path source = HOME.resolve(block.from().orElseThrow());
        assertThat(source).as(block.where()).exists();
        assertThat(flat(Files.readString(source))).as("%s is no longer what %s says", block.where(), block.from().get()).contains(flat(block.text()));
    }

    private static String flat(String text) {
        return String.join("\n", text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList());
    }

    private Path saved(Page.Block block, String name) throws IOException {
        return Files.writeString(folder.resolve(block.savedAs().orElse(name)), local(block.text()));
    }

    private void java(Page.Block block) throws IOException {
        Matcher named = PUBLIC_CLASS.matcher(block.text());
        Path source = saved(block, (named.find() ? named.group(1) : "Snippet" + block.line()) + ".java");
        Path classes = Files.createDirectories(folder.resolve(".classes-" + block.line()));
        java.io.ByteArrayOutputStream complaints = new java.io.ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, complaints, "-proc:none", "-cp", System.getProperty("java.class.path"),
                "-d", classes.toString(), source.toString());
        assertThat(code).as("%s: %s", block.where(), complaints.toString(StandardCharsets.UTF_8)).isZero();
    }

    private void code(Page.Block block, String suffix, String... command) throws IOException, InterruptedException {
        Path source = saved(block, "snippet-" + block.line() + suffix);
        if (!OtherRuntimes.runs("sh", "-c", "command -v " + command[0])) {
            told.accept("skipped: %s: no %s here".formatted(block.where(), command[0]));
            return;
        }
        List<String> all = new ArrayList<>(List.of(command));
        all.add(source.toAbsolutePath().toString());
        assertCompiles(block, all);
    }

    private void typescript(Page.Block block) throws IOException, InterruptedException {
        Path source = saved(block, "snippet-" + block.line() + ".ts");
        if (OtherRuntimes.runs("node", "--check", saved(block, "snippet-" + block.line() + ".mjs").toString())) {
            return; // All of its types are inferred.
        }
        Optional<Path> node = OtherRuntimes.node("typescript@5.9.3");
        if (node.isEmpty()) {
            told.accept("skipped: %s: no node with TypeScript here".formatted(block.where()));
            return;
        }
        assertCompiles(block, List.of("node", "-e", """
                const ts = require(process.argv[1] + '/node_modules/typescript');
                const {diagnostics} = ts.transpileModule(require('fs').readFileSync(process.argv[2], 'utf8'), {reportDiagnostics: true});
                diagnostics.forEach(one => console.log(ts.flattenDiagnosticMessageText(one.messageText, '\\n')));
                process.exit(diagnostics.length ? 1 : 0);
                """, node.get().toString(), source.toAbsolutePath().toString()));
    }

    private static void assertCompiles(Page.Block block, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String complaints = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("%s: %s", block.where(), complaints).isZero();
    }
}
