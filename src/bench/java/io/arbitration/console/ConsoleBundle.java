package io.arbitration.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Makes the web console: types from the contracts, then scripts and styles by esbuild with hashed names.
 * Run by the build with what it needs on its class path, the binary of esbuild included; needs neither Node nor a network.
 */
public final class ConsoleBundle {

    /** The contracts that the console speaks. */
    private static final List<String> CONTRACTS = List.of("identity", "cases", "main", "profiles", "alerts", "webhooks", "push", "pdfs", "ai");
    /** Packages by the coordinates of their archive. */
    private static final Map<String, String> PACKAGES = Map.of("org.mvnpm/lit", "lit", "org.mvnpm/lit-html", "lit-html", "org.mvnpm/lit-element", "lit-element",
            "org.mvnpm.at.lit/reactive-element", "@lit/reactive-element");
    /** Archives of esbuild, of which the class path has the one for this machine. */
    private static final List<String> BUNDLERS = List.of("org.mvnpm.at.esbuild/linux-x64", "org.mvnpm.at.esbuild/linux-arm64");
    private static final String ABOUT = "META-INF/maven/%s/pom.properties";
    /** Below it a folder for the package, below that one for its version. */
    private static final String ARCHIVED = "META-INF/resources/_static/";
    private static final long BUNDLER_SECONDS_MAX = 60;

    private final Path project;
    private final Path work;
    private final Path sources;
    private final Path output;

    private ConsoleBundle(Path project) {
        this.project = project;
        this.work = project.resolve("target/console");
        this.sources = work.resolve("src");
        this.output = project.resolve("target/classes/console");
    }

    /** @param arguments the folder of the project; what is made goes to {@code target/classes/console} in it */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        new ConsoleBundle(Path.of(arguments.length == 0 ? "" : arguments[0]).toAbsolutePath()).make();
    }

    private void make() throws IOException, InterruptedException {
        empty(sources);
        copy(project.resolve("src/main/console"), sources);
        Files.writeString(sources.resolve("api/contracts.ts"), ContractTypes.of(project.resolve("src/main/resources/openapi"), CONTRACTS));
        for (Map.Entry<String, String> one : PACKAGES.entrySet()) {
            unpack(one.getKey(), work.resolve("node_modules").resolve(one.getValue()));
        }
        Path built = work.resolve("assets");
        empty(built);
        bundle(built);
        empty(output);
        Path assets = Files.createDirectories(output.resolve("assets"));
        try (Stream<Path> all = Files.list(built)) {
            for (Path file : all.toList()) {
                Files.copy(file, assets.resolve(file.getFileName().toString()));
            }
        }
        for (String asItIs : List.of("index.html", "service-worker.js")) {
            Files.copy(sources.resolve(asItIs), output.resolve(asItIs));
        }
        Files.copy(work.resolve("node_modules/lit/LICENSE"), output.resolve("licence-of-lit.txt"));
        Files.writeString(output.resolve("assets.json"), assets().toPrettyString());
    }

    private void bundle(Path built) throws IOException, InterruptedException {
        List<String> command = List.of(bundler().toString(), "main.ts", "--bundle", "--splitting", "--format=esm", "--target=es2022", "--minify",
                "--legal-comments=none", "--outdir=" + built, "--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]", "--asset-names=[name]-[hash]",
                "--loader:.svg=file", "--public-path=/console/assets", "--metafile=" + work.resolve("meta.json"), "--log-level=warning", "--color=false");
        Process process = new ProcessBuilder(command).directory(sources.toFile()).redirectErrorStream(true).redirectOutput(work.resolve("esbuild.log").toFile()).start();
        if (!process.waitFor(BUNDLER_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("esbuild took longer than %d seconds".formatted(BUNDLER_SECONDS_MAX));
        }
        String said = Files.readString(work.resolve("esbuild.log"));
        if (process.exitValue() != 0 || !said.isBlank()) {
            throw new IOException("esbuild: " + said);
        }
    }

    /** The one that {@code ESBUILD} names, else the one on the class path. */
    private Path bundler() throws IOException {
        String named = System.getenv("ESBUILD");
        if (named != null) {
            return Path.of(named);
        }
        for (String one : BUNDLERS) {
            if (isThere(one)) {
                Path folder = work.resolve("esbuild");
                unpack(one, folder);
                Path binary = folder.resolve("bin/esbuild");
                if (!binary.toFile().setExecutable(true)) {
                    throw new IOException("cannot be made executable: " + binary);
                }
                return binary;
            }
        }
        throw new IOException("no esbuild for this machine on the class path; name one in ESBUILD");
    }

    private static boolean isThere(String archive) {
        return ConsoleBundle.class.getClassLoader().getResource(ABOUT.formatted(archive)) != null;
    }

    /** What a package runs with, out of the folders that are named by it and its version. */
    private static void unpack(String coordinates, Path to) throws IOException {
        URL found = ConsoleBundle.class.getClassLoader().getResource(ABOUT.formatted(coordinates));
        if (found == null) {
            throw new IOException("not on the class path: " + coordinates);
        }
        try (JarFile archive = ((JarURLConnection) found.openConnection()).getJarFile()) {
            for (JarEntry entry : Collections.list(archive.entries())) {
                String path = entry.getName();
                if (path.startsWith(ARCHIVED) && !entry.isDirectory() && !path.endsWith(".map")) {
                    String inPackage = path.substring(ARCHIVED.length()).split("/", 3)[2];
                    Path file = to.resolve(inPackage);
                    Files.createDirectories(file.getParent());
                    try (InputStream in = archive.getInputStream(entry)) {
                        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
    }

    /** What a page has to name: the script it starts with, its style, and what that script loads at once. */
    private ObjectNode assets() throws IOException {
        JsonNode outputs = new JsonMapper().readTree(work.resolve("meta.json").toFile()).path("outputs");
        ObjectNode assets = JsonMapper.builder().build().createObjectNode();
        ArrayNode files = assets.putArray("files");
        List<String> names = new ArrayList<>();
        outputs.properties().forEach(made -> names.add(name(made.getKey())));
        names.stream().sorted().forEach(files::add);
        outputs.properties().forEach(made -> {
            if (made.getValue().path("entryPoint").asText().equals("main.ts")) {
                assets.put("script", name(made.getKey()));
                assets.put("style", name(made.getValue().path("cssBundle").asText()));
                ArrayNode first = assets.putArray("preload");
                made.getValue().path("imports").forEach(one -> {
                    if (one.path("kind").asText().equals("import-statement")) {
                        first.add(name(one.path("path").asText()));
                    }
                });
            }
        });
        return assets;
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    private static void empty(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        Files.createDirectories(folder);
    }
}
