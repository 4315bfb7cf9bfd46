package io.arbitration.platform.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.StartFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A PostgreSQL of its own, with SCRAM passwords and TLS from a certificate authority made for the test. */
class ExternalPostgresIT {

    private static final String PASSWORD = "h@rd/to#guess";
    private static final String ENCODED = "h%40rd%2Fto%23guess";

    @TempDir
    private static Path folder;

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws Exception {
        openssl("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=test-ca");
        openssl("req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -days 2 -subj /CN=other-ca");
        openssl("req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost");
        Files.writeString(folder.resolve("names"), "subjectAltName=DNS:localhost");
        openssl("x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 -extfile names");
        Files.setPosixFilePermissions(folder.resolve("server.key"), java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        Files.writeString(folder.resolve("password"), PASSWORD);
        server = server(0);
    }

    private static EmbeddedPostgres server(int port) throws IOException {
        return EmbeddedPostgres.builder().setDataDirectory(folder.resolve("postgres")).setCleanDataDirectory(false).setPort(port)
                .setLocaleConfig("auth-host", "scram-sha-256").setLocaleConfig("pwfile", folder.resolve("password").toString())
                .setConnectConfig("password", PASSWORD).setServerConfig("ssl", "on")
                .setServerConfig("ssl_cert_file", folder.resolve("server.pem").toString())
                .setServerConfig("ssl_key_file", folder.resolve("server.key").toString())
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile())).start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static void openssl(String arguments) throws Exception {
        Process process = new ProcessBuilder(("openssl " + arguments).split(" ")).directory(folder.toFile()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
    }

    private static String url(String host, String password, String database, String parameters) {
        return "postgresql://postgres:%s@%s:%d/%s?%s".formatted(password, host, server.getPort(), database, parameters);
    }

    private static Connection connect(String database) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://localhost:%d/%s".formatted(server.getPort(), database), "postgres", PASSWORD);
    }

    private static void sql(String statement) throws SQLException {
        try (Connection connection = connect("postgres"); Statement one = connection.createStatement()) {
            one.execute(statement);
        }
    }

    private static RunningPlatform platform(String name, String url) {
        return platform(name, url, Map.of());
    }

    private static RunningPlatform platform(String name, String url, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(Map.of("ACP_DATABASE_URL", url, "ACP_DATABASE_CONNECT_SECONDS", "1",
                "ACP_KEYS_KEYSET_FILE", folder.resolve("keyset.json").toString()));
        environment.putAll(more);
        return RunningPlatform.start(folder.resolve(name), environment);
    }

    /** What the page tells an administrator of PostgreSQL to run, with a password where the page leaves one out. */
    private static List<String> statementsOfTheGuide() throws IOException {
        Matcher block = Pattern.compile("(?s)```sql\n(create role .*?)```").matcher(Files.readString(Path.of("docs/guides/prepare-production.md")));
        assertThat(block.find()).isTrue();
        return Stream.of(block.group(1).replace("…", "a-password").split(";")).map(String::strip).filter(statement -> !statement.isEmpty()).toList();
    }

    @Test
    void withTheRolesOfTheGuideTheNodeWorksUnderOneThatOwnsNothing() throws Exception {
        for (String statement : statementsOfTheGuide()) {
            sql(statement);
        }
        String owner = url("localhost", ENCODED, "platform", "sslmode=disable").replace("postgres:" + ENCODED, "platform_owner:a-password");
        String node = owner.replace("platform_owner", "platform_node");
        try (RunningPlatform platform = platform("owned", node, Map.of("ACP_DATABASE_OWNER_URL", owner))) {
            OpenCase open = OpenCase.on(platform);
            open.docketed(new JsonObject());
            assertThat(open.docket(open.claimant())).hasSize(1);
            assertThat(platform.rows("select current_user, count(*) > 0 from platform.audit")).containsExactly(List.of("platform_node", "t"));
            for (String change : List.of("update platform.audit set action = ''", "delete from mainapi.entries", "alter table platform.audit disable trigger all")) {
                assertThatThrownBy(() -> platform.rows(change)).rootCause().isInstanceOf(SQLException.class)
                        .satisfies(refused -> assertThat(((SQLException) refused).getSQLState()).isEqualTo("42501"));
            }
        }
        // A node that comes later needs the owner only for what is to be migrated.
        try (RunningPlatform platform = platform("owned-later", node)) {
            assertThat(platform.administrator().id()).isNotEmpty();
        }
        assertThatThrownBy(() -> platform("owned-twice", owner, Map.of("ACP_DATABASE_OWNER_URL", owner)))
                .hasMessage("database.ownerUrl: must name another user than database.url");
    }

