package io.arbitration.platform.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.arbitration.Await;
import io.arbitration.MovableClock;
import io.arbitration.Settings;
import io.arbitration.platform.config.Configuration;
import io.arbitration.platform.db.Database;
import io.arbitration.platform.db.EmbeddedPostgres;
import io.arbitration.platform.db.Migrations;
import io.arbitration.platform.keys.LocalKeyset;
import io.arbitration.platform.keys.SigningKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an access token still says after things were taken back, and what else the same keys signed. */
class AccessTokensIT {

    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final int HELD_MAX = 1000;

    @TempDir
    static Path folder;

    private static final MovableClock CLOCK = new MovableClock();
    private static Vertx vertx;
    private static EmbeddedPostgres postgres;
    private static Database database;
    private static SigningKeys keys;

    private final Revocations revocations = new Revocations(database, LIFETIME, HELD_MAX, CLOCK);
    private final AccessTokens tokens = new AccessTokens("issuer", "audience", LIFETIME, keys, revocations, 100, CLOCK);
    private final Caller caller = new Caller(UUID.randomUUID(), UUID.randomUUID(), Set.of("one", "two"));

    @BeforeAll
    static void start() throws IOException {
        vertx = Vertx.vertx();
        postgres = EmbeddedPostgres.start(Files.createDirectories(folder.resolve("data")), 0);
        Migrations.run(postgres.url());
        Path home = Path.of("").toAbsolutePath();
        database = Database.open(vertx, postgres.url(), Settings.read(Configuration.load(home, Map.of()), home).database());
        keys = new SigningKeys(database, LocalKeyset.open(folder.resolve("keyset.json")), Duration.ofDays(30), LIFETIME, CLOCK);
        await(keys.rotate());
    }

    @AfterAll
    static void stop() throws IOException {
        await(database.close());
        postgres.close();
        await(vertx.close());
    }

    private String issued(Caller to, long revision) {
        return tokens.issue(to, Optional.empty(), revision, Optional.empty());
    }

    @Test
    void aTokenNamesItsCaller() throws InvalidToken {
        assertThat(tokens.verify(issued(caller, 7))).isEqualTo(caller);
    }

    @Test
    void aTokenOfALowerRevisionLosesThePermissionAndKeepsTheRest() throws InvalidToken {
        String before = issued(caller, 4);
        String after = issued(caller, 5);
        revocations.permissionTaken(caller.id(), "one", 5);
        assertThat(tokens.verify(before).permissions()).containsExactly("two");
        assertThat(tokens.verify(after)).isEqualTo(caller);
        revocations.permissionTaken(caller.id(), "one", 3);
        assertThat(tokens.verify(before).permissions()).as("news that come late").containsExactly("two");
    }

    @Test
    void whatIsTakenFromOneUserIsNotTakenFromAnother() throws InvalidToken {
        revocations.permissionTaken(UUID.randomUUID(), "one", 9);
        revocations.sessionEnded(UUID.randomUUID());
        assertThat(tokens.verify(issued(caller, 0))).isEqualTo(caller);
    }

    @Test
    void anotherNodeKnowsWhatWasTakenBeforeItStarted() throws InvalidToken {
        String token = issued(caller, 0);
        Caller other = new Caller(UUID.randomUUID(), UUID.randomUUID(), Set.of());
        await(database.transaction(transaction -> revocations.takePermission(transaction, caller.id(), "one", 1)
                .compose(taken -> revocations.endSessions(transaction, List.of(other.sessionId())))));
        Revocations started = new Revocations(database, LIFETIME, HELD_MAX, CLOCK);
        await(started.start(vertx));
        AccessTokens elsewhere = new AccessTokens("issuer", "audience", LIFETIME, keys, started, 100, CLOCK);
        assertThat(elsewhere.verify(token)).isEqualTo(
                new Caller(caller.id(), caller.sessionId(), Set.of("two")));
        assertThatThrownBy(() -> elsewhere.verify(issued(other, 0))).isInstanceOf(InvalidToken.class);
    }

    @Test
    void aTokenThatLivesLongerThanAnyIsRefused() throws InvalidToken {
        AccessTokens generous = new AccessTokens("issuer", "audience", LIFETIME.plusSeconds(1), keys, revocations, 100, CLOCK);
        String token = generous.issue(caller, Optional.empty(), 0, Optional.empty());
        assertThat(generous.verify(token)).isEqualTo(caller);
        assertNoToken(token);
    }

