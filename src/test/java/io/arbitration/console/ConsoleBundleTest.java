package io.arbitration.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.platform.answer.Gzip;
import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What the build made of the console: how large it is, and whether its types fit, those of the contracts among them. */
class ConsoleBundleTest {

    private static final int FIRST_BYTES_MAX = 100_000;
    private static final int SCREEN_BYTES_MAX = 30_000;
    private static final Path WORK = Path.of("target/console");
    private static final Map<String, String> PACKAGES = Map.of("org.mvnpm/lit", "lit", "org.mvnpm/lit-html", "lit-html", "org.mvnpm/lit-element", "lit-element",
            "org.mvnpm.at.lit/reactive-element", "@lit/reactive-element");
    private static final Pattern OPERATION = Pattern.compile("operationId: (\\w+)");
    /** What the page says of the operations that the console does not use. */
    private static final Pattern OPERATIONS = Pattern.compile("## Operations\\s+The console uses every operation(.*?)A test keeps this", Pattern.DOTALL);
    private static final String TYPESCRIPT = "org.mvnpm/typescript";

    private static JsonObject outputs() throws IOException {
        return new JsonObject(Files.readString(WORK.resolve("meta.json"))).getJsonObject("outputs");
    }

    /** A file with all that it loads at once, compressed as it is sent. */
    private static int bytes(JsonObject outputs, Set<String> begun, String... first) throws IOException {
        return bytes(outputs, begun, List.of(first));
    }

