package io.arbitration.domain.invitation;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.invitation.InvitationTerms.Obstacle;
import io.arbitration.domain.time.UtcDay;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InvitationTermsTest {

    private static final Instant NOW = Instant.parse("2026-11-22T23:59:59.500Z");

    @Test
    void anOpenInvitationIsAnsweredUntilTheMomentItExpires() {
        assertThat(InvitationTerms.obstacle(false, false, NOW.plusMillis(1), NOW)).isEmpty();
        assertThat(InvitationTerms.obstacle(false, false, NOW, NOW)).contains(Obstacle.EXPIRED);
    }

    @Test
    void whatWasAnsweredStaysSoAndWhatIsVoidIsNeverSaidToHaveExpired() {
        assertThat(InvitationTerms.obstacle(true, true, NOW, NOW)).contains(Obstacle.ANSWERED);
        assertThat(InvitationTerms.obstacle(false, true, NOW, NOW)).contains(Obstacle.VOID);
        assertThat(InvitationTerms.obstacle(false, true, NOW.plusMillis(1), NOW)).contains(Obstacle.VOID);
    }

    @Test
    void whatIsTooManyMayBeTriedAgainInWholeSecondsFromOne() {
        assertThat(UtcDay.of(NOW)).isEqualTo(LocalDate.of(2026, 11, 22));
        assertThat(UtcDay.secondsToNext(NOW)).isEqualTo(1);
        assertThat(InvitationTerms.secondsUntil(NOW.plusMillis(1001), NOW)).isEqualTo(2);
        assertThat(InvitationTerms.secondsUntil(NOW.minusSeconds(5), NOW)).isEqualTo(1);
    }

    @Test
    void theLinkIsAtThePublicAddress() {
        assertThat(InvitationTerms.link("https://app.example.org", new UUID(0, 7))).isEqualTo("https://app.example.org/?invitation=00000000-0000-0000-0000-000000000007");
    }
}
