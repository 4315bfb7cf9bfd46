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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

    @TempDir
    static Path folder;

    private static final MovableClock CLOCK = new MovableClock();
    private static Vertx vertx;
    private static EmbeddedPostgres postgres;
    private static Database database;
    private static SigningKeys keys;

    private final Revocations revocations = new Revocations(database, LIFETIME, CLOCK);
    private final AccessTokens tokens = new AccessTokens("issuer", "audience", LIFETIME, keys, revocations, CLOCK);
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
        Revocations started = new Revocations(database, LIFETIME, CLOCK);
        await(started.start(vertx));
        AccessTokens elsewhere = new AccessTokens("issuer", "audience", LIFETIME, keys, started, CLOCK);
        assertThat(elsewhere.verify(token)).isEqualTo(
                new Caller(caller.id(), caller.sessionId(), Set.of("two")));
        assertThatThrownBy(() -> elsewhere.verify(issued(other, 0))).isInstanceOf(InvalidToken.class);
    }

    @Test
    void aTokenThatLivesLongerThanAnyIsRefused() throws InvalidToken {
        AccessTokens generous = new AccessTokens("issuer", "audience", LIFETIME.plusSeconds(1), keys, revocations, CLOCK);
        String token = generous.issue(caller, Optional.empty(), 0, Optional.empty());
        assertThat(generous.verify(token)).isEqualTo(caller);
        assertNoToken(token);
    }

    @Test
    void whatAWithdrawnKeySignedIsRefusedAlsoWhereItWasSeenBefore() throws InvalidToken {
        SigningKeys own = new SigningKeys(database, LocalKeyset.open(folder.resolve("keyset.json")), Duration.ofDays(30), LIFETIME, CLOCK);
        await(own.rotate());
        AccessTokens elsewhere = new AccessTokens("issuer", "audience", LIFETIME, own, revocations, CLOCK);
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
        assertThat(await(database.query("select encrypted is null from platform.signing_keys where key_id = $1", io.vertx.sqlclient.Tuple.of(kid),
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
                await(database.query(statement, io.vertx.sqlclient.Tuple.tuple(), row -> row));
            }
        }
        await(keys.rotate());
        assertNoToken(token);
        assertThat(keys.publicKeys().encode()).doesNotContain(kid);
        assertThat(tokens.verify(issued(caller, 0))).isEqualTo(caller);
    }

    @Test
    void aNodeThatWasCutOffReadsWhatItMissedBeforeItLetsAnybodyIn() throws InvalidToken {
        Revocations cutOff = new Revocations(database, LIFETIME, CLOCK);
        await(cutOff.start(vertx));
        AccessTokens elsewhere = new AccessTokens("issuer", "audience", LIFETIME, keys, cutOff, CLOCK);
        String token = issued(caller, 0);
        assertThat(elsewhere.verify(token)).isEqualTo(caller);
        cutOff.stop(vertx);
        try {
            await(database.transaction(transaction -> revocations.endSessions(transaction, List.of(caller.sessionId()))));
            CLOCK.forward(Duration.ofMinutes(20));
            Await.until("it trusts itself no more", () -> !elsewhere.isCaughtUp());
            await(elsewhere.caughtUp());
            assertThat(elsewhere.isCaughtUp()).isTrue();
            assertThatThrownBy(() -> elsewhere.verify(token)).as("ended 20 minutes ago").isInstanceOf(InvalidToken.class);
        } finally {
            CLOCK.ahead(Duration.ZERO);
        }
    }

    /** Another node has forgotten by then what was taken back meanwhile. */
    @Test
    void whatIsUnderWayIsBrokenOffWhereRevocationsWereNotReadForLongerThanTheyAreKept() {
        Revocations cutOff = new Revocations(database, LIFETIME, CLOCK);
        await(cutOff.start(vertx));
        cutOff.stop(vertx);
        AtomicInteger told = new AtomicInteger();
        Runnable unwatch = cutOff.watch(caller.sessionId(), told::incrementAndGet);
        try {
            CLOCK.forward(LIFETIME.minusMinutes(1));
            await(cutOff.caughtUp());
            assertThat(told.get()).as("nothing can have been forgotten").isZero();
            await(database.transaction(transaction -> revocations.endSessions(transaction, List.of(caller.sessionId()))));
            await(database.update("delete from platform.revocations", io.vertx.sqlclient.Tuple.tuple()));
            CLOCK.forward(LIFETIME.plusMinutes(2));
            await(cutOff.caughtUp());
            assertThat(told.get()).isEqualTo(1);
            unwatch.run();
            CLOCK.forward(LIFETIME.plusMinutes(2));
            await(cutOff.caughtUp());
            assertThat(told.get()).as("whose watch has ended").isEqualTo(1);
        } finally {
            CLOCK.ahead(Duration.ZERO);
        }
    }

    @Test
    void aNodeThatWasCutOffReadsWhichKeysWereWithdrawnBeforeItLetsAnybodyIn() throws Exception {
        SigningKeys cutOff = new SigningKeys(database, LocalKeyset.open(folder.resolve("keyset.json")), Duration.ofDays(30), LIFETIME, CLOCK);
        await(cutOff.start(vertx));
        AccessTokens elsewhere = new AccessTokens("issuer", "audience", LIFETIME, cutOff, revocations, CLOCK);
        String token = issued(caller, 0);
        assertThat(elsewhere.verify(token)).isEqualTo(caller);
        cutOff.stop(vertx);
        assertThat(await(keys.withdraw(keys.current().id(), caller.id(), "Stolen."))).isTrue();
        Await.until("it trusts itself no more", () -> !elsewhere.isCaughtUp());
        await(elsewhere.caughtUp());
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
