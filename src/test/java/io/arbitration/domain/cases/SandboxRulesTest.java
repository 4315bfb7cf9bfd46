package io.arbitration.domain.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.SandboxRules.Refusal;
import io.arbitration.domain.time.CaseClock;
import io.arbitration.domain.time.Deadline;
import io.arbitration.domain.time.LateFiling;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SandboxRulesTest {

    private static final PhaseId RESPONSE = new PhaseId("response");
    private static final PhaseId LATER = new PhaseId("hearing");
    private static final Instant CREATED = Instant.parse("2024-02-29T10:00:00Z");
    private static final Instant NOW = CREATED.plus(Duration.ofDays(40));
    private static final Participant CLAIMANT = Participant.joining(new UserId(new UUID(0, 1)), Optional.empty(), Party.CLAIMANT, true, false);
    private static final Participant OBSERVER = Participant.joining(new UserId(new UUID(0, 2)), Optional.empty(), Party.CLAIMANT, false, true);
    private static final OptionalLong ANY = OptionalLong.empty();

    private static Case sandbox(boolean isOpen, CaseClock clock) {
        return new Case(new CaseId(new UUID(0, 9)), "A v. B", "commercial", RESPONSE, isOpen, 7, 21, CREATED, List.of(CLAIMANT, OBSERVER),
                Map.of(RESPONSE, CREATED), Map.of(), clock, Optional.empty());
    }

    private static Optional<Refusal> refuses(Case of, Instant to, OptionalLong revision, UserId userId) {
        return SandboxRules.refuses(of, to, revision, new CaseUser(userId, true));
    }

    @Test
    void aClockGoesForwardByAMillisecondAtLeastAndTenYearsAtMost() {
        Case open = sandbox(true, CaseClock.standingAt(NOW));
        assertThat(refuses(open, NOW.plusMillis(1), ANY, CLAIMANT.userId())).isEmpty();
        assertThat(refuses(open, NOW, ANY, CLAIMANT.userId())).hasValue(Refusal.NOT_LATER);
        assertThat(refuses(open, NOW.minusMillis(1), ANY, CLAIMANT.userId())).hasValue(Refusal.NOT_LATER);
        Instant end = Instant.parse("2034-02-28T10:00:00Z");
        assertThat(SandboxRules.end(open)).as("no 29 February then").isEqualTo(end);
        assertThat(refuses(open, end, ANY, CLAIMANT.userId())).isEmpty();
        assertThat(refuses(open, end.plusMillis(1), ANY, CLAIMANT.userId())).hasValue(Refusal.TOO_FAR);
    }

    @Test
    void whoAsksComesBeforeTheStateAndTheStateBeforeTheTime() {
        Instant never = Instant.parse("9999-12-31T23:59:59.999Z");
        Case closed = sandbox(false, CaseClock.standingAt(NOW));
        assertThat(refuses(closed, never, ANY, new UserId(new UUID(0, 3)))).as("a super administrator without a part").hasValue(Refusal.NOT_A_PARTICIPANT);
        assertThat(refuses(closed, never, ANY, OBSERVER.userId())).hasValue(Refusal.OBSERVER);
        assertThat(refuses(sandbox(false, CaseClock.PLATFORM), never, ANY, CLAIMANT.userId())).hasValue(Refusal.NOT_A_SANDBOX);
        assertThat(refuses(closed, never, OptionalLong.of(6), CLAIMANT.userId())).hasValue(Refusal.CLOSED);
        assertThat(refuses(sandbox(true, CaseClock.standingAt(NOW)), never, OptionalLong.of(6), CLAIMANT.userId())).hasValue(Refusal.STALE);
        assertThat(refuses(sandbox(true, CaseClock.standingAt(NOW)), never, OptionalLong.of(7), CLAIMANT.userId())).hasValue(Refusal.TOO_FAR);
    }

    @Test
    void aSandboxStandsStillButForTheBeginningOfAPhase() {
        CaseClock clock = CaseClock.standingAt(NOW);
        Instant platform = Instant.parse("2026-01-01T00:00:00.123456Z");
        assertThat(clock.now(platform)).isEqualTo(NOW);
        assertThat(clock.next(platform)).isEqualTo(NOW.plusMillis(1));
        assertThat(CaseClock.PLATFORM.now(platform)).isEqualTo(CaseClock.PLATFORM.next(platform)).isEqualTo(Instant.parse("2026-01-01T00:00:00.123Z"));
    }

    @Test
    void remindersComeInTheirOrderBeforeWhatPassesAndOnlyOfWhatSomebodyCanStillMeet() {
        Case open = sandbox(true, CaseClock.standingAt(NOW));
        Instant date = NOW.plus(Duration.ofDays(10));
        List<TimedCaseEvent> told = TimedCaseEvent.of(open, deadline(RESPONSE, date), date, false, List.of(1, 7)).sorted(TimedCaseEvent.ORDER).toList();
        assertThat(told).extracting(TimedCaseEvent::at).containsExactly(date.minus(Duration.ofDays(7)), date.minus(Duration.ofDays(1)), date);
        assertThat(told.getLast()).isInstanceOfSatisfying(TimedCaseEvent.DeadlinePassed.class, passed -> assertThat(passed.isMet()).isFalse());
        assertThat(TimedCaseEvent.of(open, deadline(RESPONSE, date), date, true, List.of(1, 7))).singleElement()
                .isInstanceOfSatisfying(TimedCaseEvent.DeadlinePassed.class, passed -> assertThat(passed.isMet()).isTrue());
        assertThat(TimedCaseEvent.of(open, deadline(LATER, date), date, false, List.of(1, 7))).as("of a phase that the case is not in").hasSize(1);

        TimedCaseEvent passing = TimedCaseEvent.of(open, deadline(RESPONSE, date), date, true, List.of()).findFirst().orElseThrow();
        Instant sevenLater = date.plus(Duration.ofDays(7));
        TimedCaseEvent reminder = TimedCaseEvent.of(open, deadline(RESPONSE, sevenLater), sevenLater, false, List.of(7)).findFirst().orElseThrow();
        assertThat(List.of(passing, reminder).stream().sorted(TimedCaseEvent.ORDER)).as("at one instant").containsExactly(reminder, passing);
    }

    private static CaseDeadline deadline(PhaseId phase, Instant date) {
        Deadline set = new Deadline("10 calendar days from the start of the phase", CREATED, LocalDate.EPOCH, LocalDate.EPOCH, date, LateFiling.MARK, Optional.empty());
        return new CaseDeadline(new DeadlineId(UUID.randomUUID()), new CaseId(new UUID(0, 9)), phase, new DocumentTypeId("answer"), Party.RESPONDENT, Optional.empty(), set);
    }
}
