package io.arbitration.platform.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.push.vapid.VapidKeyRepository;
import io.arbitration.webhooks.urls.StoredSecretRepository;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator replaces the key of the keyset: nothing that it encrypted is lost, and the former key is needed no more. */
class KeysetRotationIT {

    private static final List<String> ENCRYPTED = List.of(
            "select encrypted from platform.signing_keys where encrypted is not null", "select encrypted from identity.demo_key",
            "select encrypted from push.vapid_keys", "select secret from webhooks.urls where deleted_at is null", "select unnest(previous_secrets) from webhooks.urls");

    @TempDir
    private Path folder;

    private void change(LocalKeyset.Step step) {
        LocalKeyset.change(new KeySettings(folder.resolve("keys/keyset.json"), new KeyService.Local(), Duration.ZERO), step, Clock.systemUTC());
    }

    private static JsonObject taken(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object();
    }

    /** How many stored values begin otherwise. */
    private static long without(RunningPlatform platform, byte[] prefix) {
        return ENCRYPTED.stream().mapToLong(query -> Long.parseLong(platform.rows(
                "select count(*) from (%s) as all_of_it(cipher) where substring(cipher from 1 for 5) <> decode(?, 'hex')".formatted(query),
                HexFormat.of().formatHex(prefix)).getFirst().getFirst())).sum();
    }

    /** What is stored of webhooks and web push, in the clear. */
    private static List<String> secrets(RunningPlatform platform) {
        List<String> all = new ArrayList<>();
        for (Reencryption.Rows rows : List.of(new VapidKeyRepository(platform.database()), new StoredSecretRepository(platform.database()))) {
            // No value begins with this byte.
            Await.result(rows.without(new byte[] {0}, Optional.empty(), 1000)).forEach(row -> row.ciphers().forEach(cipher ->
                    all.add(row.id() + " " + HexFormat.of().formatHex(platform.services().kms().decrypt(cipher, row.context())))));
        }
        return all;
    }

    @Test
    void theKeyIsReplacedWithoutLosingWhatItEncrypted() {
        Map<String, String> settings = Map.of("ACP_OUTBOUND_ALLOWED_PRIVATE", "127.0.0.1/32");
        String token;
        String idToken;
        List<String> secrets;
        byte[] first;
        byte[] cipher;
        byte[] context = {1};
        try (RunningPlatform platform = RunningPlatform.start(folder, settings)) {
            RunningPlatform.Person owner = platform.signIn("olga@example.org", "Olga", "Owner");
            token = owner.token();
            idToken = taken(platform.post("/demo/id-token", new JsonObject().put("email", "x@example.com").put("first_name", "X").put("last_name", "Y"), null)).getString("idToken");
            taken(platform.post("/auth/organizations/create", new JsonObject().put("name", "Cranes"), token));
            JsonObject url = new JsonObject().put("url", "http://127.0.0.1:8099/hook");
            taken(platform.post("/webhooks/urls/create", url.copy().put("events", new JsonArray().add("docket_filing")), token));
            taken(platform.post("/webhooks/urls/rotate-secret", url, token));
            secrets = secrets(platform);
            assertThat(secrets).as("a key of web push, and two secrets of a webhook").hasSize(3);
            first = platform.services().kms().prefix();
            assertThat(without(platform, first)).isZero();
            cipher = platform.services().kms().encrypt(new byte[] {7}, context);
        }

        change(LocalKeyset.Step.ADD_KEY);
        try (RunningPlatform platform = RunningPlatform.startFromNothing(folder, settings)) {
            assertThat(platform.services().kms().prefix()).as("the new key only decrypts").isEqualTo(first);
        }

        change(LocalKeyset.Step.USE_NEWEST);
        try (RunningPlatform platform = RunningPlatform.startFromNothing(folder, settings)) {
            byte[] second = platform.services().kms().prefix();
            assertThat(second).isNotEqualTo(first);
            Await.until("all is encrypted again", () -> without(platform, second) == 0);
            assertThat(platform.services().kms().decrypt(cipher, context)).as("what is on its way").isEqualTo(new byte[] {7});
        }

        change(LocalKeyset.Step.REMOVE_OTHERS);
        try (RunningPlatform platform = RunningPlatform.startFromNothing(folder, settings)) {
            assertThat(secrets(platform)).isEqualTo(secrets);
            assertThat(platform.post("/auth/users/me", (JsonObject) null, token).status()).as("signed by the key of before").isEqualTo(200);
            assertThat(platform.post("/auth/authenticate/demo", new JsonObject().put("idToken", idToken), null).status()).isEqualTo(200);
            assertThatThrownBy(() -> platform.services().kms().decrypt(cipher, context)).isInstanceOf(IllegalStateException.class);
        }
    }
}
