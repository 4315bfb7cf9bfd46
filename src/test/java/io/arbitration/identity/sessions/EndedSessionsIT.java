package io.arbitration.identity.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.identity.Secrets;
import io.arbitration.platform.AreaServices;
import io.vertx.core.json.JsonObject;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** {@code identity.endedDays}: ended sessions are kept that long, for those who look into what happened, and no longer. */
class EndedSessionsIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();

    private static Person endedDaysAgo(int days) throws SQLException {
        Person person = PLATFORM.signIn("ended-%s@example.org".formatted(UUID.randomUUID()), "Ed", "Ended");
        if (days > 0) {
            PLATFORM.post("/auth/sessions/revoke", new JsonObject(), person.token());
            try (Connection owner = PLATFORM.sql(); Statement statement = owner.createStatement()) {
                statement.execute("update identity.sessions set ended_at = now() - interval '%d days' where user_id = '%s'".formatted(days, person.id()));
            }
        }
        return person;
    }

    private static List<List<String>> sessions(Person of) {
        return PLATFORM.rows("select 1 from identity.sessions where user_id = ?::uuid", of.id());
    }

    private static List<List<String>> tokens(Person of) {
        return PLATFORM.rows("select 1 from identity.refresh_tokens t join identity.sessions s using (session_id) where s.user_id = ?::uuid", of.id());
    }

    @Test
    void whatEndedLongerAgoThanIsSetIsForgottenWithItsTokens() throws Exception {
        AreaServices services = PLATFORM.services();
        SessionEndService service = new SessionEndService(services.database(), new SessionRepository(services.database()), services.revocations(), services.security(),
                new Secrets(new SecureRandom()), Duration.ofDays(60), services.clock());
        Person longAgo = endedDaysAgo(61);
        Person lately = endedDaysAgo(59);
        Person still = endedDaysAgo(0);
        Await.result(service.sweep());
        assertThat(sessions(longAgo)).isEmpty();
        assertThat(tokens(longAgo)).isEmpty();
        assertThat(sessions(lately)).hasSize(1);
        assertThat(sessions(still)).hasSize(1);
        assertThat(PLATFORM.post("/auth/users/me", new JsonObject(), still.token()).status()).isEqualTo(200);
    }
}