    private static int bytes(JsonObject outputs, Set<String> begun, List<String> first) throws IOException {
        int bytes = 0;
        Deque<String> ahead = new ArrayDeque<>(first);
        while (!ahead.isEmpty()) {
            String path = ahead.pop();
            if (!begun.add(path)) {
                continue;
            }
            bytes += Gzip.small(Files.readAllBytes(Path.of("target/classes/console/assets", name(path)))).length();
            outputs.getJsonObject(path).getJsonArray("imports").stream().map(JsonObject.class::cast)
                    .filter(one -> one.getString("kind").equals("import-statement")).forEach(one -> ahead.add(one.getString("path")));
        }
        return bytes;
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String made(JsonObject outputs, String entryPoint) {
        return outputs.stream().filter(one -> entryPoint.equals(((JsonObject) one.getValue()).getString("entryPoint"))).map(Map.Entry::getKey).findFirst().orElseThrow();
    }

    @Test
    void theFirstPageAndEachScreenAreSmall() throws IOException {
        JsonObject outputs = outputs();
        String main = made(outputs, "main.ts");
        Map<String, Integer> sizes = new LinkedHashMap<>();
        for (String language : Set.of("texts/en.ts", "texts/de.ts")) {
            Set<String> first = new TreeSet<>();
            int bytes = bytes(outputs, first, main, outputs.getJsonObject(main).getString("cssBundle"), made(outputs, language),
                    made(outputs, "screens/day/day.ts"), made(outputs, "screens/sign-in/sign-in.ts"));
            sizes.put("sign-in and my day, " + language, bytes);
            assertThat(bytes).as("first load, " + language).isLessThanOrEqualTo(FIRST_BYTES_MAX);
            for (String screen : new String[] {"screens/cases/cases.ts", "screens/cases/search.ts", "screens/case/case.ts", "screens/case/rest.ts", "screens/evidence/evidence.ts", "screens/notices/notices.ts",
                    "screens/people/people.ts", "screens/record/record.ts", "screens/seal/seal.ts", "screens/award/award.ts", "screens/filing/filing.ts", "screens/account/account.ts", "screens/deliveries/deliveries.ts",
                    "screens/events/events.ts", "screens/organization/organization.ts", "screens/programs/programs.ts", "screens/users/users.ts", "screens/permissions/permissions.ts", "screens/prompts/prompts.ts",
                    "screens/templates/templates.ts", "screens/keys/keys.ts"}) {
                int more = bytes(outputs, new TreeSet<>(first), made(outputs, screen));
                sizes.put(screen, more);
                assertThat(more).as(screen).isLessThanOrEqualTo(SCREEN_BYTES_MAX);
            }
            // A part of a case is gone to by its address, too, and then needs the case and the acts of an arbitrator.
            for (String part : new String[] {"case/rest", "evidence/evidence", "notices/notices", "people/people", "record/record", "award/award"}) {
                // An award that is open is written in the form of a filing.
                String form = part.equals("award/award") ? "filing/filing" : part;
                int more = bytes(outputs, new TreeSet<>(first), List.of(made(outputs, "screens/case/case.ts"), made(outputs, "screens/%s.ts".formatted(part)), made(outputs, "screens/%s.ts".formatted(form)),
                        made(outputs, "screens/seal/seal.ts")));
                sizes.put("a case at " + part, more);
                assertThat(more).as("a case at " + part).isLessThanOrEqualTo(SCREEN_BYTES_MAX);
            }
        }
        System.out.printf("bytes of the console, compressed: %s%n", sizes);
    }

    /** Each screen is therefore looked at completely in one theme, and only for its colours in the other. */
    @Test
    void theThemesDifferByTheirColoursAlone() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/console"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String otherDifferences = Files.readString(file).replaceAll("#[0-9a-f]{6}|rgb\\([^)]*\\)", "colour").replaceAll("light-dark\\(([^(),]*), \\1\\)", "")
                        .replaceAll(":root\\[data-theme='(light|dark)'\\] \\{ color-scheme: \\1; \\}", "");
                assertThat(otherDifferences).as(file.toString()).doesNotContain("light-dark(", "[data-theme", "prefers-color-scheme");
            }
        }
    }

    /** What is seldom done is read when it is done. */
    @Test
    void sealsAreReadOnlyByWhoeverSetsOne() throws IOException {
        JsonObject outputs = outputs();
        String seal = made(outputs, "screens/seal/seal.ts");
        for (String screen : new String[] {"main.ts", "screens/case/case.ts", "screens/award/award.ts", "screens/filing/filing.ts"}) {
            Set<String> read = new TreeSet<>();
            bytes(outputs, read, made(outputs, screen));
            assertThat(read).as(screen).doesNotContain(seal);
        }
        Set<String> read = new TreeSet<>();
        bytes(outputs, read, made(outputs, "screens/case/case.ts"));
        assertThat(read).anyMatch(one -> outputs.getJsonObject(one).getJsonArray("imports").contains(new JsonObject().put("path", seal).put("kind", "dynamic-import")));
    }

    @Test
    void theConsoleUsesEveryOperationOfACaseButThoseThatItsPageNames() throws IOException {
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> all = Files.walk(Path.of("src/main/console"))) {
            for (Path file : all.filter(one -> one.toString().endsWith(".ts")).toList()) {
                sources.append(Files.readString(file));
            }
        }
        Set<String> unused = new TreeSet<>();
        for (String contract : List.of("cases", "main", "alerts")) {
            Matcher operation = OPERATION.matcher(Files.readString(Path.of("src/main/resources/openapi/%s.yaml".formatted(contract))));
            while (operation.find()) {
                if (!Pattern.compile("\\b%s\\b".formatted(operation.group(1))).matcher(sources).find()) {
                    unused.add(operation.group(1));
                }
            }
        }
        Matcher section = OPERATIONS.matcher(Files.readString(Path.of("docs/console.md")));
        assertThat(section.find()).isTrue();
        assertThat(Pattern.compile("`(\\w+)`").matcher(section.group(1)).results().map(one -> one.group(1))).containsExactlyInAnyOrderElementsOf(unused);
    }

    @Test
    void typesFitThoseOfTheContractsAmongThem() throws Exception {
        boolean hasNode = isThere("node");
        if (!hasNode) {
            System.out.println("skipped: no Node on this machine to check the types of the console");
        }
        Assumptions.assumeTrue(hasNode, "no Node");
        Path compiler = WORK.resolve("typescript");
        if (!Files.exists(compiler.resolve("lib/lib.dom.d.ts"))) {
            unpack(TYPESCRIPT, compiler);
        }
        for (Map.Entry<String, String> one : PACKAGES.entrySet()) {
            Path folder = WORK.resolve("node_modules").resolve(one.getValue());
            if (!Files.exists(folder.resolve("development"))) {
                throw new IllegalStateException("the build did not unpack " + one.getValue());
            }
            unpackMore(one.getKey(), folder);
        }
        Process process = new ProcessBuilder("node", compiler.resolve("lib/tsc.js").toString(), "-p", WORK.resolve("src/tsconfig.json").toString(), "--pretty", "false")
                .redirectErrorStream(true).redirectOutput(WORK.resolve("tsc.log").toFile()).start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(WORK.resolve("tsc.log"))).isEmpty();
        assertThat(process.exitValue()).isZero();
    }

    private static boolean isThere(String program) {
        for (String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    private static JarFile archive(String coordinates) throws IOException {
        URL found = ConsoleBundleTest.class.getClassLoader().getResource("META-INF/maven/%s/pom.properties".formatted(coordinates));
        return ((JarURLConnection) found.openConnection()).getJarFile();
    }

    private static void unpack(String coordinates, Path to) throws IOException {
        try (JarFile archive = archive(coordinates)) {
            for (String path : archive.stream().map(entry -> entry.getName()).filter(name -> name.startsWith("META-INF/resources/_static/") && name.endsWith(".js")).toList()) {
                Path file = to.resolve(inPackage(path.substring("META-INF/".length())));
                Files.createDirectories(file.getParent());
                try (InputStream in = archive.getInputStream(archive.getEntry(path))) {
                    Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        unpackMore(coordinates, to);
    }

    /** Types, which packages keep in an archive of their own. */
    private static void unpackMore(String coordinates, Path to) throws IOException {
        try (JarFile archive = archive(coordinates);
                TarArchiveInputStream more = new TarArchiveInputStream(new GZIPInputStream(new BufferedInputStream(archive.getInputStream(archive.getEntry("META-INF/.more.tgz")))))) {
            for (TarArchiveEntry entry = more.getNextEntry(); entry != null; entry = more.getNextEntry()) {
                if (entry.isFile() && entry.getName().endsWith(".d.ts")) {
                    Path file = to.resolve(inPackage(entry.getName()));
                    Files.createDirectories(file.getParent());
                    Files.copy(more, file, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    /** Without {@code resources/_static/<package>/<version>/}. */
    private static String inPackage(String path) {
        return path.split("/", 5)[4];
    }
}
