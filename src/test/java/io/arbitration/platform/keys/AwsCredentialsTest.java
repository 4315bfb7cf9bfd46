package io.arbitration.platform.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.arbitration.platform.config.ConfigurationError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.identity.spi.AwsSessionCredentialsIdentity;

/** Keys for Amazon's services: configured, or of the role of the container. */
class AwsCredentialsTest {

    @Test
    void configuredKeysAreUsedAsTheyAre() {
        AwsCredentials configured = AwsCredentials.of("AKIA", "secret", "");
        assertThat(configured.current().accessKeyId()).isEqualTo("AKIA");
        assertThat(configured.current()).isNotInstanceOf(AwsSessionCredentialsIdentity.class);
        assertThat(AwsCredentials.of("AKIA", "secret", "token").current()).isInstanceOfSatisfying(AwsSessionCredentialsIdentity.class,
                session -> assertThat(session.sessionToken()).isEqualTo("token"));
    }

    @Test
    void withoutKeysThoseOfTheRoleAreKeptAndRenewed() throws IOException {
        try (ContainerRole role = new ContainerRole(Duration.ofSeconds(30))) {
            AwsCredentials credentials = AwsCredentials.of("", "", "");
            assertThat(credentials.current()).isInstanceOfSatisfying(AwsSessionCredentialsIdentity.class, first -> {
                assertThat(first.accessKeyId()).isEqualTo("ASIA1");
                assertThat(first.sessionToken()).isEqualTo("session1");
            });
            role.lifetime(Duration.ofHours(6));
            assertThat(credentials.current().accessKeyId()).isEqualTo("ASIA2");
            for (int i = 0; i < 50; i++) {
                assertThat(credentials.current().accessKeyId()).isEqualTo("ASIA2");
            }
            assertThat(role.asked()).isEqualTo(2);
        }
    }

    @Test
    void aRoleThatIsRefusedIsAFailureThatSaysSo() throws IOException {
        try (ContainerRole role = new ContainerRole(Duration.ofHours(1))) {
            role.answers(403);
            assertThatThrownBy(() -> AwsCredentials.of("", "", "").current()).isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("no keys of Amazon's are configured, and the machine gives none");
        }
    }

    @Test
    void keyServicesAreAskedWithTheKeysOfTheRole() throws Exception {
        List<String> signedBy = Collections.synchronizedList(new ArrayList<>());
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            try (exchange) {
                signedBy.add(exchange.getRequestHeaders().getFirst("Authorization") + " " + exchange.getRequestHeaders().getFirst("X-Amz-Security-Token"));
                byte[] body = "{\"Plaintext\":\"%s\"}".formatted(Base64.getEncoder().encodeToString(new byte[] {7})).getBytes(StandardCharsets.US_ASCII);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        service.start();
        try (ContainerRole role = new ContainerRole(Duration.ofSeconds(10))) {
            AwsKms kms = new AwsKms(new KeyService.Aws("http://127.0.0.1:" + service.getAddress().getPort(), "eu-north-1", "key", "", "", ""));
            assertThat(kms.decrypt(new byte[1], new byte[0])).containsExactly(7);
            assertThat(kms.decrypt(new byte[1], new byte[0])).containsExactly(7);
            assertThat(role.asked()).isEqualTo(2);
        } finally {
            service.stop(0);
        }
        assertThat(signedBy).satisfiesExactly(
                first -> assertThat(first).contains("Credential=ASIA1/").endsWith(" session1"),
                second -> assertThat(second).contains("Credential=ASIA2/").endsWith(" session2"));
    }

    @Test
    void aKeyWithoutItsSecretIsRefused() {
        assertThatThrownBy(() -> AwsCredentials.requirePair("keys.aws.accessKeyId", "AKIA", "keys.aws.secretAccessKey", ""))
                .isInstanceOf(ConfigurationError.class).hasMessageContaining("keys.aws.secretAccessKey");
        assertThatThrownBy(() -> AwsCredentials.requirePair("keys.aws.accessKeyId", "", "keys.aws.secretAccessKey", "secret"))
                .isInstanceOf(ConfigurationError.class).hasMessageContaining("keys.aws.accessKeyId");
    }
}
