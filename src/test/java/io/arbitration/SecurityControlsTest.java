package io.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@code docs/security-controls.md} lists is what there is: no table, algorithm, peer, type of file or way to sign in is missing. */
class SecurityControlsTest {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern ASKED_FOR = Pattern.compile(
            "(?:Cipher|MessageDigest|Mac|Signature|KeyAgreement|KeyPairGenerator|SecretKeyFactory|SSLContext)\\.getInstance\\(\"([^\"]+)\"");
    /** Settings whose names end as those of addresses do. */
    private static final Pattern ADDRESS = Pattern.compile(".*\\.(?:[a-z]*(?:Url|Host|Port|Endpoint|Servers)|url|host|port|endpoint|address|allowedEndpoints|members|buckets|providers|issuer)");
    /** Of these, those to which no node talks: the page of a case that mails link to, and what stands for whole tables of the page. */
    private static final Set<String> NO_PEER = Set.of("alerts.caseUrl");

    private static String page;
    private static Set<String> settings;

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(Path.of("docs/security-controls.md"));
        settings = CODE.matcher(Files.readAllLines(Path.of("docs/reference/configuration.md")).stream().filter(line -> line.startsWith("| `"))
                        .map(line -> line.substring(0, line.indexOf("<br>") < 0 ? line.length() : line.indexOf("<br>"))).collect(Collectors.joining("\n")))
                .results().map(found -> found.group(1)).collect(Collectors.toCollection(TreeSet::new));
        assertThat(settings).hasSizeGreaterThan(150);
    }

    private static String section(String heading) {
        int start = page.indexOf("\n## " + heading + "\n");
        assertThat(start).as(heading).isPositive();
        int end = page.indexOf("\n## ", start + 4);
        return page.substring(start, end < 0 ? page.length() : end);
    }

    private static List<String> named(String text) {
        return CODE.matcher(text).results().map(found -> found.group(1)).toList();
    }

    private static List<String> named(String heading, Predicate<String> which) {
        return named(section(heading)).stream().filter(which).toList();
    }

    @Test
    void everyTableOfTheDatabaseHasOneClass() throws IOException {
        Set<String> tables = new TreeSet<>();
        try (Stream<Path> migrations = Files.list(Path.of("src/main/resources/db/migration"))) {
            for (Path migration : migrations.sorted().toList()) {
                String sql = Files.readString(migration);
                Pattern.compile("create table (?:if not exists )?([a-z_]+\\.[a-z_]+)").matcher(sql).results().forEach(found -> tables.add(found.group(1)));
                Pattern.compile("drop table (?:if exists )?([a-z_]+\\.[a-z_]+)").matcher(sql).results().forEach(found -> tables.remove(found.group(1)));
            }
        }
        String section = section("Classes of data");
        List<String> rows = section.substring(0, section.indexOf("\n\n| class | who can read it")).lines().filter(line -> line.startsWith("| ")).toList();
        assertThat(rows).hasSize(5);
        assertThat(rows.stream().flatMap(row -> named(row).stream()).toList()).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(tables);
        List<String> classes = rows.stream().skip(1).map(row -> row.split("\\|")[1].strip()).toList();
        List<String> kept = section.substring(section.indexOf("| class | who can read it")).lines().filter(line -> line.startsWith("| ")).skip(1)
                .map(row -> row.split("\\|")[1].strip()).toList();
        assertThat(kept).as("each class says how it is kept").isEqualTo(classes);
    }

    @Test
    void everyAlgorithmInUseIsInTheInventoryOfKeys() throws IOException {
        Set<String> used = new TreeSet<>(Set.of("HmacSHA256"));
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                ASKED_FOR.matcher(Files.readString(source)).results().forEach(found -> used.add(found.group(1)));
            }
        }
        assertThat(used).hasSizeGreaterThan(6);
        assertThat(named(section("Keys"))).containsAll(used);
    }

    @Test
    void everyAddressThatCanBeSetIsAmongThoseThatANodeTalksTo() {
        List<String> peers = named("Network peers of a node", name -> true);
        assertThat(settings.stream().filter(name -> ADDRESS.matcher(name).matches()).filter(name -> !NO_PEER.contains(name)))
                .hasSizeGreaterThan(20).isSubsetOf(peers);
    }

    @Test
    void everySettingThatIsNamedIsThere() {
        Set<String> areas = settings.stream().map(name -> name.split("\\.")[0]).collect(Collectors.toSet());
        List<String> named = Stream.of("Keys", "Network peers of a node", "Files", "Limits of expensive work").flatMap(heading -> named(section(heading)).stream())
                .filter(name -> name.matches("[a-z][A-Za-z]*(\\.[A-Za-z0-9]+)+")).filter(name -> areas.contains(name.split("\\.")[0]))
                .filter(name -> !section("Classes of data").contains("`" + name + "`") || settings.contains(name)).toList();
        assertThat(named).hasSizeGreaterThan(50).isSubsetOf(settings);
    }

    @Test
    void theTypesOfEvidenceAreThoseOfTheDefinitions() throws IOException {
        Set<String> taken = new TreeSet<>();
        for (JsonNode category : new YAMLMapper().readTree(Path.of("conf/definitions/evidence.yaml").toFile()).get("evidence")) {
            category.get("contentTypes").forEach(type -> taken.add(type.asText()));
        }
        String row = section("Files").lines().filter(line -> line.startsWith("| evidence ")).findFirst().orElseThrow();
        assertThat(named(row.split("\\|")[2])).containsExactlyElementsOf(taken);
        // An SVG may carry scripts, which nobody here takes out.
        assertThat(taken).doesNotContain("image/svg+xml");
    }

    @Test
    void everyOperationThatAnybodyMayCallOfTheIdentityAreaIsAWayToSignInOrSaidToBeNone() {
        Set<String> open = ShippedContracts.operations().stream().filter(one -> one.path().startsWith("/auth/") && one.node().get("security").isEmpty())
                .map(ShippedContracts.Operation::id).filter(id -> !id.contains("Demo")).collect(Collectors.toCollection(TreeSet::new));
        assertThat(open).hasSizeGreaterThan(5);
        assertThat(named("Ways to sign in", name -> name.matches("[a-z]+([A-Z][a-zA-Z]*)+") && !name.equals("acrValues"))).containsExactlyInAnyOrderElementsOf(open);
    }

    @Test
    void everyErrorThatIsNamedIsThere() throws IOException {
        String errors = Files.readString(Path.of("docs/reference/errors.md"));
        List<String> codes = section("Consistency rules").lines().filter(line -> line.startsWith("| ")).skip(1)
                .flatMap(row -> named(row.split("\\|")[3]).stream()).toList();
        assertThat(codes).hasSizeGreaterThan(8).allSatisfy(code -> assertThat(errors).contains("`" + code + "`"));
    }

    @Test
    void thePageOfReportingSaysHowSoonAWeaknessIsMended() throws IOException {
        assertThat(section("Libraries").replaceAll("\\s+", " ")).contains("a critical or exploited one within 7 days, a high one within 30 days, the others within 90 days");
        assertThat(Files.readString(Path.of("SECURITY.md"))).contains("docs/security-controls.md#libraries");
    }
}