    @Test
    void whatAWithdrawnKeySignedIsRefusedAlsoWhereItWasSeenBefore() throws InvalidToken {
        SigningKeys own = new SigningKeys(database, LocalKeyset.open(folder.resolve("keyset.json")), Duration.ofDays(30), LIFETIME, CLOCK);
        await(own.rotate());
        AccessTokens elsewhere = new AccessTokens("issuer", "audience", LIFETIME, own, revocations, 100, CLOCK);
        String token = issued(caller, 0);
        assertThat(tokens.verify(token)).isEqualTo(caller);
        assertThat(elsewhere.verify(token)).isEqualTo(caller);
        String kid = keys.current().id();
        assertThat(await(keys.withdraw("unknown", caller.id(), "Stolen."))).isFalse();
        assertThat(await(keys.withdraw(kid, caller.id(), "Stolen."))).isTrue();
        assertNoToken(token);
        await(own.rotate());
        assertThatThrownBy(() -> elsewhere.verify(token)).isInstanceOf(InvalidToken.class);
        assertThat(keys.publicKeys().encode()).doesNotContain(kid);
        String next = issued(caller, 0);
        assertThat(keys.current().id()).isNotEqualTo(kid);
        assertThat(tokens.verify(next)).isEqualTo(caller);
        assertThat(elsewhere.verify(next)).as("the other node knows the next key by then").isEqualTo(caller);
        assertThat(await(database.query("select encrypted is null from platform.signing_keys where key_id = $1", Tuple.of(kid),
                row -> row.getBoolean(0)))).as("its private part is forgotten").containsExactly(true);
    }

    /** Where nobody can call any more, the owner of the database withdraws a key as the guide says. */
    @Test
    void theStatementsOfTheGuideWithdrawAKey() throws Exception {
        String token = issued(caller, 0);
        assertThat(tokens.verify(token)).isEqualTo(caller);
        String kid = keys.current().id();
        String guide = Files.readString(Path.of("docs/guides/sign-in.md"));
        String sql = guide.substring(guide.indexOf("```sql\n") + 7, guide.indexOf("```", guide.indexOf("```sql\n") + 7));
        assertThat(sql).contains("'…'");
        for (String statement : sql.replace("…", kid).split(";")) {
            if (!statement.isBlank()) {
                await(database.query(statement, Tuple.tuple(), row -> row));
            }
        }
        await(keys.rotate());
        assertNoToken(token);
        assertThat(keys.publicKeys().encode()).doesNotContain(kid);
        assertThat(tokens.verify(issued(caller, 0))).isEqualTo(caller);
    }

    @Test
    void aNodeThatWasCutOffReadsWhatItMissedBeforeItLetsAnybodyIn() throws InvalidToken {
        Revocations cutOff = new Revocations(database, LIFETIME, HELD_MAX, CLOCK);
        await(cutOff.start(vertx));
        AccessTokens elsewhere = new AccessTokens("issuer", "audience", LIFETIME, keys, cutOff, 100, CLOCK);
        String token = issued(caller, 0);
        assertThat(elsewhere.verify(token)).isEqualTo(caller);
        cutOff.stop(vertx);
        try {
            await(database.transaction(transaction -> revocations.endSessions(transaction, List.of(caller.sessionId()))));
            CLOCK.forward(Duration.ofMinutes(20));
            Await.until("it trusts itself no more", () -> !elsewhere.isCaughtUp());
            await(elsewhere.catchUp());
            assertThat(elsewhere.isCaughtUp()).isTrue();
            assertThatThrownBy(() -> elsewhere.verify(token)).as("ended 20 minutes ago").isInstanceOf(InvalidToken.class);
        } finally {
            CLOCK.ahead(Duration.ZERO);
        }
    }

    /** Another node has forgotten by then what was taken back meanwhile. */
    @Test
    void whatIsUnderWayIsBrokenOffWhereRevocationsWereNotReadForLongerThanTheyAreKept() {
        Revocations cutOff = new Revocations(database, LIFETIME, HELD_MAX, CLOCK);
        await(cutOff.start(vertx));
        cutOff.stop(vertx);
        AtomicInteger told = new AtomicInteger();
        Runnable unwatch = cutOff.watch(caller.sessionId(), told::incrementAndGet);
        try {
            CLOCK.forward(LIFETIME.minusMinutes(1));
            await(cutOff.catchUp());
            assertThat(told.get()).as("nothing can have been forgotten").isZero();
            await(database.transaction(transaction -> revocations.endSessions(transaction, List.of(caller.sessionId()))));
            await(database.update("delete from platform.revocations", Tuple.tuple()));
            CLOCK.forward(LIFETIME.plusMinutes(2));
            await(cutOff.catchUp());
            assertThat(told.get()).isEqualTo(1);
            unwatch.run();
            CLOCK.forward(LIFETIME.plusMinutes(2));
            await(cutOff.catchUp());
            assertThat(told.get()).as("whose watch has ended").isEqualTo(1);
        } finally {
            CLOCK.ahead(Duration.ZERO);
        }
    }

