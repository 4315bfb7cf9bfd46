package io.arbitration.emails;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.Keytool;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What goes to the mail server in the clear, and what does not. */
class SmtpSecurityIT {

    private static final String STORE_PASSWORD = "changeit";
    private static final String ENCODED = Base64.getEncoder().encodeToString("\0mail\0first-secret".getBytes(StandardCharsets.UTF_8));

    @TempDir
    private Path folder;

    private static SSLContext tls;
    private static Path certificate;

    private final String recipient = UUID.randomUUID() + "@example.org";

    @BeforeAll
    static void makeCertificate(@TempDir Path common) throws Exception {
        Path store = common.resolve("store.p12");
        certificate = common.resolve("certificate.pem");
        Keytool.run("-genkeypair", "-alias", "mail", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "SAN=dns:localhost", "-validity", "2", "-storetype", "PKCS12",
                "-keystore", store.toString(), "-storepass", STORE_PASSWORD);
        Keytool.export(store, STORE_PASSWORD, "mail", certificate);
        tls = context(store);
    }

    private static SSLContext context(Path store) throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance(store.toFile(), STORE_PASSWORD.toCharArray());
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, STORE_PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private RunningPlatform platform(ScriptedMailServer server, String login, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("ACP_SMTP_URL", "smtp://%slocalhost:%d".formatted(login, server.port()), "ACP_SMTP_EXCHANGE_SECONDS", "5"));
        settings.putAll(more);
        return RunningPlatform.start(folder.resolve("data"), settings);
    }

    @Test
    void passwordAndMailTravelEncryptedAndTheCertificateIsChecked() throws IOException {
        try (ScriptedMailServer server = new ScriptedMailServer().with(tls).withLogin();
                RunningPlatform platform = platform(server, "mail%40example.org:p%3Aa%2Bss+word@",
                        Map.of("ACP_SMTP_START_TLS", "required", "ACP_SMTP_TRUSTED_CERTIFICATES_FILE", certificate.toString()))) {
            Sender sender = new Sender(platform);
            sender.send(recipient);
            sender.awaitState(recipient, "sent");
            assertThat(server.takenFor(recipient)).singleElement().satisfies(taken -> {
                assertThat(taken.encrypted()).isTrue();
                assertThat(taken.login()).isEqualTo("|mail@example.org|p:a+ss+word");
            });
        }
    }

    @Test
    void anUnknownCertificateIsNotToldThePassword() throws IOException {
        try (ScriptedMailServer server = new ScriptedMailServer().with(tls).withLogin();
                RunningPlatform platform = platform(server, "mail:secret@", Map.of("ACP_SMTP_START_TLS", "required"))) {
            Sender sender = new Sender(platform);
            sender.send(recipient);
            Sender.await("an attempt is recorded", () -> !sender.attempts(recipient).isEmpty());
            assertThat(sender.state(recipient)).isEqualTo("pending");
            assertThat(server.commands()).contains("STARTTLS").doesNotContain("AUTH", "MAIL");
        }
    }

    /** It is the password of the platform that is wrong, not the address of a recipient, so no mail comes back. */
    @Test
    void aPasswordThatIsNotTakenAnyMoreIsNamedInTheAttemptAndMailWaitsUntilItIs() throws IOException {
        try (ScriptedMailServer server = new ScriptedMailServer().with(tls).withLogin();
                RunningPlatform platform = platform(server, "mail:first-secret@",
                        Map.of("ACP_SMTP_START_TLS", "required", "ACP_SMTP_TRUSTED_CERTIFICATES_FILE", certificate.toString()))) {
            server.refusesLogins(true);
            Sender sender = new Sender(platform);
            sender.send(recipient);
            Sender.await("an attempt is recorded", () -> !sender.attempts(recipient).isEmpty());
            assertThat(sender.attempts(recipient).getFirst().getLast()).containsIgnoringCase("AUTH").contains("5.7.8 authentication failed").doesNotContain("first-secret", ENCODED);
            assertThat(sender.state(recipient)).isEqualTo("pending");
            JsonObject health = Await.value("the mail server is seen to refuse", () -> {
                JsonObject seen = platform.health();
                return seen.getJsonObject("parts").getString("smtp").equals("DOWN") ? seen : null;
            });
            assertThat(health.getJsonObject("troubles").getString("smtp")).contains("5.7.8 authentication failed").doesNotContain("first-secret", ENCODED);
            assertThat(health.getString("status")).isEqualTo("UP");
            server.refusesLogins(false);
            sender.awaitState(recipient, "sent");
            Await.until("the mail server is well", () -> platform.health().getJsonObject("parts").getString("smtp").equals("UP"));
        }
    }

    @Test
    void anExpiredCertificateIsNotToldThePassword() throws Exception {
        Path store = folder.resolve("expired.p12");
        Path authority = folder.resolve("authority.pem");
        // Of an authority: a certificate that is itself trusted is taken whatever its dates.
        Keytool.run("-genkeypair", "-alias", "authority", "-keyalg", "EC", "-dname", "CN=authority", "-ext", "bc:c", "-validity", "20", "-storetype", "PKCS12",
                "-keystore", store.toString(), "-storepass", STORE_PASSWORD);
        Keytool.export(store, STORE_PASSWORD, "authority", authority);
        Keytool.run("-genkeypair", "-alias", "mail", "-signer", "authority", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "SAN=dns:localhost", "-startdate", "-10d",
                "-validity", "2", "-keystore", store.toString(), "-storepass", STORE_PASSWORD);
        Keytool.run("-delete", "-alias", "authority", "-keystore", store.toString(), "-storepass", STORE_PASSWORD);
        try (ScriptedMailServer server = new ScriptedMailServer().with(context(store)).withLogin();
                RunningPlatform platform = platform(server, "mail:secret@",
                        Map.of("ACP_SMTP_START_TLS", "required", "ACP_SMTP_TRUSTED_CERTIFICATES_FILE", authority.toString()))) {
            Sender sender = new Sender(platform);
            sender.send(recipient);
            Sender.await("an attempt is recorded", () -> !sender.attempts(recipient).isEmpty());
            assertThat(sender.attempts(recipient).getFirst().getLast()).isNotBlank();
            assertThat(sender.state(recipient)).isEqualTo("pending");
            assertThat(server.commands()).contains("STARTTLS").doesNotContain("AUTH", "MAIL");
        }
    }

    @Test
    void aServerWithoutStartTlsIsNotToldThePasswordWhereItIsRequired() throws IOException {
        try (ScriptedMailServer server = new ScriptedMailServer().withLogin();
                RunningPlatform platform = platform(server, "mail:secret@", Map.of("ACP_SMTP_START_TLS", "required"))) {
            Sender sender = new Sender(platform);
            sender.send(recipient);
            Sender.await("an attempt is recorded", () -> !sender.attempts(recipient).isEmpty());
            assertThat(sender.attempts(recipient).getFirst().getLast()).isEqualTo("STARTTLS required but not supported by server");
            assertThat(server.commands()).doesNotContain("AUTH", "MAIL");
        }
    }

    @Test
    void withoutAPasswordMailIsEncryptedWhereTheServerOffersItWhateverItsCertificate() throws IOException {
        try (ScriptedMailServer server = new ScriptedMailServer().with(tls); RunningPlatform platform = platform(server, "", Map.of())) {
            Sender sender = new Sender(platform);
            sender.send(recipient);
            sender.awaitState(recipient, "sent");
            assertThat(server.takenFor(recipient)).singleElement().satisfies(taken -> assertThat(taken.encrypted()).isTrue());
        }
    }
}
