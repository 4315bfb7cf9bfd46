package io.arbitration.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arbitration.Await;
import io.arbitration.OtherRuntimes;
import io.arbitration.RunningPlatform;
import io.arbitration.platform.FreePort;
import io.arbitration.platform.StartFailure;
import io.vertx.sqlclient.Tuple;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PgBouncer between the platform and its database, in each of its modes. */
class PgBouncerIT {

    @TempDir
    private Path folder;

    private EmbeddedPostgres server;
    private Process pooler;

    @BeforeEach
    void startServer() throws IOException {
        ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(folder.resolve("postgres.log").toFile());
        server = EmbeddedPostgres.builder().setDataDirectory(folder.resolve("postgres")).setOutputRedirector(log).setErrorRedirector(log).start();
    }

    @AfterEach
    void stop() throws IOException {
        if (pooler != null) {
            pooler.destroy();
            pooler.onExit().orTimeout(60, TimeUnit.SECONDS).join();
        }
        server.close();
    }

    /** Where the pooler takes connections. */
    private String through(String mode) throws Exception {
        int port = FreePort.any();
        Path configuration = Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                * = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = %s
                %s
                """.formatted(server.getPort(), port, Files.writeString(folder.resolve("users"), "\"platform_owner\" \"x\"\n\"platform_node\" \"x\"\n"), mode,
                ofTheGuide("ini")));
        // Its parts are read by nobody.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        // It refuses to go on as root, and reads its configuration before it is somebody else.
        Optional<ProcessBuilder> program = System.getProperty("user.name").equals("root")
                ? OtherRuntimes.program("pgbouncer", "-u", "nobody", configuration.toString()) : OtherRuntimes.program("pgbouncer", configuration.toString());
        assumeTrue(program.isPresent(), "no pgbouncer");
        Path log = folder.resolve("pgbouncer.log");
        pooler = program.get().redirectErrorStream(true).redirectOutput(log.toFile()).start();
        Await.despiteFailures("PgBouncer listens, see " + log, Await.BOUND, () -> {
            try (Socket connected = new Socket("127.0.0.1", port)) {
                return connected.isConnected();
            }
        });
        for (String statement : (ofTheGuide("sql") + ofTheSection("sql", "Poolers")).split(";")) {
            execute(statement.replace("…", "x"));
        }
        return "postgresql://platform_node:x@127.0.0.1:%d/platform?sslmode=disable".formatted(port);
    }

    private void execute(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:%d/postgres".formatted(server.getPort()), "postgres", "x");
                Statement one = connection.createStatement()) {
            one.execute(statement);
        }
    }

    /** The first block of a language of the guide for production. */
    private static String ofTheGuide(String language) throws IOException {
        return ofTheSection(language, "PostgreSQL");
    }

    private static String ofTheSection(String language, String section) throws IOException {
        Matcher block = Pattern.compile("(?s)\n#+ %s\n.*?```%s\n(.*?)```".formatted(section, language)).matcher(Files.readString(Path.of("docs/guides/prepare-production.md")));
        assertThat(block.find()).isTrue();
        return block.group(1).strip();
    }

    private RunningPlatform platform(String url) {
        return RunningPlatform.start(folder.resolve("data"), Map.of("ACP_DATABASE_URL", url,
                "ACP_DATABASE_OWNER_URL", url.replace("platform_node", "platform_owner"), "ACP_DATABASE_CONNECT_SECONDS", "1"));
    }

    @Test
    void aCaseIsPlayedThroughAPoolerThatKeepsAConnectionForItsSession() throws Exception {
        try (RunningPlatform platform = platform(through("session")); DemoClient client = new DemoClient(area -> platform.url() + "/" + area, line -> {})) {
            new DemoCase(client, true).play();
            assertThat(platform.health().getString("status")).isEqualTo("UP");
            assertThat(Await.result(platform.database().query("select current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout')",
                    Tuple.tuple(), row -> row.getString(0) + " " + row.getString(1)))).containsExactly("15s 3s");
        }
    }

    @Test
    void aPoolerThatChangesTheConnectionAfterEachTransactionIsNamedAtTheStart() throws Exception {
        String url = through("transaction");
        assertThatThrownBy(() -> platform(url)).isInstanceOf(StartFailure.class).hasMessageMatching(
                "database\\.url: postgresql://platform_owner@127\\.0\\.0\\.1:\\d+/platform\\?sslmode=disable leads through a pooler that changes the connection after each "
                        + "transaction; let it keep one for each session \\(PgBouncer: pool_mode = session\\), or name the server itself");
    }
}
