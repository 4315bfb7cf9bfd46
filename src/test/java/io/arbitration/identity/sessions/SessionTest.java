package io.arbitration.identity.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.identity.sessions.Session.Use;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the use of a refresh token comes to, in every state of its session. */
class SessionTest {

    private static final Instant OPENED = Instant.parse("2026-11-01T08:00:00Z");
    private static final Session.Rules RULES = new Session.Rules(Duration.ofDays(10), Duration.ofDays(30), Duration.ofDays(7), Duration.ofSeconds(10), 100, Set.of("company"));

    private static Session session(String provider, boolean isEnded, boolean isOfDisabledUser) {
        return new Session(UUID.randomUUID(), UUID.randomUUID(), 5, OPENED.plusSeconds(3600), OPENED, OPENED, OPENED, OPENED.plus(Duration.ofDays(10)),
                Optional.empty(), Optional.ofNullable(provider), isEnded, isOfDisabledUser);
    }

    private static final Instant JUST_AFTER = OPENED.plusSeconds(3605);

    @Test
    void theCurrentTokenAdvancesAndTheOneBeforeIsRepeatedForAShortWhile() {
        Session session = session("company", false, false);
        assertThat(session.use(5, RULES, JUST_AFTER)).isEqualTo(Use.ADVANCES);
        assertThat(session.use(4, RULES, OPENED.plusSeconds(3610))).isEqualTo(Use.REPEATS);
        assertThat(session.use(4, RULES, OPENED.plusSeconds(3611))).isEqualTo(Use.IS_STOLEN);
        assertThat(session.use(3, RULES, JUST_AFTER)).isEqualTo(Use.IS_STOLEN);
    }

    @Test
    void nothingRenewsWhatIsOver() {
        assertThat(session("company", true, false).use(5, RULES, JUST_AFTER)).isEqualTo(Use.IS_OVER);
        assertThat(session("company", false, true).use(5, RULES, JUST_AFTER)).isEqualTo(Use.IS_OVER);
        assertThat(session("company", false, false).use(5, RULES, OPENED.plus(Duration.ofDays(10)))).isEqualTo(Use.IS_OVER);
        assertThat(session("company", true, false).use(3, RULES, JUST_AFTER)).as("a stolen token of it ends nothing more").isEqualTo(Use.IS_OVER);
    }

    @Test
    void aSessionEndsWithItsProvider() {
        assertThat(session("gone", false, false).use(5, RULES, JUST_AFTER)).isEqualTo(Use.ENDS);
        assertThat(session(null, false, false).use(5, RULES, JUST_AFTER)).as("of the version before").isEqualTo(Use.ADVANCES);
        assertThat(session("gone", false, false).isValid(RULES, JUST_AFTER)).isFalse();
        assertThat(session("company", false, false).isValid(RULES, JUST_AFTER)).isTrue();
        assertThat(session("company", false, true).isValid(RULES, JUST_AFTER)).isFalse();
    }

    @Test
    void noRenewalGoesPastTheLongestSession() {
        assertThat(RULES.expiry(OPENED, OPENED)).isEqualTo(OPENED.plus(Duration.ofDays(10)));
        assertThat(RULES.expiry(OPENED, OPENED.plus(Duration.ofDays(25)))).isEqualTo(OPENED.plus(Duration.ofDays(30)));
        Session.Rules shorter = new Session.Rules(Duration.ofDays(10), Duration.ofMinutes(30), Duration.ofDays(7), Duration.ofSeconds(10), 100, Set.of("company"));
        assertThat(session("company", false, false).use(5, shorter, JUST_AFTER)).as("the configuration was made stricter").isEqualTo(Use.ENDS);
    }
}
