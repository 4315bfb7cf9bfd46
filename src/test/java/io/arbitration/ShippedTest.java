package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What is shipped: the licences of every library, by the bill of materials that the build makes, and what the jar holds. */
class ShippedTest {

    private static final String SBOM = "META-INF/sbom/application.cdx.json";
    private static final Path CLASSES = Path.of("target/classes");
    private static final Path JAR = Path.of("target/platform.jar");

    /** Licences by their SPDX names that let anyone use and pass on the library, its source unchanged or not shipped at all. */
    private static final Set<String> ALLOWED = Set.of("Apache-2.0", "MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "CC0-1.0",
            // Logback, which is used as it is.
            "EPL-2.0");

    private static JsonObject bill() throws IOException {
        Path file = CLASSES.resolve(SBOM);
        assumeTrue(Files.exists(file), "there is no bill of materials: the Maven build makes it (./acp build)");
        return new JsonObject(Buffer.buffer(Files.readAllBytes(file)));
    }

    private static Set<String> licences(JsonObject component) {
        return component.getJsonArray("licenses", new JsonArray()).stream().map(JsonObject.class::cast)
                .map(one -> Optional.ofNullable(one.getString("expression")).orElseGet(() -> Objects.requireNonNullElse(
                        one.getJsonObject("license").getString("id"), one.getJsonObject("license").getString("name"))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Where a library names several, its user chooses. */
    @Test
    void everyLibraryHasALicenceThatIsAllowed() throws IOException {
        Map<String, Set<String>> refused = new TreeMap<>();
        List<JsonObject> components = bill().getJsonArray("components").stream().map(JsonObject.class::cast).toList();
        assertThat(components).hasSizeGreaterThan(80);
        for (JsonObject component : components) {
            Set<String> licences = licences(component);
            if (licences.stream().noneMatch(ALLOWED::contains)) {
                refused.put(component.getString("purl"), licences);
            }
        }
        assertThat(refused).as("libraries whose licences are not among %s", new TreeSet<>(ALLOWED)).isEmpty();
    }

    @Test
    void theProductItselfIsUnderTheLicenceThatItsFileHolds() throws IOException {
        assertThat(licences(bill().getJsonObject("metadata").getJsonObject("component"))).containsExactly("Apache-2.0");
        assertThat(Files.readString(Path.of("LICENSE"))).contains("Apache License", "Version 2.0, January 2004");
    }

    @Test
    void everyLibraryThatTheJarRunsWithIsInTheBill() throws IOException {
        JsonObject bill = bill();
        assumeTrue(Files.exists(JAR), "there is no build of the jar (./acp build)");
        Set<String> billed = bill.getJsonArray("components").stream().map(JsonObject.class::cast)
                .map(one -> one.getString("name") + "-" + one.getString("version")).collect(Collectors.toSet());
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH).split(" "))
                    .hasSizeGreaterThan(80)
                    .allSatisfy(library -> assertThat(billed).anyMatch(library.substring("lib/".length())::startsWith));
        }
    }

    /** Also where nothing was built: the build makes the bill before the jar, where the jar takes it from, and the image takes it from there. */
    @Test
    void theBuildMakesTheBillBeforeTheJarAndTheImageTakesIt() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        String plugin = pom.substring(pom.indexOf("<artifactId>cyclonedx-maven-plugin<"), pom.indexOf("</plugin>", pom.indexOf("<artifactId>cyclonedx-maven-plugin<")));
        assertThat(plugin).contains("<phase>process-classes</phase>", "<goal>makeBom</goal>", "<outputFormat>json</outputFormat>",
                "<outputDirectory>${project.build.outputDirectory}/" + Path.of(SBOM).getParent() + "</outputDirectory>",
                "<outputName>" + Path.of(SBOM).getFileName().toString().replace(".json", "") + "</outputName>").doesNotContain("<skip>");
        String jar = pom.substring(pom.indexOf("<artifactId>maven-jar-plugin<"), pom.indexOf("</plugin>", pom.indexOf("<artifactId>maven-jar-plugin<")));
        assertThat(jar).as("the jar leaves nothing of the classes out but what is for benchmarks").doesNotContain("META-INF");
        assertThat(Files.readString(Path.of("Dockerfile"))).contains("COPY --from=build /opt/acp/target/classes/" + SBOM + " sbom/");
    }

    @Test
    void theJarHoldsTheBillAndTheDocumentationAndNothingOfBenchmarks() throws IOException {
        assumeTrue(Files.exists(JAR), "there is no build of the jar (./acp build)");
        try (JarFile jar = new JarFile(JAR.toFile())) {
            Set<String> names = jar.stream().map(ZipEntry::getName).collect(Collectors.toSet());
            assertThat(names).contains(SBOM, "META-INF/LICENSE", "documentation/pages.json", "documentation/index.html").noneMatch(name -> name.startsWith("bench/") || name.contains("/command/bench/") || name.contains("OwnForms"));
        }
    }
}
