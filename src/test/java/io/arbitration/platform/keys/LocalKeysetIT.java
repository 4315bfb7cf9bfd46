package io.arbitration.platform.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jwt.SignedJWT;
import io.arbitration.ExpiredHttps;
import io.arbitration.FaultyLine;
import io.arbitration.Moto;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.Settings;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.StartFailure;
import io.arbitration.platform.config.Configuration;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keyset in its file, in the clear or encrypted by a key-management service. */
class LocalKeysetIT {

    private static final byte[] PLAIN = "a private key".getBytes(StandardCharsets.UTF_8);
    private static final byte[] CONTEXT = "its row".getBytes(StandardCharsets.UTF_8);
    private static final String GOOGLE_KEY = "projects/p/locations/l/keyRings/r/cryptoKeys/k";

    @TempDir
    private Path folder;

    private KeySettings settings(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("ACP_DATA_FOLDER", folder.toString());
        all.putIfAbsent("ACP_KEYS_WAIT_SECONDS", "3");
        Path home = Path.of("").toAbsolutePath();
        return Settings.read(Configuration.load(home, all), home).keys();
    }

    private Kms open(Map<String, String> environment) {
        return LocalKeyset.open(settings(environment), Clock.systemUTC());
    }

    private JsonObject file() throws IOException {
        return new JsonObject(Files.readString(folder.resolve("keys/keyset.json")));
    }

