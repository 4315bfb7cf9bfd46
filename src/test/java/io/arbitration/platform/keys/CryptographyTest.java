package io.arbitration.platform.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.identity.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which cryptography there is, and that what it protects cannot be changed or guessed. */
class CryptographyTest {

    private static final Pattern ASKED_FOR = Pattern.compile("\\b(Cipher|MessageDigest|Mac|Signature|KeyAgreement|KeyPairGenerator|SecretKeyFactory|KeyGenerator|SSLContext)"
            + "\\s*\\.getInstance\\(\\s*(\"[^\"]*\"|\\w+)");
    /** {@code ALGORITHM} is the one of webhook signatures. */
    private static final Set<String> IN_USE = Set.of(
            "Cipher \"AES/GCM/NoPadding\"", "MessageDigest \"SHA-256\"", "Mac \"HmacSHA256\"", "Mac ALGORITHM",
            "Signature \"SHA256withECDSAinP1363Format\"", "KeyAgreement \"ECDH\"", "KeyPairGenerator \"EC\"",
            "SecretKeyFactory \"PBKDF2WithHmacSHA256\"", "SSLContext \"TLSv1.3\"");

    @Test
    void noOtherAlgorithmIsInUse() throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                String text = Files.readString(source);
                ASKED_FOR.matcher(text).results().forEach(asked -> found.add(asked.group(1) + " " + asked.group(2)));
                if (text.contains("Mac.getInstance(ALGORITHM)")) {
                    assertThat(text).as("%s", source).contains("String ALGORITHM = \"HmacSHA256\"");
                }
            }
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(IN_USE);
    }

    @Test
    void whatIsStoredEncryptedCannotBeChangedUnnoticed(@TempDir Path folder) {
        LocalKeyset keyset = LocalKeyset.open(folder.resolve("keyset.json"));
        byte[] context = "row 7".getBytes(StandardCharsets.UTF_8);
        byte[] encrypted = keyset.encrypt("a secret".getBytes(StandardCharsets.UTF_8), context);
        assertThat(keyset.decrypt(encrypted, context)).isEqualTo("a secret".getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < encrypted.length; i++) {
            byte[] changed = encrypted.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> keyset.decrypt(changed, context)).as("byte %d", i).isInstanceOf(RuntimeException.class);
        }
        assertThatThrownBy(() -> keyset.decrypt(encrypted, "row 8".getBytes(StandardCharsets.UTF_8))).as("moved to another row").isInstanceOf(RuntimeException.class);
    }

    /** 32 bytes of the source are 43 characters of Base64: each secret takes them all, and no two are the same. */
    @Test
    void secretsCarry256BitsOfTheSource() {
        int[] taken = new int[1];
        Secrets secrets = new Secrets(new SecureRandom() {
            @Override
            public void nextBytes(byte[] bytes) {
                taken[0] += bytes.length;
                super.nextBytes(bytes);
            }
        });
        Set<String> all = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            String secret = secrets.secret("s1_");
            assertThat(secret).matches("s1_[A-Za-z0-9_-]{43}");
            all.add(secret);
        }
        assertThat(all).hasSize(100);
        assertThat(taken[0]).isEqualTo(3200);
    }
}
