package io.arbitration;

import io.arbitration.platform.AreaServices;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.db.Database;
import io.vertx.core.Vertx;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.postgresql.PGConnection;

/** A platform in this process on a real PostgreSQL, spoken to over HTTP. The shared one serves all tests of a run. */
public final class RunningPlatform implements AutoCloseable {

    private static final int KEPT_CONNECTIONS_MAX = 2;
    private static final int VALID_SECONDS_MAX = 5;
    private static RunningPlatform shared;

    private final Platform platform;
    private final String url;
    private final Queue<Connection> kept = new ArrayBlockingQueue<>(KEPT_CONNECTIONS_MAX);
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private RunningPlatform(Platform platform, String url) {
        this.platform = platform;
        this.url = url;
    }

    /** The platform of this test run, demo profile, started at first use and stopped with the process. */
    public static synchronized RunningPlatform shared() {
        if (shared == null) {
            shared = start(TestFolders.create("data-"), Map.of());
            TestFolders.atTheEnd(shared::close);
        }
        return shared;
    }

    /** A platform of its own, with settings as the environment would give them. */
    public static RunningPlatform start(Path dataFolder, Map<String, String> environment) {
        return start(dataFolder, environment, Clock.systemUTC());
    }

    /** The same with a clock of the test's own. */
    public static RunningPlatform start(Path dataFolder, Map<String, String> environment, Clock clock) {
        if (!environment.containsKey("ACP_DATABASE_URL")) {
            PreparedDatabase.into(dataFolder);
        }
        return startFromNothing(dataFolder, environment, clock);
    }

    /** The same, where there is no database yet: the platform makes it, as at its first start. */
    public static RunningPlatform startFromNothing(Path dataFolder, Map<String, String> environment) {
        return startFromNothing(dataFolder, environment, Clock.systemUTC());
    }

    private static RunningPlatform startFromNothing(Path dataFolder, Map<String, String> environment, Clock clock) {
        Map<String, String> all = new HashMap<>(Map.of(
                "ACP_PROFILE", "demo", "ACP_HTTP_PORT", "0", "ACP_MANAGEMENT_PORT", "0",
                "ACP_DATA_FOLDER", dataFolder.toAbsolutePath().toString(),
                // Tests that share a platform sign the same people in again and again, and go on with the tokens they have.
                "ACP_IDENTITY_SESSIONS_PER_USER_MAX", "100000", "ACP_IDENTITY_ORGANIZATIONS_PER_USER_MAX", "10000"));
        if (!clock.equals(Clock.systemUTC())) {
            all.put("ACP_DATABASE_CLOCK_SKEW_SECONDS", "0");
        }
        all.putAll(environment);
        Path home = Path.of("").toAbsolutePath();
        Platform platform = Platform.start(Settings.read(Configuration.load(home, all), home), clock);
        return new RunningPlatform(platform, "http://localhost:" + platform.port());
    }

    /** A platform in a process of its own, which whoever started it stops; only its operations can be reached. */
    public static RunningPlatform at(String url) {
        return new RunningPlatform(null, url);
    }

    public Platform platform() {
        return platform;
    }

    /** The platform's own pool, for a test of a repository. */
    public Database database() {
        return platform.services().database();
    }

    /** Its event bus and all, for what areas ask of each other. */
    public Vertx vertx() {
        return platform.vertx();
    }

    /** Asks an area over the event bus, as another area would. */
    public JsonObject ask(String address, JsonObject request) {
        return (JsonObject) vertx().eventBus().request(address, request).toCompletionStage().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join().body();
    }

    /** Where the file at an address of scheme {@code file} is kept. */
    public Path objectFile(String address) {
        return platform.settings().objects().folder().resolve(address.substring("file://".length()));
    }

    /** Removes what uploads that died left behind; how much there was. */
    public int sweepObjects() {
        return platform.services().objects().sweep().toCompletionStage().toCompletableFuture().join();
    }

