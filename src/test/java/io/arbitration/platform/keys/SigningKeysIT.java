package io.arbitration.platform.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.MovableClock;
import io.arbitration.Settings;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.EmbeddedPostgres;
import io.arbitration.platform.db.Migrations;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of the platform's signing keys, on a real database and a clock that the test moves. */
class SigningKeysIT {

    private static final Duration ROTATE_AFTER = Duration.ofDays(30);
    private static final Duration TOKEN_LIFETIME = Duration.ofHours(1);
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    @TempDir
    static Path folder;

    private static Vertx vertx;
    private static EmbeddedPostgres postgres;
    private static Database database;

    private final MovableClock clock = new MovableClock();
    private final Kms kms = LocalKeyset.open(folder.resolve("keyset.json"));

    @BeforeAll
    static void startDatabase() throws IOException {
        vertx = Vertx.vertx();
        Files.createDirectories(folder.resolve("data"));
        postgres = EmbeddedPostgres.start(folder.resolve("data"), 0);
        Migrations.run(postgres.url());
        Path home = Path.of("").toAbsolutePath();
        Settings settings = Settings.read(Configuration.load(home, Map.of()), home);
        database = Database.open(vertx, postgres.url(), settings.database());
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        await(database.close());
        postgres.close();
        await(vertx.close());
    }

    @BeforeEach
    void noKeys() {
        await(database.update("delete from platform.signing_keys", Tuple.tuple()));
    }

    private SigningKeys node() {
        return node(kms);
    }

    private SigningKeys node(Kms with) {
        SigningKeys keys = new SigningKeys(database, with, ROTATE_AFTER, TOKEN_LIFETIME, clock);
        await(keys.rotate());
        return keys;
    }

    private static List<String> published(SigningKeys keys) {
        return keys.publicKeys().getJsonArray("keys").stream().map(key -> ((JsonObject) key).getString("kid")).toList();
    }

    @Test
    void theFirstKeySignsAtOnceAndARestartKeepsIt() {
        SigningKeys keys = node();
        assertThat(published(keys)).containsExactly(keys.current().id());
        assertThat(node().current().id()).isEqualTo(keys.current().id());
    }

    @Test
    void aNewKeyIsPublishedBeforeItSigns() {
        SigningKeys keys = node();
        String first = keys.current().id();
        clock.forward(ROTATE_AFTER.minusMinutes(1));
        await(keys.rotate());
        assertThat(published(keys)).as("not due yet").containsExactly(first);
        clock.forward(Duration.ofMinutes(1));
        await(keys.rotate());
        assertThat(published(keys)).hasSize(2).endsWith(first);
        assertThat(keys.current().id()).isEqualTo(first);
        clock.forward(SigningKeys.PUBLISHED_FIRST.minus(A_MOMENT));
        assertThat(keys.current().id()).isEqualTo(first);
        clock.forward(A_MOMENT);
        assertThat(keys.current().id()).isEqualTo(published(keys).getFirst()).isNotEqualTo(first);
    }

    @Test
    void theOldKeyVerifiesUntilItsTokensAreGoneAndStaysPublishedWithoutItsPrivatePart() {
        SigningKeys keys = node();
        String old = keys.current().id();
        clock.forward(ROTATE_AFTER);
        await(keys.rotate());
        clock.forward(SigningKeys.PUBLISHED_FIRST.plus(TOKEN_LIFETIME));
        await(keys.rotate());
        await(keys.rotate());
        assertThat(keys.find(old)).as("a token of the last moment has expired just now").isPresent();
        clock.forward(SigningKeys.MARGIN.plus(A_MOMENT));
        await(keys.rotate());
        await(keys.rotate());
        assertThat(keys.find(old)).isEmpty();
        assertThat(published(keys)).contains(old);
        assertThat(await(database.query("select encrypted is null as forgotten from platform.signing_keys where key_id = $1",
                Tuple.of(old), row -> row.getBoolean("forgotten")))).containsExactly(true);
        assertThat(published(node())).as("after a restart").isEqualTo(published(keys));
    }

    /** By the statement of the guide for operators: there is no operation for it. */
    @Test
    void aKeyThatIsWithdrawnByHandVerifiesNothingMoreOnAnyNodeAndAnotherSigns() throws IOException {
        SigningKeys keys = node();
        SigningKeys other = node();
        String stolen = keys.current().id();
        clock.forward(Duration.ofDays(1));
        Matcher statement = Pattern.compile("--command \"\\s*(update platform\\.signing_keys [^\"]+)\"").matcher(Files.readString(Path.of("docs/guides/operate.md")));
        assertThat(statement.find()).isTrue();
        await(database.update(statement.group(1), Tuple.tuple()));
        for (SigningKeys node : List.of(keys, other, keys)) {
            await(node.rotate());
            assertThat(node.find(stolen)).isEmpty();
            assertThat(node.current().id()).isNotEqualTo(stolen);
        }
        assertThat(keys.current().id()).isEqualTo(other.current().id());
        assertThat(published(keys)).as("for the receipts that it signed").containsExactly(keys.current().id(), stolen);
    }

    @Test
    void nodesThatRotateAtOnceMakeOneKey() {
        List<SigningKeys> nodes = Stream.generate(() -> new SigningKeys(database, kms, ROTATE_AFTER, TOKEN_LIFETIME, clock))
                .limit(5).toList();
        await(Future.all(nodes.stream().map(SigningKeys::rotate).toList()));
        clock.forward(ROTATE_AFTER);
        await(Future.all(nodes.stream().map(SigningKeys::rotate).toList()));
        nodes.forEach(node -> {
            await(node.rotate());
            assertThat(published(node)).hasSize(2).isEqualTo(published(nodes.getFirst()));
        });
    }

    @Test
    void anotherKeysetIsRefusedWithItsFileAndTheKey() {
        String id = node().current().id();
        Path other = folder.resolve("other-keyset.json");
        assertThatThrownBy(() -> node(LocalKeyset.open(other)))
                .hasMessageContaining(id).hasMessageContaining(other.toString()).hasMessageContaining("keys.keysetFile");
    }

    @Test
    void whatIsStoredHoldsNoReadablePrivatePart() {
        node();
        assertThat(await(database.query("select public_key, encode(encrypted, 'escape') as encrypted from platform.signing_keys",
                Tuple.tuple(), row -> row.getString("public_key") + row.getString("encrypted"))))
                .singleElement().asString().doesNotContain("\"d\"");
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }
}