    @Test
    void everyConnectionIsEncryptedAndTheServerIsChecked() throws Exception {
        sql("create database secure");
        String verified = "sslmode=verify-full&sslrootcert=" + folder.resolve("ca.pem");
        for (String parameters : List.of("sslmode=require", verified)) {
            try (RunningPlatform platform = platform("secure", url("localhost", ENCODED, "secure", parameters));
                    Connection watch = connect("postgres"); Statement statement = watch.createStatement()) {
                platform.signIn("tls@example.org", "T", "L");
                try (var rows = statement.executeQuery("""
                        select count(*), count(*) filter (where ssl) from pg_stat_ssl join pg_stat_activity using (pid) where datname = 'secure'
                        """)) {
                    rows.next();
                    assertThat(rows.getInt(1)).as(parameters).isPositive().isEqualTo(rows.getInt(2));
                }
            }
        }
    }

    /** Its machine has lost its power: within the handshake of TLS, and when the connection was in use. */
    @ParameterizedTest
    @ValueSource(strings = {"in the handshake", "in use"})
    void anEncryptedConnectionThatBringsNothingIsGivenUpAndTheNextIsAnother(String silent) throws Exception {
        Vertx vertx = Vertx.vertx();
        try (Relay relay = new Relay(server.getPort())) {
            DatabaseSettings one = new DatabaseSettings(Optional.empty(), Optional.empty(), Duration.ofSeconds(1), 1, 10, Duration.ofSeconds(1), 0, Duration.ofSeconds(5));
            Database database = Database.open(vertx, DatabaseUrl.parse("postgresql://postgres:%s@127.0.0.1:%d/postgres?sslmode=require".formatted(ENCODED, relay.port())),
                    one, Duration.ofSeconds(2));
            if (silent.equals("in use")) {
                assertThat(isEncrypted(database)).contains(true);
                relay.silence();
            } else {
                relay.silenceAfterFirstAnswer();
            }
            int before = relay.opened();
            Future<Optional<Boolean>> lost = asked(database);
            Await.until("a connection is there that has gone silent", () -> silent.equals("in use") || relay.opened() > before);
            relay.carryNew();
            assertThat(lost.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS)).isEmpty();
            Await.until("a statement is answered over another connection", () -> isEncrypted(database).isPresent());
            assertThat(isEncrypted(database)).contains(true);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    private static Optional<Boolean> isEncrypted(Database database) throws Exception {
        return asked(database).toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    /** Whether its connection is encrypted; empty while the database does not answer. */
    private static Future<Optional<Boolean>> asked(Database database) {
        return database.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()", Tuple.tuple(), row -> row.getBoolean(0)).map(Database::first)
                .recover(failed -> Database.isUnavailable(failed) || Database.isOverloaded(failed) ? Future.succeededFuture(Optional.empty()) : Future.failedFuture(failed));
    }

    private static void isRefused(String url, String... parts) {
        assertThatThrownBy(() -> platform("refused", url)).isInstanceOf(StartFailure.class).satisfies(error -> {
            assertThat(error.getMessage()).startsWith("database.url: ").contains(parts).doesNotContain("\n")
                    .doesNotContain(PASSWORD).doesNotContain(ENCODED).doesNotContain("wrong-pass");
        });
    }

    @Test
    void aServerThatIsNotWhoItShouldBeIsRefused() {
        isRefused(url("localhost", ENCODED, "postgres", "sslmode=verify-full&sslrootcert=" + folder.resolve("other.pem")), "localhost");
        isRefused(url("127.0.0.1", ENCODED, "postgres", "sslmode=verify-full&sslrootcert=" + folder.resolve("ca.pem")), "127.0.0.1");
        isRefused(url("localhost", ENCODED, "postgres", "sslmode=verify-full"), "localhost");
        isRefused(url("localhost", ENCODED, "postgres", "sslmode=verify-ca&sslrootcert=/nowhere.pem"), "/nowhere.pem");
    }

    @Test
    void wrongPasswordDatabaseOrAddressIsOneLineNamingTheSetting() throws Exception {
        isRefused(url("localhost", "wrong-pass", "postgres", "sslmode=require"), "password authentication failed");
        isRefused(url("localhost", ENCODED, "nowhere", "sslmode=require"), "nowhere", "does not exist");
        int closed = FreePort.any();
        isRefused("postgresql://postgres:%s@localhost:%d/postgres".formatted(ENCODED, closed), "cannot be reached", "localhost:" + closed);
    }

    @Test
    void twoNodesThatStartAtOnceMigrateOnce() throws Exception {
        sql("create database twins");
        String url = url("localhost", ENCODED, "twins", "sslmode=require");
        CompletableFuture<RunningPlatform> one = CompletableFuture.supplyAsync(() -> platform("one", url));
        CompletableFuture<RunningPlatform> two = CompletableFuture.supplyAsync(() -> platform("two", url));
        try (RunningPlatform first = one.get(60, TimeUnit.SECONDS); RunningPlatform second = two.get(60, TimeUnit.SECONDS)) {
            RunningPlatform.Person person = first.signIn("twin@example.org", "T", "W");
            assertThat(second.post("/auth/users/me", "", person.token()).status()).as("the other node trusts the token").isEqualTo(200);
            try (Connection connection = connect("twins"); Statement statement = connection.createStatement();
                    var rows = statement.executeQuery("select count(*) - count(distinct version), count(*) from platform.migrations where version is not null")) {
                rows.next();
                assertThat(rows.getInt(1)).isZero();
                assertThat(rows.getInt(2)).isPositive();
            }
        }
    }

    @Test
    void aPasswordThatIsChangedUnderWayIsNamedAndWorkGoesOnWhenItIsTakenAgain() throws Exception {
        sql("create role rotated superuser login password 'the-first'");
        sql("create database rotates owner rotated");
        String url = url("localhost", "the-first", "rotates", "sslmode=require").replace("postgres:", "rotated:");
        try (RunningPlatform platform = platform("rotates", url, Map.of("ACP_DATABASE_POOL_WAIT_MILLIS", "3000"))) {
            RunningPlatform.Person person = platform.signIn("rotated@example.org", "R", "D");
            sql("alter role rotated password 'the-second'");
            sql("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rotated'");
            JsonObject health = Await.value("health says so", () -> Optional.of(platform.health())
                    .filter(seen -> seen.getJsonObject("troubles", new JsonObject()).getString("database", "").contains("password authentication failed")).orElse(null));
            assertThat(health.getJsonObject("parts").getString("database")).isEqualTo("DOWN");
            assertThat(health.encode()).doesNotContain("the-first");
            RunningPlatform.Answer refused = platform.post("/auth/users/me", "", person.token());
            assertThat(refused.status()).as(refused.body()).isEqualTo(503);
            assertThat(refused.header("Error-Code")).isEqualTo("database.unavailable");
            sql("alter role rotated password 'the-first'");
            Await.until(() -> platform.post("/auth/users/me", "", person.token()).status() == 200);
            Await.until(() -> platform.health().getString("status").equals("UP"));
        }
    }

    /** While the database restarts, callers are told to come back; when it is there again, nothing else needs a restart. */
    @Test
    void theDatabaseMayRestartUnderLoad() throws Exception {
        sql("create database restarts");
        try (RunningPlatform platform = platform("restarts", url("localhost", ENCODED, "restarts", "sslmode=require"),
                Map.of("ACP_DATABASE_POOL_WAIT_MILLIS", "3000"))) {
            RunningPlatform.Person person = platform.signIn("load@example.org", "L", "D");
            AtomicBoolean stop = new AtomicBoolean();
            Map<Integer, Integer> statuses = new java.util.concurrent.ConcurrentHashMap<>();
            List<RunningPlatform.Answer> refusals = new java.util.concurrent.CopyOnWriteArrayList<>();
            List<CompletableFuture<Void>> load = java.util.stream.IntStream.range(0, 4).mapToObj(i -> CompletableFuture.runAsync(() -> {
                while (!stop.get()) {
                    RunningPlatform.Answer answer = platform.post("/auth/users/me", "", person.token());
                    statuses.merge(answer.status(), 1, Integer::sum);
                    if (answer.status() != 200) {
                        refusals.add(answer);
                    }
                }
            })).toList();
            Await.until("the load is answered", () -> statuses.containsKey(200));
            int port = server.getPort();
            server.close();
            Await.until(() -> !refusals.isEmpty());
            server = server(port);
            Await.until(() -> platform.post("/auth/users/me", "", person.token()).status() == 200);
            stop.set(true);
            CompletableFuture.allOf(load.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            assertThat(statuses.keySet()).containsExactlyInAnyOrder(200, 503);
            assertThat(refusals).allSatisfy(answer -> {
                assertThat(answer.header("Retry-After")).isNotNull();
                assertThat(answer.header("Error-Code")).isIn("database.unavailable", "overloaded");
                assertThat(answer.body()).doesNotContain("Exception");
            });
        }
    }

    /** Without Flyway a start must be as strict as with it. */
    @Test
    void aStartThatFindsAllMigrationsNeedsNoFlywayAndOneThatFindsAnotherContentIsRefused() throws Exception {
        sql("create database migrated");
        DatabaseUrl migrated = DatabaseUrl.parse(url("localhost", ENCODED, "migrated", "sslmode=disable"));
        assertThat(hasAllMigrations()).isFalse();
        assertThat(Migrations.run(migrated)).isEqualTo(AppliedMigrations.own().size());
        assertThat(hasAllMigrations()).isTrue();
        assertThat(Migrations.run(migrated)).isZero();
        try (Connection connection = connect("migrated"); Statement one = connection.createStatement()) {
            one.execute("insert into platform.migrations (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success) "
                    + "values (9000, '9000', 'of a later release', 'SQL', 'V9000__later.sql', 1, 'postgres', 1, true)");
            assertThat(hasAllMigrations()).as("a later release has migrated further").isTrue();
            one.execute("update platform.migrations set checksum = checksum + 1 where version = '001'");
        }
        assertThat(hasAllMigrations()).isFalse();
        assertThatThrownBy(() -> Migrations.run(migrated)).isInstanceOf(StartFailure.class).hasMessageContaining("checksum mismatch");
    }

    private boolean hasAllMigrations() throws SQLException {
        try (Connection connection = connect("migrated")) {
            return AppliedMigrations.areAll(connection);
        }
    }
}
