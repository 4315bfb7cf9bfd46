package io.arbitration.domain.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.Decision.Decided;
import io.arbitration.domain.Decision.Refused;
import io.arbitration.domain.HearingId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.time.CaseClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HearingRulesTest {

    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final HearingId ID = new HearingId(new UUID(0, 1));
    private static final Participant CLAIMANT = part(Party.CLAIMANT, false);
    private static final Participant OBSERVER = part(Party.CASE_MANAGER, true);
    private static final Participant MANAGER = part(Party.CASE_MANAGER, false);
    private static final Participant ARBITRATOR = part(Party.ARBITRATOR, false);
    private static final Hearing.Schedule SCHEDULE = new Hearing.Schedule("Hearing", NOW.plus(Duration.ofDays(9)), Duration.ofMinutes(90),
            ZoneId.of("Europe/Stockholm"), Optional.of("Room 4"), Optional.empty(), Optional.empty());

    private static Participant part(PartyId party, boolean observer) {
        return Participant.joining(new UserId(UUID.randomUUID()), Optional.empty(), party, false, observer);
    }

    private static Case of(boolean open) {
        PhaseId phase = new PhaseId("hearing");
        return new Case(new CaseId(new UUID(0, 9)), "A v. B", "commercial", phase, open, 7, 21, Instant.EPOCH, List.of(CLAIMANT, OBSERVER, MANAGER, ARBITRATOR),
                Map.of(phase, Instant.EPOCH), Map.of(), CaseClock.PLATFORM, Optional.empty());
    }

    private static CaseUser as(Participant part) {
        return new CaseUser(part.userId(), false);
    }

    private static Hearing scheduled(Participant by) {
        return switch (HearingRules.schedule(of(true), SCHEDULE, 0, as(by), NOW, ID)) {
            case Decided<Hearing, HearingRefusal>(Hearing hearing) -> hearing;
            case Refused<Hearing, HearingRefusal>(HearingRefusal reason) -> throw new AssertionError(reason);
        };
    }

    private static HearingRefusal refusal(Decision<Hearing, HearingRefusal> decision) {
        return ((Refused<Hearing, HearingRefusal>) decision).reason();
    }

    @Test
    void caseManagerAndArbitratorsScheduleAndNobodyElse() {
        assertThat(scheduled(MANAGER).revision()).isEqualTo(1);
        assertThat(scheduled(ARBITRATOR).isScheduled()).isTrue();
        assertThat(refusal(HearingRules.schedule(of(true), SCHEDULE, 0, as(CLAIMANT), NOW, ID))).isEqualTo(HearingRefusal.NOT_DECIDING);
        assertThat(refusal(HearingRules.schedule(of(true), SCHEDULE, 0, as(OBSERVER), NOW, ID))).isEqualTo(HearingRefusal.OBSERVER);
        assertThat(refusal(HearingRules.schedule(of(true), SCHEDULE, 0, new CaseUser(new UserId(new UUID(0, 3)), true), NOW, ID)))
                .as("a super administrator has no part").isEqualTo(HearingRefusal.NOT_A_PARTICIPANT);
        assertThat(refusal(HearingRules.schedule(of(false), SCHEDULE, 0, as(MANAGER), NOW, ID))).isEqualTo(HearingRefusal.CLOSED);
        assertThat(refusal(HearingRules.schedule(of(true), SCHEDULE, HearingRules.HEARINGS_MAX, as(MANAGER), NOW, ID))).isEqualTo(HearingRefusal.TOO_MANY);
    }

    @Test
    void aChangeIsOfTheRevisionThatWasSeenAndACancelledHearingStaysSo() {
        Hearing hearing = scheduled(MANAGER);
        assertThat(refusal(HearingRules.change(of(true), hearing, old -> old, OptionalLong.of(2), as(MANAGER), NOW))).isEqualTo(HearingRefusal.STALE);
        Hearing.Schedule later = new Hearing.Schedule("Later", NOW, Duration.ofMinutes(5), ZoneId.of("UTC"), Optional.empty(), Optional.empty(), Optional.empty());
        Decision<Hearing, HearingRefusal> changed = HearingRules.change(of(true), hearing, old -> later, OptionalLong.of(1), as(ARBITRATOR), NOW.plusSeconds(1));
        assertThat(changed).isEqualTo(new Decided<>(new Hearing(ID, hearing.caseId(), later, 2, 0, Optional.empty(), Optional.empty(), MANAGER.userId(), NOW, NOW.plusSeconds(1))));
        assertThat(HearingRules.change(of(true), hearing, old -> SCHEDULE, OptionalLong.of(1), as(ARBITRATOR), NOW.plusSeconds(1))).as("nothing changes")
                .isEqualTo(new Decided<>(hearing));
        Hearing cancelled = ((Decided<Hearing, HearingRefusal>) HearingRules.cancel(of(true), hearing, "Settled.", OptionalLong.empty(), as(MANAGER), NOW)).value();
        assertThat(cancelled.isScheduled()).isFalse();
        assertThat(cancelled.revision()).isEqualTo(2);
        assertThat(refusal(HearingRules.cancel(of(true), cancelled, "Again.", OptionalLong.of(9), as(MANAGER), NOW))).isEqualTo(HearingRefusal.CANCELLED);
        assertThat(refusal(HearingRules.change(of(true), cancelled, old -> later, OptionalLong.empty(), as(MANAGER), NOW))).isEqualTo(HearingRefusal.CANCELLED);
        assertThat(refusal(HearingRules.change(of(true), cancelled, old -> later, OptionalLong.empty(), as(CLAIMANT), NOW))).isEqualTo(HearingRefusal.NOT_DECIDING);
    }
}