    /** What one start encrypted, the next decrypts; the file holds no key in the clear. */
    private void checkKept(Map<String, String> environment) throws IOException {
        byte[] cipher = open(environment).encrypt(PLAIN, CONTEXT);
        assertThat(file().fieldNames()).contains("encryptedKeyset").doesNotContain("key");
        Kms again = open(environment);
        assertThat(again.decrypt(cipher, CONTEXT)).isEqualTo(PLAIN);
        assertThatThrownBy(() -> again.decrypt(cipher, PLAIN)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void withoutAServiceTheFileHoldsTheKeysetItself() throws IOException {
        byte[] cipher = open(Map.of()).encrypt(PLAIN, CONTEXT);
        assertThat(file().fieldNames()).contains("key");
        assertThat(open(Map.of()).decrypt(cipher, CONTEXT)).isEqualTo(PLAIN);
    }

    @Test
    void vaultEncryptsTheKeyset() throws IOException {
        try (KeyServiceServer vault = new KeyServiceServer()) {
            checkKept(KeyServiceServer.vault(vault.address()));
            Path token = Files.writeString(folder.resolve("token"), KeyServiceServer.TOKEN + "\n");
            Map<String, String> fromFile = new HashMap<>(KeyServiceServer.vault(vault.address()));
            fromFile.put("ACP_KEYS_VAULT_TOKEN", "");
            fromFile.put("ACP_KEYS_VAULT_TOKEN_FILE", token.toString());
            checkKept(fromFile);
        }
    }

    @Test
    void aKeysetThatAServiceEncryptsStaysEncryptedWhenItsKeyIsReplaced() throws IOException {
        try (KeyServiceServer vault = new KeyServiceServer()) {
            Map<String, String> settings = KeyServiceServer.vault(vault.address());
            byte[] cipher = open(settings).encrypt(PLAIN, CONTEXT);
            LocalKeyset.change(settings(settings), LocalKeyset.Step.ADD_KEY, Clock.systemUTC());
            LocalKeyset.change(settings(settings), LocalKeyset.Step.USE_NEWEST, Clock.systemUTC());
            Kms both = open(settings);
            assertThat(both.decrypt(cipher, CONTEXT)).isEqualTo(PLAIN);
            assertThat(file().fieldNames()).contains("encryptedKeyset").doesNotContain("key");
            LocalKeyset.change(settings(settings), LocalKeyset.Step.REMOVE_OTHERS, Clock.systemUTC());
            assertThat(open(settings).prefix()).isEqualTo(both.prefix());
            assertThatThrownBy(() -> open(settings).decrypt(cipher, CONTEXT)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void googleEncryptsTheKeysetForTheMachineOrAServiceAccount() throws Exception {
        try (KeyServiceServer google = new KeyServiceServer()) {
            Map<String, String> machine = Map.of("ACP_KEYS_SERVICE", "gcp", "ACP_KEYS_GCP_KEY", GOOGLE_KEY,
                    "ACP_KEYS_GCP_ENDPOINT", google.address(), "ACP_KEYS_GCP_METADATA_ENDPOINT", google.address());
            checkKept(machine);
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            KeyPair pair = generator.generateKeyPair();
            String pem = "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n".formatted(Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded()));
            Path account = Files.writeString(folder.resolve("account.json"), new JsonObject().put("client_email", "platform@p.example").put("private_key_id", "k1")
                    .put("private_key", pem).put("token_uri", google.address() + "/token").encode());
            Map<String, String> asAccount = new HashMap<>(machine);
            asAccount.put("ACP_KEYS_GCP_CREDENTIALS_FILE", account.toString());
            checkKept(asAccount);
            SignedJWT assertion = SignedJWT.parse(google.assertions().getFirst().split("assertion=")[1]);
            assertThat(assertion.verify(new RSASSAVerifier((RSAPublicKey) pair.getPublic()))).isTrue();
            assertThat(assertion.getJWTClaimsSet().getIssuer()).isEqualTo("platform@p.example");
            assertThat(assertion.getJWTClaimsSet().getAudience()).containsExactly(google.address() + "/token");
        }
    }

    @Test
    void amazonEncryptsTheKeyset() throws Exception {
        int port = FreePort.any();
        Process moto = moto(port);
        try {
            String endpoint = "http://127.0.0.1:" + port;
            String keyId = createAmazonKey(moto, endpoint);
            checkKept(Map.of("ACP_KEYS_SERVICE", "aws", "ACP_KEYS_AWS_ENDPOINT", endpoint, "ACP_KEYS_AWS_KEY_ID", keyId,
                    "ACP_KEYS_AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE", "ACP_KEYS_AWS_SECRET_ACCESS_KEY", "secret"));
        } finally {
            moto.descendants().forEach(ProcessHandle::destroyForcibly);
            moto.destroyForcibly();
        }
    }

    private static Process moto(int port) throws IOException, InterruptedException {
        Optional<Path> programs = Moto.programs();
        Assumptions.assumeTrue(programs.isPresent(), "no moto");
        return OtherRuntimes.compilingOnce(new ProcessBuilder(programs.get().resolve("moto_server").toString(), "-H", "127.0.0.1", "-p", String.valueOf(port)))
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }

    private static String createAmazonKey(Process moto, String endpoint) throws Exception {
        HttpRequest create = HttpRequest.newBuilder(URI.create(endpoint + "/")).timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/x-amz-json-1.1").header("X-Amz-Target", "TrentService.CreateKey")
                .header("Authorization", "AWS4-HMAC-SHA256 Credential=x/20261121/us-east-1/kms/aws4_request, SignedHeaders=host, Signature=0")
                .POST(HttpRequest.BodyPublishers.ofString("{}")).build();
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (true) {
                try {
                    return new JsonObject(client.send(create, HttpResponse.BodyHandlers.ofString()).body()).getJsonObject("KeyMetadata").getString("KeyId");
                } catch (IOException notYet) {
                    assertThat(moto.isAlive() && System.nanoTime() < end).as("moto starts").isTrue();
                    moto.waitFor(50, TimeUnit.MILLISECONDS);
                }
            }
        }
    }

    @Test
    void aServiceThatIsAwayAtTheStartIsWaitedForAWhile() throws IOException {
        try (KeyServiceServer vault = new KeyServiceServer()) {
            vault.awayFor(2);
            checkKept(KeyServiceServer.vault(vault.address()));
            assertThat(vault.calls()).isGreaterThan(4);
        }
    }

    @Test
    void aServiceThatStaysAwayStopsTheStartAndIsNamed() throws IOException {
        String address = "http://127.0.0.1:" + FreePort.any();
        long start = System.nanoTime();
        assertThatThrownBy(() -> open(KeyServiceServer.vault(address))).isInstanceOf(StartFailure.class).hasMessageContaining("Vault cannot be reached");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(60));
        assertThat(folder.resolve("keys/keyset.json")).doesNotExist();
    }

    @Test
    void aServiceThatSaysNothingOrAnswersNonsenseStopsTheStartAndIsNamed() throws IOException {
        try (FaultyLine line = new FaultyLine(FreePort.any(), FaultyLine.State.SILENT)) {
            for (FaultyLine.State state : List.of(FaultyLine.State.SILENT, FaultyLine.State.NONSENSE)) {
                line.become(state);
                assertThatThrownBy(() -> open(KeyServiceServer.vault("http://127.0.0.1:" + line.port()))).as("%s", state)
                        .isInstanceOf(StartFailure.class).hasMessageContaining("Vault cannot be reached").message().doesNotContain(KeyServiceServer.TOKEN);
                assertThat(folder.resolve("keys/keyset.json")).doesNotExist();
            }
        }
    }

    @Test
    void aServiceWithAnExpiredCertificateIsToldNothingAndStopsTheStart() throws Exception {
        try (ExpiredHttps stranger = ExpiredHttps.start(folder)) {
            assertThatThrownBy(() -> open(KeyServiceServer.vault("https://localhost:" + stranger.port())))
                    .isInstanceOf(StartFailure.class).hasMessageContaining("Vault").hasMessageContaining("certif");
            assertThat(stranger.asked()).isZero();
        }
    }

    @Test
    void aServiceThatRefusesStopsTheStartAtOnce() {
        try (KeyServiceServer vault = new KeyServiceServer()) {
            Map<String, String> wrong = new HashMap<>(KeyServiceServer.vault(vault.address()));
            wrong.put("ACP_KEYS_VAULT_TOKEN", "another");
            assertThatThrownBy(() -> open(wrong)).isInstanceOf(StartFailure.class)
                    .hasMessageContaining("Vault refuses with 403").hasMessageContaining("permission denied").message().doesNotContain("another");
            assertThat(vault.calls()).isOne();
        }
    }

    @Test
    void aKeysetIsNotTakenForOneOfTheOtherKind() {
        try (KeyServiceServer vault = new KeyServiceServer()) {
            open(Map.of());
            assertThatThrownBy(() -> open(KeyServiceServer.vault(vault.address()))).isInstanceOf(StartFailure.class)
                    .hasMessageContaining("it is not encrypted, and keys.service is not local");
        }
    }

    /** What the platform stored can be used although the service has gone; only a start needs it. */
    @Test
    void onceStartedThePlatformNeedsTheServiceNoMore() throws IOException {
        int port;
        try (KeyServiceServer vault = new KeyServiceServer()) {
            port = vault.port();
            try (RunningPlatform platform = RunningPlatform.start(folder, KeyServiceServer.vault(vault.address()))) {
                vault.close();
                // One encrypts a new private key, the other the answer, which is decrypted when it is asked for again.
                JsonObject client = new JsonObject().put("name", "Keys").put("permissions", new JsonArray().add("push.keys.creator"));
                String token = platform.post("/auth/clients/token",
                        platform.post("/auth/clients/create", client, platform.administrator().token()).object(), null).object().getString("accessToken");
                for (String replayed : Arrays.asList(null, "true")) {
                    RunningPlatform.Answer answer = platform.post("/push/vapid-keys/create", (JsonObject) null, token, "Idempotency-Key", "away");
                    assertThat(answer.body()).isEqualTo("Vapid key created successfully.");
                    assertThat(answer.header("Idempotent-Replayed")).isEqualTo(replayed);
                }
            }
        }
        Map<String, String> settings = KeyServiceServer.vault("http://127.0.0.1:" + port);
        assertThatThrownBy(() -> RunningPlatform.start(folder, settings)).isInstanceOf(StartFailure.class).hasMessageContaining("Vault cannot be reached");
        try (KeyServiceServer back = new KeyServiceServer(port); RunningPlatform platform = RunningPlatform.start(folder, settings)) {
            assertThat(platform.signIn("ada@example.org", "Ada", "Away").token()).isNotEmpty();
            assertThat(back.calls()).isOne();
        }

    }
}
