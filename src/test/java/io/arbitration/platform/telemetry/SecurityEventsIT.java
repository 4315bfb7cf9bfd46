package io.arbitration.platform.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Who was refused, who signed in and what administrators did is in the log and in the metrics, at a bounded rate and without secrets. */
class SecurityEventsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(SecurityEvents.class);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> written = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
        }
    };

    @BeforeEach
    void listen() {
        written.setContext(LOG.getLoggerContext());
        written.start();
        LOG.addAppender(written);
    }

    @AfterEach
    void listenNoMore() {
        LOG.detachAppender(written);
    }

    private static double counted(MeterRegistry meters, String event, String what, String reason) {
        return Search.in(meters).name("acp.security.events").tag("event", event).tag("what", what).tag("reason", reason).counters().stream()
                .mapToDouble(Counter::count).sum();
    }

    /** The lines of what is told. In the second after other tests of this run, lines of the same kind are left out. */
    private List<String> written(String event, String what, String reason, Runnable deed) {
        return Await.value("a line about " + what, () -> {
            List<String> told = told(event, what, reason, deed);
            return told.stream().noneMatch(line -> line.contains("event=" + event)) ? null : told;
        });
    }

    /** Runs what is to be told, and answers what was written meanwhile. */
    private List<String> told(String event, String what, String reason, Runnable deed) {
        MeterRegistry meters = PLATFORM.services().meters();
        double before = counted(meters, event, what, reason);
        lines.clear();
        deed.run();
        assertThat(counted(meters, event, what, reason)).as("%s %s %s", event, what, reason).isEqualTo(before + 1);
        return List.copyOf(lines);
    }

    @Test
    void whoIsRefusedIsToldWithTheReasonThatTheCallerDoesNotLearn() {
        Person person = PLATFORM.signIn("watched-" + UUID.randomUUID() + "@example.org", "W", "W");
        String forged = person.token().substring(0, person.token().length() - 6) + "AAAAAA";
        assertThat(written("refused", "token.invalid", "signature", () -> PLATFORM.post("/cases/cases/list", new JsonObject(), forged)))
                .singleElement().asString().startsWith("security event=refused code=token.invalid reason=signature operation=cases.listCases address=127.0.0.1 leftOut=")
                .doesNotContain(forged);
        told("refused", "token.invalid", "malformed", () -> PLATFORM.post("/cases/cases/list", new JsonObject(), "x"));
        told("refused", "token.invalid", "cookie of no session", () -> PLATFORM.post("/cases/cases/list", new JsonObject(), null,
                "Cookie", "session=x", "Origin", "http://localhost:0"));
        told("refused", "origin.not-allowed", "", () -> PLATFORM.post("/cases/cases/list", new JsonObject(), null, "Cookie", "session=x", "Origin", "https://evil.example"));
        assertThat(written("refused", "permission.required", "", () -> PLATFORM.post("/auth/users/find", new JsonObject().put("email", "a@example.org"), person.token())))
                .singleElement().asString().contains("operation=identity.findUser");
        String administrator = PLATFORM.administrator().token();
        assertThat(written("refused", "request.invalid", "", () -> PLATFORM.post("/auth/users/find", new JsonObject().put("email", new JsonObject().put("sent", "hush")), administrator)))
                .singleElement().asString().contains("operation=identity.findUser").doesNotContain("hush");
        told("refused", "session.invalid-refresh-token", "", () -> PLATFORM.post("/auth/sessions/refresh", new JsonObject().put("refreshToken", "r1_x"), null));
        written("refused", "oauth.invalid-client", "", () -> PLATFORM.post("/auth/oauth/token", java.net.http.HttpRequest.BodyPublishers.ofString(
                "grant_type=client_credentials&client_id=%s&client_secret=hush".formatted(UUID.randomUUID())), "application/x-www-form-urlencoded", null));
        assertThat(lines).singleElement().asString().doesNotContain("hush");
    }

    @Test
    void signInsAreToldGoodAndBad() {
        assertThat(written("signed-in", "demo", "", () -> PLATFORM.signIn("seen-" + UUID.randomUUID() + "@example.org", "S", "S")))
                .anySatisfy(line -> assertThat(line).matches("security event=signed-in user=[0-9a-f-]{36} session=[0-9a-f-]{36} provider=demo address=127.0.0.1 leftOut=\\d+"));
        String idToken = PLATFORM.post("/auth/demo/id-token", new JsonObject().put("email", "x@example.org").put("first_name", "X").put("last_name", "Y"), null)
                .object().getString("idToken");
        String forged = idToken.substring(0, idToken.length() - 6) + "AAAAAA";
        assertThat(written("not-taken", "id-token", "signature", () -> PLATFORM.post("/auth/authenticate/demo", new JsonObject().put("idToken", forged), null)))
                .anySatisfy(line -> assertThat(line).startsWith("security event=not-taken what=id-token provider=demo reason=signature"))
                .allSatisfy(line -> assertThat(line).doesNotContain(forged));
    }

    @Test
    void whatAdministratorsDoIsToldEachTime() {
        Person administrator = PLATFORM.administrator();
        Person person = PLATFORM.signIn("acted-on-" + UUID.randomUUID() + "@example.org", "A", "O");
        JsonObject user = new JsonObject().put("userID", person.id());
        JsonObject permission = user.copy().put("permission", "push.keys.creator");
        assertThat(written("acted", "permission.granted", "", () -> PLATFORM.post("/auth/permissions/grant", permission, administrator.token())))
                .contains("security event=acted act=permission.granted by=%s on=%s push.keys.creator".formatted(administrator.id(), person.id()));
        told("acted", "permission.revoked", "", () -> PLATFORM.post("/auth/permissions/revoke", permission, administrator.token()));
        told("acted", "session.revoked", "", () -> PLATFORM.post("/auth/sessions/revoke", user, administrator.token()));
        told("acted", "user.disabled", "", () -> PLATFORM.post("/auth/users/disable", user.copy().put("reason", "Left."), administrator.token()));
        told("acted", "user.enabled", "", () -> PLATFORM.post("/auth/users/enable", user, administrator.token()));
        JsonObject[] client = new JsonObject[1];
        assertThat(written("acted", "client.created", "", () -> client[0] = PLATFORM.post("/auth/clients/create",
                new JsonObject().put("name", "Machine").put("permissions", new JsonArray()), administrator.token()).object()))
                .allSatisfy(line -> assertThat(line).doesNotContain(client[0].getString("clientSecret")));
        JsonObject named = new JsonObject().put("clientID", client[0].getString("clientID"));
        told("acted", "client.secret-rotated", "", () -> PLATFORM.post("/auth/clients/rotate-secret", named, administrator.token()));
        told("acted", "client.disabled", "", () -> PLATFORM.post("/auth/clients/disable", named, administrator.token()));
        told("acted", "client.enabled", "", () -> PLATFORM.post("/auth/clients/enable", named, administrator.token()));
    }

    @Test
    void anAttackIsCountedWholeAndWrittenInAFewLines() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        AtomicLong nanos = new AtomicLong();
        SecurityEvents events = new SecurityEvents(meters, nanos::get);
        for (int i = 0; i < 1000; i++) {
            events.refused("rate.limited", "", "cases.listCases", "192.0.2.1");
        }
        assertThat(counted(meters, "refused", "rate.limited", "")).isEqualTo(1000);
        assertThat(lines).hasSize(SecurityEvents.LINES_PER_SECOND);
        events.refused("token.invalid", "expired", "cases.listCases", "192.0.2.1");
        assertThat(lines).as("another kind is not hidden by it").hasSize(SecurityEvents.LINES_PER_SECOND + 1);
        nanos.addAndGet(1_000_000_000L);
        events.refused("rate.limited", "", "cases.listCases", "192.0.2.1");
        assertThat(lines.getLast()).endsWith("leftOut=990");
    }
}
