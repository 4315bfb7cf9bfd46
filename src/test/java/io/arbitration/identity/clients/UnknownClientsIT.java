package io.arbitration.identity.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.identity.Secrets;
import io.arbitration.identity.organizations.OrganizationRepository;
import io.arbitration.platform.AreaServices;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A client that is unknown is looked for and verified like one that is known, so that the time of the answer does not say which it is. */
class UnknownClientsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();

    private static JsonObject created() {
        return PLATFORM.post("/auth/clients/create", new JsonObject().put("name", "Machine").put("permissions", new JsonArray()),
                PLATFORM.administrator().token()).object();
    }

    @Test
    void oneWhoIsUnknownOrDisabledIsVerifiedAsOftenAsOneWithAWrongSecret() {
        AreaServices services = PLATFORM.services();
        AtomicInteger verified = new AtomicInteger();
        ClientService clients = new ClientService(services.database(), new ClientRepository(services.database()), new OrganizationRepository(services.database()),
                services.tokens(), services.revocations(), services.security(), new Secrets(services.random()), 1,
                services.rates().limiter("client-changes", 120, Duration.ofMinutes(1)), (secret, hash) -> {
                    verified.incrementAndGet();
                    return Secrets.matches(secret, hash);
                }, services.clock());
        JsonObject known = created();
        JsonObject disabled = created();
        assertThat(PLATFORM.post("/auth/clients/disable", new JsonObject().put("clientID", disabled.getString("clientID")), PLATFORM.administrator().token()).status())
                .isEqualTo(200);
        int before = 0;
        for (Optional<UUID> id : List.of(Optional.of(UUID.fromString(known.getString("clientID"))), Optional.of(UUID.randomUUID()), Optional.<UUID>empty(),
                Optional.of(Client.NOBODY.id()), Optional.of(UUID.fromString(disabled.getString("clientID"))))) {
            assertThat(Await.result(clients.token(id, "acp_wrong"))).isEmpty();
            assertThat(verified).hasValue(++before);
        }
        assertThat(Await.result(clients.token(Optional.of(UUID.fromString(disabled.getString("clientID"))), disabled.getString("clientSecret")))).isEmpty();
        assertThat(Await.result(clients.token(Optional.of(UUID.fromString(known.getString("clientID"))), known.getString("clientSecret")))).isPresent();
    }

    @Test
    void whatIsNoIdIsLookedForInTheDatabaseToo() throws Exception {
        String known = created().getString("clientID");
        List<CompletableFuture<Answer>> asking;
        try (Connection held = PLATFORM.sql(); Statement sql = held.createStatement()) {
            held.setAutoCommit(false);
            sql.execute("lock table identity.clients in access exclusive mode");
            asking = Stream.of(known, UUID.randomUUID().toString(), "nobody").map(id -> CompletableFuture.supplyAsync(() -> PLATFORM.post("/auth/clients/token",
                    new JsonObject().put("clientID", id).put("clientSecret", "acp_wrong"), null), Thread::startVirtualThread)).toList();
            Await.until("each waits for the table", () -> PLATFORM.rows("""
                    select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%from identity.clients where client_id%'
                    """).size() == 3);
            held.rollback();
        }
        for (CompletableFuture<Answer> one : asking) {
            Answer answer = one.get(60, TimeUnit.SECONDS);
            assertThat(answer.status()).as(answer.body()).isEqualTo(401);
        }
    }
}