    /** Sessions that ended so many minutes ago, of which nobody has a token here. */
    private static void endOthers(int sessions, int minutesAgo) {
        await(database.update("insert into platform.revocations (subject_id, at) select gen_random_uuid(), $1 from generate_series(1, $2)",
                Tuple.of(minutesAgo(minutesAgo), sessions)));
    }

    private static OffsetDateTime minutesAgo(int minutes) {
        return CLOCK.instant().minus(Duration.ofMinutes(minutes)).atOffset(ZoneOffset.UTC);
    }

    private static void forgetRevocations() {
        await(database.update("delete from platform.revocations", Tuple.tuple()));
        CLOCK.ahead(Duration.ZERO);
    }

    @Test
    void whatANodeDoesNotHoldAnyMoreIsAskedOfTheDatabase() throws InvalidToken {
        Caller ended = new Caller(UUID.randomUUID(), UUID.randomUUID(), Set.of("one"));
        String ofEnded = issued(ended, 0);
        String ofLoser = issued(caller, 4);
        String ofHonest = issued(new Caller(UUID.randomUUID(), UUID.randomUUID(), Set.of("one")), 0);
        Revocations running = new Revocations(database, LIFETIME, 100, CLOCK);
        await(running.start(vertx));
        running.stop(vertx);
        AtomicInteger told = new AtomicInteger();
        running.watch(ended.sessionId(), told::incrementAndGet);
        try {
            CLOCK.forward(Duration.ofMinutes(30));
            await(database.update("insert into platform.revocations (subject_id, at) values ($1, $2)", Tuple.of(ended.sessionId(), minutesAgo(11))));
            await(database.update("insert into platform.revocations (subject_id, permission, revision, at) values ($1, 'one', 5, $2), ($1, 'two', 3, $2)",
                    Tuple.of(caller.id(), minutesAgo(11))));
            endOthers(60, 10);
            endOthers(2 * Revocations.PAGE, 9);
            Revocations started = new Revocations(database, LIFETIME, HELD_MAX, CLOCK);
            await(started.start(vertx));
            started.stop(vertx);
            await(running.catchUp());
            assertThat(told.get()).as("whoever is under way is told although it is held no more").isPositive();
            for (Revocations full : List.of(started, running)) {
                assertThat(full.held()).isLessThanOrEqualTo(full == started ? HELD_MAX : 100);
                AccessTokens elsewhere = new AccessTokens("issuer", "audience", LIFETIME, keys, full, 100, CLOCK);
                assertThat(elsewhere.mayHaveEvicted(ofEnded)).isTrue();
                assertThat(await(elsewhere.ask(ofEnded))).isEmpty();
                assertThatThrownBy(() -> elsewhere.verify(ofEnded)).as("also when it comes again").isInstanceOf(InvalidToken.class);
                assertThat(elsewhere.mayHaveEvicted(ofLoser)).isTrue();
                assertThat(await(elsewhere.ask(ofLoser))).as("made after the loss of the other one").contains(new Caller(caller.id(), caller.sessionId(), Set.of("two")));
                assertThat(elsewhere.verify(ofLoser).permissions()).containsExactly("two");
                assertThat(elsewhere.mayHaveEvicted(ofHonest)).isTrue();
                assertThat(await(elsewhere.ask(ofHonest)).orElseThrow().permissions()).containsExactly("one");
                assertThat(elsewhere.mayHaveEvicted(ofHonest)).as("the database is asked once").isFalse();
                assertThat(elsewhere.mayHaveEvicted(issued(caller, 5))).as("made since").isFalse();
            }
            Revocations roomy = new Revocations(database, LIFETIME, 10 * Revocations.PAGE, CLOCK);
            await(roomy.start(vertx));
            roomy.stop(vertx);
            assertThat(roomy.held()).as("read in several pages").isEqualTo(3 + 60 + 2 * Revocations.PAGE);
            AccessTokens knowing = new AccessTokens("issuer", "audience", LIFETIME, keys, roomy, 100, CLOCK);
            assertThatThrownBy(() -> knowing.verify(ofEnded)).isInstanceOf(InvalidToken.class);
            assertThat(knowing.mayHaveEvicted(ofHonest)).as("nothing was forgotten").isFalse();
        } finally {
            forgetRevocations();
        }
    }

