package io.arbitration.webhooks.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.platform.keys.KeyService;
import io.arbitration.platform.keys.KeySettings;
import io.arbitration.platform.keys.LocalKeyset;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretCipherTest {

    private static final UUID OURS = new UUID(0, 1);
    private static final UUID THEIRS = new UUID(0, 2);
    private static final String URL = "https://hooks.example.org/";

    @TempDir
    private Path folder;

    /** As when somebody who can write to the database copies a secret to another row. */
    @Test
    void aSecretOpensForItsOwnUrlOnlyAlsoAfterItWasCached() {
        SecretCipher cipher = new SecretCipher(LocalKeyset.open(new KeySettings(folder.resolve("keyset.json"), new KeyService.Local(), Duration.ZERO), Clock.systemUTC()));
        SigningSecret secret = SigningSecret.random(new Random(1));
        byte[] sealed = cipher.seal(secret, OURS, URL);

        assertThat(cipher.open(sealed, OURS, URL).text()).isEqualTo(secret.text());
        assertThatThrownBy(() -> cipher.open(sealed, THEIRS, URL)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> cipher.open(sealed, OURS, URL + "other")).isInstanceOf(IllegalStateException.class);
        assertThat(cipher.open(sealed.clone(), OURS, URL).text()).isEqualTo(secret.text());
    }
}
