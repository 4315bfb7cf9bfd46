package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.arbitration.Await;
import io.arbitration.OtherRuntimes;
import io.arbitration.platform.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The manifests of {@code deploy/kubernetes}, applied to Kubernetes' own API server by the commands of the guide. The server, its etcd and
 * kubectl are built from their sources ({@code dev/kubernetes}). No machine of the cluster starts the pods: what the server accepts, fills in
 * and refuses is tested, and {@code ./acp image-test} runs the container.
 */
class KubernetesIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Path MANIFESTS = Path.of("deploy/kubernetes").toAbsolutePath();
    private static final Pattern COMMANDS = Pattern.compile("(?m)^```sh\n([^`]*kubectl apply -k[^`]*)^```");
    private static final String TOKEN = "an-administrator-of-this-cluster";
    private static final int COMMAND_SECONDS_MAX = 120;
    private static final Duration START = Duration.ofMinutes(3);

    @TempDir
    private static Path folder;
    private static Process server;
    private static Ran applied;

    private record Ran(int exitCode, String output) {

        String whenWell() {
            assertThat(exitCode).as(output).isZero();
            return output;
        }
    }

    @BeforeAll
    static void applyAsTheGuideSays() throws Exception {
        Optional<Path> program = OtherRuntimes.largeGoSource(Path.of("dev/kubernetes"));
        assumeTrue(program.isPresent(), "no API server of Kubernetes");
        start(program.get());
        assertThat(ArbitrationCommand.execute("keyset", folder.resolve("keyset.json").toString())).isZero();
        Files.createSymbolicLink(folder.resolve("deploy"), MANIFESTS.getParent());
        Matcher commands = COMMANDS.matcher(Files.readString(Path.of("docs/guides/operate.md")));
        assertThat(commands.find()).as("the commands of the guide").isTrue();
        applied = run("set -e\n" + commands.group(1));
        // In a cluster, the controller of service accounts makes this one in each namespace.
        run("kubectl --namespace arbitration create serviceaccount default").whenWell();
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.destroy();
            if (!server.waitFor(30, TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        }
    }

    private static void start(Path program) throws Exception {
        int port = FreePort.any();
        Path key = folder.resolve("accounts.pem");
        Path publicKey = folder.resolve("accounts.pub");
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair accounts = generator.generateKeyPair();
        Files.writeString(key, pem("PRIVATE KEY", accounts.getPrivate().getEncoded()));
        Files.writeString(publicKey, pem("PUBLIC KEY", accounts.getPublic().getEncoded()));
        Path tokens = Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",administrator,1,system:masters\n");
        Path certificates = folder.resolve("certificates");
        Path log = folder.resolve("server.log");
        server = new ProcessBuilder(program.toString(), "serve", folder.resolve("etcd").toString(), Integer.toString(FreePort.any()), Integer.toString(FreePort.any()),
                "--secure-port=" + port, "--bind-address=127.0.0.1", "--cert-dir=" + certificates, "--token-auth-file=" + tokens, "--authorization-mode=RBAC",
                "--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=" + publicKey, "--service-account-signing-key-file=" + key,
                "--service-cluster-ip-range=10.96.0.0/16", "--endpoint-reconciler-type=none")
                .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        Path programs = Files.createDirectories(folder.resolve("programs"));
        Path kubectl = Files.writeString(programs.resolve("kubectl"), "#!/bin/sh\nexec '%s' kubectl \"$@\"\n".formatted(program));
        Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts: [{name: here, context: {cluster: here, user: administrator}}]
                clusters: [{name: here, cluster: {server: "https://127.0.0.1:%d", certificate-authority: "%s"}}]
                users: [{name: administrator, user: {token: "%s"}}]
                """.formatted(port, certificates.resolve("apiserver.crt"), TOKEN));
        Await.despiteFailures("the API server is ready, see " + log, START, () -> {
            if (!server.isAlive()) {
                throw new IllegalStateException(Files.readString(log));
            }
            return run("kubectl get --raw /readyz").exitCode() == 0 && run("kubectl get namespace default").exitCode() == 0;
        });
    }

    private static String pem(String kind, byte[] encoded) {
        return "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded), kind);
    }

    private static Ran run(String script) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("PATH", folder.resolve("programs") + ":" + System.getenv("PATH"));
        builder.environment().put("KUBECONFIG", folder.resolve("kubeconfig").toString());
        builder.environment().put("HOME", folder.toString());
        Process process = builder.start();
        if (!process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("%s does not end: %s".formatted(script, Files.readString(output)));
        }
        String printed = Files.readString(output);
        Files.delete(output);
        return new Ran(process.exitValue(), printed);
    }

    /** Each object of the manifests, as {@code kind/name}. */
    private static List<String> objects() throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(MANIFESTS)) {
            for (Path file : files.filter(file -> !file.endsWith("kustomization.yaml")).toList()) {
                try (MappingIterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(file.toFile())) {
                    all.forEachRemaining(one -> names.add(one.path("kind").asText().toLowerCase(Locale.ROOT) + "/" + one.path("metadata").path("name").asText()));
                }
            }
        }
        return names;
    }

    @Test
    void theCommandsOfTheGuideMakeEachObjectOfTheManifests() throws Exception {
        applied.whenWell();
        assertThat(applied.output().toLowerCase(Locale.ROOT)).doesNotContain("warning: unknown").doesNotContain("deprecated").doesNotContain("podsecurity");
        assertThat(objects()).hasSizeGreaterThan(9);
        for (String object : objects()) {
            run("kubectl --namespace arbitration get " + object).whenWell();
        }
    }

    @Test
    void appliedAgainNothingChangesAndTheKeysetStays() throws Exception {
        String state = "kubectl --namespace arbitration get secret/platform-keyset deployment/platform --output jsonpath='{.items[*].metadata.uid} {.items[*].metadata.generation}'";
        String before = run(state).whenWell();
        run("kubectl diff -k deploy/kubernetes").whenWell();
        run("kubectl apply -k deploy/kubernetes").whenWell();
        assertThat(run(state).whenWell()).isEqualTo(before);
        String kept = run("kubectl --namespace arbitration get secret platform-keyset --output jsonpath='{.data.keyset\\.json}'").whenWell();
        assertThat(Base64.getDecoder().decode(kept)).isEqualTo(Files.readAllBytes(folder.resolve("keyset.json")));
    }

    private static Ran admitted(Consumer<ObjectNode> change) throws Exception {
        JsonNode deployment = JSON.readTree(run("kubectl --namespace arbitration get deployment platform --output json").whenWell());
        ObjectNode pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
        pod.putObject("metadata").put("name", "one").put("namespace", "arbitration");
        pod.set("spec", deployment.path("spec").path("template").path("spec"));
        change.accept((ObjectNode) pod.path("spec"));
        Files.writeString(folder.resolve("pod.json"), pod.toString(), StandardCharsets.UTF_8);
        return run("kubectl create --dry-run=server --filename pod.json");
    }

    @Test
    void podsAreAdmittedWhereTheNamespaceIsRestricted() throws Exception {
        admitted(spec -> {}).whenWell();
        // As the guide says for captures of pages.
        admitted(spec -> ((ObjectNode) spec.path("securityContext")).putObject("seccompProfile").put("type", "Localhost").put("localhostProfile", "seccomp-captures.json")).whenWell();
        Ran asRoot = admitted(spec -> ((ObjectNode) spec.path("securityContext")).put("runAsUser", 0));
        assertThat(asRoot.exitCode()).isNotZero();
        assertThat(asRoot.output()).contains("violates PodSecurity \"restricted:latest\"");
    }

    @Test
    void theServerRefusesWhatKubernetesDoesNotKnow() throws Exception {
        String deployment = Files.readString(MANIFESTS.resolve("deployment.yaml"));
        Files.writeString(folder.resolve("misspelt.yaml"), deployment.replace("replicas:", "replicaz:"));
        assertThat(run("kubectl apply --dry-run=server --filename misspelt.yaml")).satisfies(ran -> {
            assertThat(ran.exitCode()).isNotZero();
            assertThat(ran.output()).contains("unknown field \"spec.replicaz\"");
        });
        Files.writeString(folder.resolve("wrong.yaml"), deployment.replace("cpu: \"2\"", "cpu: 100m"));
        assertThat(run("kubectl apply --dry-run=server --filename wrong.yaml")).satisfies(ran -> {
            assertThat(ran.exitCode()).isNotZero();
            assertThat(ran.output()).contains("must be less than or equal to cpu limit");
        });
    }

    /** Selectors, for example, cannot be changed: an operator would have to delete the deployment. */
    @Test
    void theManifestsOfTheReleaseBeforeAreReplacedByThese() throws Exception {
        String commit = Files.readAllLines(Path.of("dev/former-release")).stream().filter(line -> !line.startsWith("#")).findFirst().orElseThrow().strip();
        Path former = Files.createDirectories(folder.resolve("former"));
        boolean there = run("git -C '%s' archive %s deploy/kubernetes | tar -x -C '%s'".formatted(Path.of("").toAbsolutePath(), commit, former)).exitCode() == 0
                && Files.isDirectory(former.resolve("deploy/kubernetes"));
        if (!there) {
            System.out.printf("skipped: this clone has no commit %s of the release before%n", commit);
        }
        assumeTrue(there, "no release before");
        copyToOtherNamespace(MANIFESTS, folder.resolve("present"));
        copyToOtherNamespace(former.resolve("deploy/kubernetes"), folder.resolve("before"));
        run("kubectl apply -k before").whenWell();
        run("kubectl apply -k present").whenWell();
    }

    private static void copyToOtherNamespace(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.writeString(to.resolve(file.getFileName()), Files.readString(file).replaceAll("(?m)^( *name(?:space)?): arbitration$", "$1: upgraded"));
            }
        }
    }
}
