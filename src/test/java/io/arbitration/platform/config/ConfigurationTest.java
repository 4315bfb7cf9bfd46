package io.arbitration.platform.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Settings;
import io.arbitration.emails.smtp.SmtpSettings;
import io.arbitration.identity.IdentitySettings;
import io.arbitration.mainapi.docket.DocketSettings;
import io.arbitration.platform.body.BodySettings;
import io.arbitration.platform.browser.BrowserSettings;
import io.arbitration.platform.cluster.ClusterSettings;
import io.arbitration.platform.db.DatabaseSettings;
import io.arbitration.platform.events.EventBusSettings;
import io.arbitration.platform.kafka.KafkaSettings;
import io.arbitration.platform.limits.RateLimitSettings;
import io.arbitration.platform.limits.ByteBudget;
import io.arbitration.platform.outbound.Cidr;
import io.arbitration.domain.evidence.EvidenceBounds;
import io.arbitration.domain.text.Mailbox;
import io.arbitration.platform.server.ManagementSettings;
import io.arbitration.platform.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

    private static final Path HOME = Path.of("").toAbsolutePath();
    private static final String SECRET = "a secret of thirty-two characters or more";

    private static Settings settings(Map<String, String> environment) {
        return Settings.read(Configuration.load(HOME, environment), HOME);
    }

    private static void isRefused(Map<String, String> environment, String message) {
        assertThatThrownBy(() -> settings(environment)).isInstanceOf(ConfigurationError.class).hasMessage(message);
    }

    @Test
    void theDefaultsAreThoseOfTheFile() {
        Settings settings = settings(Map.of());
        assertThat(settings.profile()).isEqualTo(Profile.PRODUCTION);
        assertThat(settings.sandbox().enabled()).as("sandboxes in production").isFalse();
        assertThat(settings(Map.of("ACP_PROFILE", "demo")).sandbox().enabled()).isTrue();
        assertThat(settings.server()).isEqualTo(new ServerSettings("0.0.0.0", 8080, Optional.empty(), Runtime.getRuntime().availableProcessors(),
                Duration.ofSeconds(60), Duration.ofSeconds(20), 2048, 10_000, 1000, 10_000, 1000, new ByteBudget.Bounds(33_554_432L, 8_388_608L, 2_097_152L), Duration.ofSeconds(20), true, List.of(),
                List.of(), Optional.empty()));
        assertThat(settings.body()).isEqualTo(new BodySettings(1_048_576, new ByteBudget.Bounds(33_554_432L, 8_388_608L, 2_097_152L), 65_536, Duration.ofSeconds(30), 2048, Duration.ofHours(6)));
        assertThat(settings.management()).isEqualTo(new ManagementSettings("127.0.0.1", 8081, 1_073_741_824));
        assertThat(settings.areas()).isEqualTo(new AreaSettings(Map.of(), Set.of()));
        assertThat(settings.rateLimit()).isEqualTo(new RateLimitSettings(true, 500, 2500, 20, 50, 200, 30, 4, 10_000));
        assertThat(settings.dataFolder()).isEqualTo(HOME.resolve("data"));
        assertThat(settings.definitions().folder()).isEqualTo(HOME.resolve("conf/definitions"));
        assertThat(settings.keys().keysetFile()).isEqualTo(HOME.resolve("data/keys/keyset.json"));
        assertThat(settings.database()).isEqualTo(new DatabaseSettings(Optional.empty(), Optional.empty(), Duration.ofSeconds(20), 6, 10_000, Duration.ofSeconds(5), 0, Duration.ofSeconds(30)));
        assertThat(settings.docket()).isEqualTo(new DocketSettings(33_554_432L, 2, 1024, 200));
        assertThat(settings.identity()).isEqualTo(new IdentitySettings(Optional.empty(), "arbitration-platform", Duration.ofHours(1),
                Duration.ofDays(30), Duration.ofSeconds(10), Duration.ofDays(30), Duration.ofDays(7), 100, 100, 100, 120, Duration.ofDays(90), Duration.ofDays(30), Duration.ofSeconds(30), 10_000, 50_000,
                Set.of(), Map.of()));
    }

    /** Each key by its own variable, with a value that is not the default, ends up where it belongs. */
    @Test
    void everyVariableReachesItsSetting() {
        Map<String, String> environment = new HashMap<>(Map.of("ACP_PROFILE", "demo", "ACP_HTTP_HOST", "127.0.0.2", "ACP_HTTP_PORT", "1",
                "ACP_HTTP_PUBLIC_URL", "https://platform.example.org", "ACP_HTTP_EVENT_LOOPS", "3", "ACP_HTTP_BODY_BYTES_MAX", "2048",
                "ACP_HTTP_BODIES_BYTES_MAX", "4096", "ACP_HTTP_VALIDATE_INLINE_BYTES_MAX", "7", "ACP_HTTP_BODY_SECONDS", "8"));
        environment.putAll(Map.of("ACP_HTTP_IDLE_SECONDS", "9", "ACP_HTTP_CONNECTIONS_MAX", "10", "ACP_HTTP_DRAIN_SECONDS", "11",
                "ACP_HTTP_COMPRESSION", "false", "ACP_HTTP_CORS_ORIGINS", "https://a.example, http://b.example:3000", "ACP_HTTP_TLS_CERTIFICATE_FILE", "c.pem",
                "ACP_HTTP_TLS_KEY_FILE", "/k.pem", "ACP_MANAGEMENT_HOST", "0.0.0.0", "ACP_MANAGEMENT_PORT", "12"));
        environment.putAll(Map.of("ACP_AREAS_ADDRESSES", "{\"cases\":{\"host\":\"Cases.example.org\"},\"push\":{\"port\":9001}}",
                "ACP_AREAS_ENABLED", "cases,push", "ACP_RATE_LIMIT_ENABLED", "true", "ACP_RATE_LIMIT_PER_CALLER", "13",
                "ACP_RATE_LIMIT_PER_ADDRESS", "14", "ACP_DATA_FOLDER", "elsewhere", "ACP_DEFINITIONS_FOLDER", "rules",
                "ACP_DATABASE_URL", "postgresql://a@b/c", "ACP_DATABASE_OWNER_URL", "postgresql://o@b/c", "ACP_DATABASE_POOL_CONNECTIONS", "15"));
        environment.put("ACP_DOCKET_OPEN_DRAFTS_MAX", "23");
        environment.putAll(Map.of("ACP_DATABASE_POOL_WAITERS_MAX", "16", "ACP_DATABASE_POOL_WAIT_MILLIS", "17", "ACP_DATABASE_EMBEDDED_PORT", "18",
                "ACP_KEYS_KEYSET_FILE", "k.json", "ACP_DOCKET_CACHE_BYTES_MAX", "19", "ACP_DOCKET_WRITE_LANES", "20", "ACP_DOCKET_WRITE_QUEUE_MAX", "21",
                "ACP_WEBHOOKS_SERVICE_CREATED", "2026-01-02", "ACP_WEBHOOKS_SERVICE_AUTHOR", "Ada", "ACP_DATABASE_CONNECT_SECONDS", "22"));
        environment.putAll(Map.of("ACP_HTTP_TRUSTED_PROXIES", "10.0.0.0/8", "ACP_RATE_LIMIT_CAPTURES_PER_MINUTE", "24", "ACP_CHROMIUM", "/opt/browser",
                "ACP_BROWSER_AT_ONCE", "25", "ACP_BROWSER_QUEUE_MAX", "26", "ACP_BROWSER_DEADLINE_MILLIS", "2700", "ACP_BROWSER_PAGES_MAX", "28"));
        environment.put("ACP_HTTP_UPLOAD_SECONDS", "9");
        environment.putAll(Map.of("ACP_BROWSER_PAGE_BYTES_MAX", "290000000", "ACP_BROWSER_BYTES_MAX", "300000000",
                "ACP_BROWSER_DOWNLOAD_BYTES_MAX", "3100", "ACP_BROWSER_CONNECTIONS_MAX", "32", "ACP_BROWSER_OWN_NETWORK", "false", "ACP_RATE_LIMIT_CAPTURES_PER_CALLER", "5", "ACP_HTTP_BODIES_BYTES_PER_CALLER", "4097",
                "ACP_HTTP_BODIES_BYTES_PER_ADDRESS", "4098", "ACP_HTTP_HEAD_SECONDS", "39", "ACP_HTTP_PACE_BYTES_MIN", "40"));
        environment.putAll(Map.of("ACP_HTTP_ANSWERS_BYTES_MAX", "70000", "ACP_HTTP_ANSWERS_BYTES_PER_CALLER", "70001", "ACP_HTTP_ANSWERS_BYTES_PER_ADDRESS", "70002"));
        environment.putAll(Map.of("ACP_HTTP_CONNECTIONS_PER_ADDRESS", "41", "ACP_HTTP_STREAMS_MAX", "42", "ACP_HTTP_STREAMS_PER_ADDRESS", "43", "ACP_RATE_LIMIT_CONNECTIONS_PER_ADDRESS", "25", "ACP_RATE_LIMIT_REFUSALS_PER_ADDRESS", "26", "ACP_RATE_LIMIT_PER_ORGANIZATION", "27", "ACP_RATE_LIMIT_KEYS_MAX", "280"));
        environment.putAll(Map.of("ACP_KAFKA_BOOTSTRAP_SERVERS", "a.example:9092,[::1]:9093", "ACP_KAFKA_EVENTS", "case_created, docket_filing",
                "ACP_KAFKA_TOPIC_PREFIX", "test.", "ACP_EVENT_BUS_EVENTS", "true", "ACP_KAFKA_PROPERTIES", "{\"security.protocol\":\"SSL\",\"sasl.login.retry.backoff.ms\":33}"));
        environment.putAll(Map.of("ACP_CLUSTER_ENABLED", "true", "ACP_CLUSTER_HOST", "10.0.0.1", "ACP_CLUSTER_PUBLIC_HOST", "a.example", "ACP_CLUSTER_PORT", "34",
                "ACP_CLUSTER_BUS_PORT", "35", "ACP_CLUSTER_MEMBERS", "b.example, 10.0.0.2:36,[::1]:37", "ACP_CLUSTER_SECRET", SECRET, "ACP_DATABASE_CLOCK_SKEW_SECONDS", "38", "ACP_DEFINITIONS_REPLACE", "true"));
        Settings settings = settings(environment);
        assertThat(settings.cluster()).contains(new ClusterSettings(Optional.of("10.0.0.1"), Optional.of("a.example"), 34, 35,
                List.of("b.example", "10.0.0.2:36", "[::1]:37"), Optional.empty(), SECRET));
        assertThat(settings.cluster().toString()).doesNotContain(SECRET);
        assertThat(settings.profile()).isEqualTo(Profile.DEMO);
        assertThat(settings.server()).isEqualTo(new ServerSettings("127.0.0.2", 1, Optional.of("https://platform.example.org"), 3,
                Duration.ofSeconds(9), Duration.ofSeconds(39), 40, 10, 41, 42, 43, new ByteBudget.Bounds(70_000L, 70_001L, 70_002L), Duration.ofSeconds(11), false, List.of("https://a.example", "http://b.example:3000"),
                List.of(Cidr.parse("10.0.0.0/8")), Optional.of(new ServerSettings.Tls(HOME.resolve("c.pem"), Path.of("/k.pem")))));
        assertThat(settings.body()).isEqualTo(new BodySettings(2048, new ByteBudget.Bounds(4096L, 4097L, 4098L), 7, Duration.ofSeconds(8), 40, Duration.ofSeconds(9)));
        assertThat(settings.management()).isEqualTo(new ManagementSettings("0.0.0.0", 12, 1_073_741_824));
        assertThat(settings.areas()).isEqualTo(new AreaSettings(
                Map.of("cases", new AreaAddress.HostName("cases.example.org"), "push", new AreaAddress.Port(9001)), Set.of("cases", "push")));
        assertThat(settings.rateLimit()).isEqualTo(new RateLimitSettings(true, 13, 27, 14, 25, 26, 24, 5, 280));
        assertThat(settings.dataFolder()).isEqualTo(HOME.resolve("elsewhere"));
        assertThat(settings.definitions().folder()).isEqualTo(HOME.resolve("rules"));
        assertThat(settings.database()).isEqualTo(new DatabaseSettings(Optional.of("postgresql://a@b/c"), Optional.of("postgresql://o@b/c"), Duration.ofSeconds(22), 15, 16, Duration.ofMillis(17), 18, Duration.ofSeconds(38)));
        assertThat(settings.definitions().replace()).isTrue();
        assertThat(settings.keys().keysetFile()).isEqualTo(HOME.resolve("k.json"));
        assertThat(settings.docket()).isEqualTo(new DocketSettings(19, 20, 21, 23));
        assertThat(settings.browser()).isEqualTo(new BrowserSettings(Optional.of("/opt/browser"), HOME.resolve("elsewhere/browser"), 25, 26,
                Duration.ofMillis(2700), 28, 290_000_000L, 300_000_000L, 3100L, 32, false));
        assertThat(settings.webhooks().created()).isEqualTo(LocalDate.of(2026, 1, 2));
        assertThat(settings.webhooks().author()).isEqualTo("Ada");
        assertThat(settings.eventBus()).isEqualTo(new EventBusSettings(true));
        assertThat(settings.kafka()).isEqualTo(new KafkaSettings(Optional.of("a.example:9092,[::1]:9093"), Set.of("docket_filing", "case_created"), "test.",
                Map.of("security.protocol", "SSL", "sasl.login.retry.backoff.ms", "33")));
    }

    @Test
    void aClusterNeedsASecretThatCannotBeGuessedAndOneWayToFindItsMembers() {
        assertThat(settings(Map.of("ACP_CLUSTER_MEMBERS", "a.example")).cluster()).isEmpty();
        isRefused(Map.of("ACP_CLUSTER_ENABLED", "true", "ACP_CLUSTER_SECRET", "topsecret"), "cluster.secret: (not shown, 9 characters) is out of bounds: "
                + "32 to 1000 characters, the same on every node, as openssl rand -base64 33 makes them");
        isRefused(Map.of("ACP_CLUSTER_MEMBERS", "a.example:port"), "cluster.members: a.example:port is out of bounds: host or host:port, comma separated");
        isRefused(Map.of("ACP_CLUSTER_MEMBERS", "a.example", "ACP_CLUSTER_KUBERNETES_SERVICE", "acp"),
                "cluster: members and kubernetesService exclude each other");
    }

    @Test
    void everyKeyIsReadByTheCode() {
        Configuration configuration = Configuration.load(HOME, Map.of());
        assertThat(configuration.keys()).hasSizeGreaterThan(50);
        Settings.read(configuration, HOME);
        assertThat(configuration.unreadKeys()).isEmpty();
    }

    @Test
    void everyKeyOfTheFileIsExplained() throws IOException {
        assertThat(Files.readAllLines(HOME.resolve("conf/platform.yaml")))
                .filteredOn(line -> line.matches("\\s*[A-Za-z]+:\\s*[^\\s#].*"))
                .hasSizeGreaterThan(50)
                .allSatisfy(line -> assertThat(line).containsPattern("#\\s*\\p{Lu}\\S.{8,}|# .{9,}"));
    }

    @Test
    void twoKeysNeverShareAVariable() {
        Map<String, String> keys = new TreeMap<>();
        Configuration.load(HOME, Map.of()).keys().forEach(key -> assertThat(keys.put(Configuration.variable(key), key)).as(key).isNull());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "ACP_KAFKA_BOOTSTRAP_SERVERS | a.example | kafka.bootstrapServers: a.example is out of bounds: host:port, comma separated",
        "ACP_KAFKA_EVENTS | filed | kafka.events: filed is out of bounds: of case_closed, case_created, deadline_extended, docket_filing, entry_sealed, entry_unsealed, filing_rejected, filing_submitted, filing_withdrawn, hearing_cancelled, hearing_changed, hearing_scheduled, participant_added, participant_removed, phase_changed",
        "ACP_KAFKA_TOPIC_PREFIX | a b | kafka.topicPrefix: a b is out of bounds: up to 100 letters, digits, dots, dashes or underscores",
        "ACP_KAFKA_PROPERTIES | {\"acks\":\"0\"} | kafka.properties: acks is not taken, only security.protocol, client.dns.lookup and what begins with sasl. or ssl.",
        "ACP_KAFKA_PROPERTIES | secret | ACP_KAFKA_PROPERTIES: not JSON",
        "ACP_HTTP_PORT | 65536 | http.port: 65536 is out of bounds: from 0 to 65535",
        "ACP_HTTP_PORT | -1 | http.port: -1 is out of bounds: from 0 to 65535",
        "ACP_HTTP_PORT | eighty | http.port: eighty is out of bounds: a whole number from 0 to 65535",
        "ACP_HTTP_PORT | 80.5 | http.port: 80.5 is out of bounds: a whole number from 0 to 65535",
        "ACP_HTTP_PORT | 99999999999999999999 | http.port: 99999999999999999999 is out of bounds: a whole number from 0 to 65535",
        "ACP_HTTP_COMPRESSION | yes | http.compression: yes is out of bounds: true or false",
        "ACP_HTTP_CORS_ORIGINS | * | http.corsOrigins: * is out of bounds: scheme, host in small letters and port, e.g. https://app.example.org",
        "ACP_HTTP_CORS_ORIGINS | https://a.example/ | http.corsOrigins: https://a.example/ is out of bounds: scheme, host in small letters and port, e.g. https://app.example.org",
        "ACP_HTTP_PUBLIC_URL | https://a.example/ | http.publicUrl: https://a.example/ is out of bounds: http:// or https:// and a host, no slash at the end",
        "ACP_HTTP_TLS_KEY_FILE | k.pem | http.tls: certificateFile and keyFile go together",
        "ACP_PROFILE | test | profile: test is out of bounds: demo or production",
        "ACP_DATA_FOLDER | `` | data.folder: (empty) is out of bounds: must not be empty",
        "ACP_AREAS_ADDRESSES | not JSON | ACP_AREAS_ADDRESSES: not JSON",
        "ACP_AREAS_ADDRESSES | [] | areas.addresses: [] is out of bounds: must be a map",
        "ACP_AREAS_ADDRESSES | {\"cases\":1} | areas.addresses.cases: 1 is out of bounds: must be a map",
        "ACP_AREAS_ADDRESSES | {\"cases\":{}} | areas.addresses.cases: {} is out of bounds: a host or a port, and only one of them",
        "ACP_AREAS_ADDRESSES | {\"cases\":{\"port\":70000}} | areas.addresses.cases.port: 70000 is out of bounds: a whole number from 0 to 65535",
        "ACP_AREAS_ADDRESSES | {\"cases\":{\"port\":80.5}} | areas.addresses.cases.port: 80.5 is out of bounds: a whole number from 0 to 65535",
        "ACP_AREAS_ADDRESSES | {\"cases\":{\"host\":\"a:1\"}} | areas.addresses.cases.host: a:1 is out of bounds: a host name, without a port",
        "ACP_AREAS_ADDRESSES | {\"cases\":{\"path\":\"x\"}} | areas.addresses.cases.path: unknown key (value \"x\"), known are host, port",
        "ACP_AREAS_ADDRESSES | {\"cases\":{\"port\":8080}} | areas.addresses.cases.port: 8080 is out of bounds: another than http.port",
        "ACP_AREAS_ADDRESSES | {\"ai\":{\"port\":9000},\"cases\":{\"port\":9000}} | areas.addresses.cases: Port[number=9000] is out of bounds: another than that of ai",
        "ACP_WEBHOOKS_SERVICE_CREATED | 21.11.2026 | webhooks.service.created: 21.11.2026 is out of bounds: a date, e.g. 2026-11-21",
        "ACP_HTTP_PROT | 80 | ACP_HTTP_PROT: unknown key in the environment; conf/platform.yaml lists every key",
    })
    void aValueOutOfItsBoundsIsNamedWithTheBound(String variable, String value, String message) {
        isRefused(Map.of(variable, value), message);
    }

    static Stream<Arguments> brokenFiles() {
        return Stream.of(
                Arguments.of("http: {prot: 80}", "http.prot: unknown key in FILE (value 80); conf/platform.yaml lists every key"),
                Arguments.of("hxxp: {port: 80}", "hxxp: unknown key in FILE (value {\"port\":80}); conf/platform.yaml lists every key"),
                Arguments.of("http: 80", "http: unknown key in FILE (value 80); conf/platform.yaml lists every key"),
                Arguments.of("http: {port: [80]}", "http.port: [80] is out of bounds: must be a single value"),
                Arguments.of("http: {port: }", "http.port: null is out of bounds: must be a single value"),
                Arguments.of("http: {corsOrigins: https://a.example}", "http.corsOrigins: \"https://a.example\" is out of bounds: must be a list"),
                Arguments.of("areas: {addresses: []}", "areas.addresses: [] is out of bounds: must be a map"),
                Arguments.of("ai: {apiKey: [sk-secret]}", "ai.apiKey: (not shown) is out of bounds: must be a single value"),
                Arguments.of("ai: {apiKeys: sk-secret}", "ai.apiKeys: unknown key in FILE (value (not shown)); conf/platform.yaml lists every key"),
                Arguments.of("database: {url: {password: secret}}", "database.url: (not shown) is out of bounds: must be a single value"));
    }

    @ParameterizedTest
    @MethodSource("brokenFiles")
    void aBrokenFileIsNamedWithKeyValueAndBound(String yaml, String message, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yaml"), yaml);
        isRefused(Map.of("ACP_CONFIGURATION", file.toString()), message.replace("FILE", file.toString()));
    }

    @Test
    void aKeyGivenTwiceInAFileIsRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yaml"), "http: {port: 1}\nhttp: {port: 2}\n");
        assertThatThrownBy(() -> settings(Map.of("ACP_CONFIGURATION", file.toString()))).isInstanceOf(ConfigurationError.class).hasMessageContaining("http");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        isRefused(Map.of("ACP_CONFIGURATION", "/nowhere.yaml"), "configuration file /nowhere.yaml cannot be read");
    }

    @Test
    void theEnvironmentGoesBeforeTheFileAndTheFileBeforeTheProfile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yaml"), "profile: demo\nrateLimit: {enabled: true, perCaller: 7, perAddress: 8}\n");
        Settings settings = settings(Map.of("ACP_CONFIGURATION", file.toString(), "ACP_RATE_LIMIT_PER_ADDRESS", "9"));
        assertThat(settings.profile()).isEqualTo(Profile.DEMO);
        assertThat(settings.rateLimit()).isEqualTo(new RateLimitSettings(true, 7, 2500, 9, 50, 200, 30, 4, 10_000));
        assertThat(settings.identity().superAdministrators()).containsExactly("admin@demo.example");
    }

    @Test
    void noSecretIsInTheTextFormOfTheSettings() {
        Settings settings = settings(Map.of("ACP_DATABASE_URL", "postgresql://ada:hush-hush@db/cases", "ACP_AI_API_KEY", "hush-hush", "ACP_SMTP_URL", "smtp://u:hush-hush@h:25"));
        assertThat(settings.toString()).doesNotContain("hush-hush");
    }

    @Test
    void mailsAreHeldUnlessAServerIsGiven() {
        assertThat(settings(Map.of()).emails().smtp()).isEqualTo(new SmtpSettings(Optional.empty(), new Mailbox("Arbitration Case Platform", "no-reply@localhost"),
                SmtpSettings.StartTls.AUTO, Optional.empty(), 8, Duration.ofSeconds(60), Optional.empty()));
    }

    @Test
    void everyVariableOfMailsReachesItsSetting() {
        assertThat(settings(Map.of("ACP_SMTP_URL", "smtps://mail%40example.org:p%3Aa+s%2Fs@smtp.example.org", "ACP_SMTP_FROM", "Registry <r@example.org>",
                "ACP_SMTP_START_TLS", "required", "ACP_SMTP_TRUSTED_CERTIFICATES_FILE", "ca.pem", "ACP_SMTP_IN_FLIGHT", "3", "ACP_SMTP_EXCHANGE_SECONDS", "9",
                "ACP_SMTP_DKIM_DOMAIN", "example.org", "ACP_SMTP_DKIM_SELECTOR", "s1", "ACP_SMTP_DKIM_KEY_FILE", "dkim.pem")).emails().smtp())
                .isEqualTo(new SmtpSettings(Optional.of(new SmtpUrl(true, "smtp.example.org", 465, Optional.of(new SmtpUrl.Login("mail@example.org", "p:a+s/s")))),
                        new Mailbox("Registry", "r@example.org"), SmtpSettings.StartTls.REQUIRED, Optional.of(HOME.resolve("ca.pem")), 3, Duration.ofSeconds(9),
                        Optional.of(new SmtpSettings.Dkim("example.org", "s1", HOME.resolve("dkim.pem")))));
        assertThat(settings(Map.of("ACP_SMTP_URL", "smtp://[::1]:2525/")).emails().smtp().url()).contains(new SmtpUrl(false, "::1", 2525, Optional.empty()));
        assertThat(settings(Map.of("ACP_SMTP_URL", "smtp://mail.example.org", "ACP_HTTP_PUBLIC_URL", "https://platform.example.org")).emails().smtp())
                .satisfies(smtp -> {
                    assertThat(smtp.url().orElseThrow().port()).isEqualTo(587);
                    assertThat(smtp.from().address()).isEqualTo("no-reply@platform.example.org");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"smtp:", "smtp://", "http://mail.example.org", "mail.example.org:25", "smtp://user@mail.example.org", "smtp://:secret@mail.example.org",
            "smtp://user:secret@mail.example.org:99999", "smtp://user:secret@mail.example.org/inbox", "smtp://user:sec%zzret@mail.example.org", "smtp://user:secret @x"})
    void aMailServerThatIsNoneIsRefusedWithoutShowingThePassword(String url) {
        assertThatThrownBy(() -> settings(Map.of("ACP_SMTP_URL", url))).isInstanceOf(ConfigurationError.class)
                .hasMessageStartingWith("smtp.url: must be smtp://host:port").message().doesNotContain("secret", "sec%zz");
        assertThat(new SmtpUrl(false, "mail.example.org", 25, Optional.of(new SmtpUrl.Login("user", "secret"))).toString()).doesNotContain("secret");
    }

    @Test
    void aPartyHasTwoFifthsOfTheBytesOfACaseUnlessTheOperatorGivesItAnotherShare() {
        assertThat(settings(Map.of()).evidence().bounds()).isEqualTo(new EvidenceBounds(10_000, 53_687_091_200L, 21_474_836_480L, 107_374_182_400L));
        assertThat(settings(Map.of("ACP_EVIDENCE_CASE_BYTES_MAX", "5000")).evidence().bounds().partyBytesMax()).isEqualTo(2000);
        assertThat(settings(Map.of("ACP_EVIDENCE_CASE_BYTES_MAX", "5000", "ACP_EVIDENCE_PARTY_BYTES_MAX", "5000")).evidence().bounds().partyBytesMax())
                .isEqualTo(5000);
        isRefused(Map.of("ACP_EVIDENCE_CASE_BYTES_MAX", "5000", "ACP_EVIDENCE_PARTY_BYTES_MAX", "5001"),
                "evidence.partyBytesMax: 5001 is out of bounds: at most evidence.caseBytesMax (5000)");
    }

    @Test
    void settingsOfMailsAndAlertsOutOfBoundsAreRefused() {
        isRefused(Map.of("ACP_SMTP_DKIM_DOMAIN", "example.org"), "smtp.dkim: domain, selector and keyFile go together");
        isRefused(Map.of("ACP_SMTP_DKIM_DOMAIN", "example.org; t=1", "ACP_SMTP_DKIM_SELECTOR", "s", "ACP_SMTP_DKIM_KEY_FILE", "k"),
                "smtp.dkim: example.org; t=1 is out of bounds: domain and selector are names in the DNS");
        isRefused(Map.of("ACP_SMTP_FROM", "Registry"),
                "smtp.from: Registry is out of bounds: must be an email address, or a name and an address as in Clara Claimant <clara@example.org>");
        isRefused(Map.of("ACP_SMTP_START_TLS", "maybe"), "smtp.startTls: maybe is out of bounds: one of auto, required, never");
        isRefused(Map.of("ACP_ALERTS_CASE_URL", "https://app.example.org/cases"),
                "alerts.caseUrl: https://app.example.org/cases is out of bounds: http:// or https:// and {caseID} behind the host");
        assertThat(settings(Map.of("ACP_ALERTS_CASE_URL", "https://app.example.org/#/cases/{caseID}?tab=docket")).alerts().caseUrl()).isPresent();
    }
}