    @Test
    void aSessionThatEndedOnANodeWhoseClockIsAheadHasEnded() {
        String token = issued(caller, 0);
        OffsetDateTime ahead = CLOCK.instant().plusSeconds(25).atOffset(ZoneOffset.UTC);
        Caller planned = new Caller(UUID.randomUUID(), UUID.randomUUID(), Set.of());
        try {
            await(database.update("insert into platform.revocations (subject_id, at, is_planned) values ($1, $3, false), ($2, $3, true)",
                    Tuple.of(caller.sessionId(), planned.sessionId(), ahead)));
            Revocations started = new Revocations(database, LIFETIME, HELD_MAX, CLOCK);
            await(started.start(vertx));
            started.stop(vertx);
            AccessTokens elsewhere = new AccessTokens("issuer", "audience", LIFETIME, keys, started, 100, CLOCK);
            assertThatThrownBy(() -> elsewhere.verify(token)).isInstanceOf(InvalidToken.class);
            assertThat(started.hasEnded(planned.sessionId())).isFalse();
            CLOCK.forward(Duration.ofSeconds(26));
            assertThat(started.hasEnded(planned.sessionId())).isTrue();
        } finally {
            forgetRevocations();
        }
    }

    @Test
    void aNodeThatWasCutOffReadsWhichKeysWereWithdrawnBeforeItLetsAnybodyIn() throws Exception {
        SigningKeys cutOff = new SigningKeys(database, LocalKeyset.open(folder.resolve("keyset.json")), Duration.ofDays(30), LIFETIME, CLOCK);
        await(cutOff.start(vertx));
        AccessTokens elsewhere = new AccessTokens("issuer", "audience", LIFETIME, cutOff, revocations, 100, CLOCK);
        String token = issued(caller, 0);
        assertThat(elsewhere.verify(token)).isEqualTo(caller);
        cutOff.stop(vertx);
        assertThat(await(keys.withdraw(keys.current().id(), caller.id(), "Stolen."))).isTrue();
        Await.until("it trusts itself no more", () -> !elsewhere.isCaughtUp());
        await(elsewhere.catchUp());
        assertThat(elsewhere.isCaughtUp()).isTrue();
        assertThatThrownBy(() -> elsewhere.verify(token)).as("withdrawn meanwhile").isInstanceOf(InvalidToken.class);
        assertThat(elsewhere.verify(issued(caller, 0))).as("by the next key").isEqualTo(caller);
    }

    @Test
    void somethingElseThatTheKeySignedIsNoAccessToken() throws Exception {
        JWTClaimsSet claims = SignedJWT.parse(issued(caller, 0)).getJWTClaimsSet();
        assertThat(tokens.verify(signed(JOSEObjectType.JWT, claims))).as("the same with the right type").isEqualTo(caller);
        assertNoToken(signed(new JOSEObjectType("receipt+jws"), claims));
        assertNoToken(signed(null, claims));
        for (String claim : List.of("iss", "aud", "sub", "sid", "iat", "exp", "jti")) {
            assertNoToken(signed(JOSEObjectType.JWT, new JWTClaimsSet.Builder(claims).claim(claim, null).build()));
        }
        for (String jwtId : List.of("", "x", ".", "-", "9".repeat(30) + ".x", UUID.randomUUID().toString())) {
            assertNoToken(signed(JOSEObjectType.JWT, new JWTClaimsSet.Builder(claims).jwtID(jwtId).build()));
        }
        assertNoToken(signed(JOSEObjectType.JWT, new JWTClaimsSet.Builder(claims).audience(List.of("audience", "other")).build()));
        assertNoToken(signed(JOSEObjectType.JWT, new JWTClaimsSet.Builder(claims).subject("nobody").build()));
        assertNoToken(signed(JOSEObjectType.JWT, new JWTClaimsSet.Builder(claims).claim("sid", 7).build()));
        assertNoToken(signed(JOSEObjectType.JWT, new JWTClaimsSet.Builder(claims)
                .issueTime(Date.from(CLOCK.instant().plusSeconds(120))).build()));
    }

    private void assertNoToken(String token) {
        assertThatThrownBy(() -> tokens.verify(token)).as(token).isInstanceOf(InvalidToken.class);
    }

    private static String signed(JOSEObjectType type, JWTClaimsSet claims) throws Exception {
        SigningKeys.SigningKey key = keys.current();
        SignedJWT token = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.id()).type(type).build(), claims);
        token.sign(key.signer());
        return token.serialize();
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