    /** Waits until so many files are in the folder of objects, and none is being written: what is refused in the middle is deleted beside the answer. */
    public void awaitObjects(int count) {
        Await.until(() -> "%d objects and none pending, there are %s".formatted(count, objects()), Await.BOUND,
                () -> objects().size() == count && rows("select 1 from platform.pending_objects").isEmpty());
    }

    /** Every file in its folder of objects, the unfinished ones too. */
    public List<Path> objects() {
        Path folder = platform.settings().objects().folder();
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** A connection to the platform's database as the owner of its tables, for what no operation shows. */
    public Connection sql() throws SQLException {
        Path owner = platform.settings().dataFolder().resolve("postgres.password");
        try {
            return Files.exists(owner) ? sql("postgres", Files.readString(owner)) : sqlAsNode();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The same under the role that the platform works with. */
    public Connection sqlAsNode() throws SQLException {
        PgConnectOptions database = platform.services().database().connection();
        return sql(database.getUser(), database.getPassword());
    }

    private Connection sql(String user, String password) throws SQLException {
        PgConnectOptions database = platform.services().database().connection();
        return DriverManager.getConnection("jdbc:postgresql://%s:%d/%s".formatted(database.getHost(), database.getPort(), database.getDatabase()),
                user, password);
    }

    /** Another node on the same database, with the same keys. */
    public RunningPlatform sibling(Path dataFolder) {
        return sibling(dataFolder, Map.of());
    }

    /** The same with more settings, as the environment would give them. */
    public RunningPlatform sibling(Path dataFolder, Map<String, String> environment) {
        return sibling(dataFolder, environment, Clock.systemUTC());
    }

    /** The same with a clock of its own. */
    public RunningPlatform sibling(Path dataFolder, Map<String, String> environment, Clock clock) {
        Map<String, String> all = siblingSettings();
        all.putAll(environment);
        return start(dataFolder, all, clock);
    }

    /** What another node needs for the same database and the same keys, as the environment would give it. */
    public Map<String, String> siblingSettings() {
        PgConnectOptions database = platform.services().database().connection();
        return new HashMap<>(Map.of(
                "ACP_DATABASE_URL", "postgresql://%s:%s@%s:%d/%s?sslmode=disable".formatted(
                        database.getUser(), database.getPassword(), database.getHost(), database.getPort(), database.getDatabase()),
                "ACP_KEYS_KEYSET_FILE", platform.settings().keys().keysetFile().toString()));
    }

    public Settings settings() {
        return platform.settings();
    }

    /** What its areas stand on, for a test of one part of them. */
    public AreaServices services() {
        return platform.services();
    }

    public String url() {
        return url;
    }

    /** What its management port says of its readiness. */
    public JsonObject health() {
        HttpRequest ready = HttpRequest.newBuilder(URI.create("http://localhost:%d/health/ready".formatted(platform.managementPort()))).build();
        try {
            return new JsonObject(client.send(ready, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /**
     * Rows of its database, for what no operation shows; each a list of its columns as text. Tests ask again and again until something is
     * there, and a new connection costs both sides much more than the question: it is kept.
     */
    public List<List<String>> rows(String sql, Object... values) {
        try {
            Connection connection = keptConnection();
            List<List<String>> rows;
            try {
                rows = rows(connection, sql, values);
            } catch (SQLException failed) {
                connection.close();
                throw failed;
            }
            if (!kept.offer(connection)) {
                connection.close();
            }
            return rows;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** One that still works, which is for the caller alone until it is given back; or a new one. */
    private Connection keptConnection() throws SQLException {
        for (Connection connection = kept.poll(); connection != null; connection = kept.poll()) {
            if (connection.isValid(VALID_SECONDS_MAX)) {
                return connection;
            }
            connection.close();
        }
        Connection connection = sql();
        // Tests change tables: no statement is planned for longer than it runs.
        connection.unwrap(PGConnection.class).setPrepareThreshold(0);
        return connection;
    }

    private static List<List<String>> rows(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            List<List<String>> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                        row.add(result.getString(i));
                    }
                    rows.add(row);
                }
            }
            return rows;
        }
    }

    /** An answer as it came. */
    public record Answer(int status, String body, HttpResponse<byte[]> response) {
        public Object json() {
            return Json.decodeValue(body);
        }

        public JsonObject object() {
            return new JsonObject(body);
        }

        public String sentence() {
            return (String) json();
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse(null);
        }
    }

    /** POST with a JSON body; the token may be null. Headers are name, value, name, value … */
    public Answer post(String path, JsonObject body, String token, String... headers) {
        return post(path, body == null ? "" : body.encode(), token, headers);
    }

    public Answer post(String path, String body, String token, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return send(request, token, headers);
    }

    /** POST with any body. */
    public Answer post(String path, HttpRequest.BodyPublisher body, String contentType, String token, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(Duration.ofSeconds(120))
                .header("Content-Type", contentType)
                .POST(body);
        return send(request, token, headers);
    }

    public Answer get(String path, String... headers) {
        return send(HttpRequest.newBuilder(URI.create(url() + path)).timeout(Duration.ofSeconds(60)).GET(), null, headers);
    }

    public Answer head(String path) {
        return send(HttpRequest.newBuilder(URI.create(url() + path)).timeout(Duration.ofSeconds(30)).HEAD(), null);
    }

    private Answer send(HttpRequest.Builder request, String token, String... headers) {
        if (token != null) {
            request.setHeader("Authorization", "Bearer " + token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        try {
            HttpResponse<byte[]> response = client.send(request.build(), FirstBlock.OF_STREAMS);
            return new Answer(response.statusCode(), new String(response.body(), java.nio.charset.StandardCharsets.UTF_8), response);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Signs a person in through the demo identity provider. */
    public Person signIn(String email, String firstName, String lastName) {
        JsonObject demo = new JsonObject().put("email", email).put("first_name", firstName).put("last_name", lastName);
        String idToken = post("/auth/demo/id-token", demo, null).object().getString("idToken");
        Answer answer = post("/auth/authenticate/demo", new JsonObject().put("idToken", idToken), null);
        if (answer.status() != 200) {
            throw new IllegalStateException("sign-in of %s: %d %s".formatted(email, answer.status(), answer.body()));
        }
        String token = answer.object().getString("accessToken");
        JsonObject me = post("/auth/users/me", (JsonObject) null, token).object();
        return new Person(me.getString("id"), email, token, answer.object().getString("refreshToken"));
    }

    /** Invites somebody into an organization on behalf of an administrator of it, whose count of the day starts anew on a platform of this process, and accepts. */
    public void join(String organizationId, Person administrator, Person joining, boolean asAdministrator) {
        if (platform != null) {
            rows("delete from identity.invitation_days where user_id = ?::uuid returning 1", administrator.id());
        }
        Answer invited = post("/auth/organizations/invitations/create", new JsonObject().put("organizationID", organizationId)
                .put("userID", joining.id()).put("isAdministrator", asAdministrator), administrator.token());
        if (invited.status() != 200) {
            throw new IllegalStateException("invitation of %s: %d %s".formatted(joining.email(), invited.status(), invited.body()));
        }
        Answer accepted = post("/auth/organizations/invitations/accept",
                new JsonObject().put("invitationID", invited.object().getString("invitationID")), joining.token());
        if (accepted.status() != 200) {
            throw new IllegalStateException("membership of %s: %d %s".formatted(joining.email(), accepted.status(), accepted.body()));
        }
    }

    /** The super administrator of the demo profile. */
    public Person administrator() {
        return signIn("admin@demo.example", "Ada", "Min");
    }

    /** The token of a machine client with these permissions. */
    public String machine(String... permissions) {
        JsonObject client = post("/auth/clients/create", new JsonObject().put("name", "Machine").put("permissions", new JsonArray(List.of(permissions))),
                administrator().token()).object();
        return post("/auth/clients/token", client, null).object().getString("accessToken");
    }

    public record Person(String id, String email, String token, String refreshToken) {}

    @Override
    public void close() {
        try {
            for (Connection connection = kept.poll(); connection != null; connection = kept.poll()) {
                connection.close();
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        } finally {
            if (platform != null) {
                platform.close();
            }
        }
    }
}
