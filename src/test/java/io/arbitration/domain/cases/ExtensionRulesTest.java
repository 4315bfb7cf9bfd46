package io.arbitration.domain.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.DeadlineId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.ExtensionId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.ExtensionRules.Extended;
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

/** Who gets more time, and who gives it. */
class ExtensionRulesTest {

    private static final Instant DATE = Instant.parse("2026-12-04T22:59:59.999Z");
    private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");
    private static final Instant UNTIL = Instant.parse("2026-12-11T22:59:59.999Z");
    private static final PhaseId RESPONSE = new PhaseId("response");
    private static final ExtensionId EXTENSION = new ExtensionId(UUID.fromString("3d5e8b7a-1c94-4f20-a6b3-92e7c05d1f48"));

    private final Participant respondent = part(Party.RESPONDENT, false);
    private final Participant claimant = part(Party.CLAIMANT, false);
    private final Participant manager = part(Party.CASE_MANAGER, false);
    private final Participant arbitrator = part(Party.ARBITRATOR, false);
    private final Participant observer = part(Party.RESPONDENT, true);
    private final Case open = with(true);

    private static Participant part(PartyId party, boolean observer) {
        return Participant.joining(new UserId(UUID.randomUUID()), Optional.empty(), party, false, observer);
    }

    private Case with(boolean isOpen) {
        return new Case(new CaseId(new UUID(0, 7)), "A v. B", "commercial", RESPONSE, isOpen, 7, 21, Instant.EPOCH,
                List.of(respondent, claimant, manager, arbitrator, observer), Map.of(RESPONSE, Instant.EPOCH), Map.of(), CaseClock.PLATFORM, Optional.empty());
    }

    private Extended answer(boolean hasOpenRequest) {
        DocumentTypeId answer = new DocumentTypeId("answer");
        CaseDeadline deadline = new CaseDeadline(DeadlineId.of(open.caseId(), RESPONSE, answer, Party.RESPONDENT, Optional.empty()), open.caseId(),
                RESPONSE, answer, Party.RESPONDENT, Optional.empty(),
                new Deadline("", Instant.EPOCH, LocalDate.EPOCH, LocalDate.EPOCH, DATE, LateFiling.REFUSE, Optional.empty()));
        return new Extended(deadline, DATE, hasOpenRequest);
    }

    private Decision<Extension, ExtensionRefusal> request(Case of, Extended extended, Instant until, OptionalLong revision, Participant by, Instant now) {
        return ExtensionRules.request(of, extended, new ExtensionRules.Request(until, "Our witness travels.", revision), asker(by), now, EXTENSION);
    }

    private Extension requested() {
        return decided(request(open, answer(false), UNTIL, OptionalLong.empty(), respondent, NOW));
    }

    private Decision<Extension, ExtensionRefusal> decide(Case of, Extension extension, boolean granted, Optional<Instant> until, Participant by) {
        return decide(of, extension, granted, until, by, NOW);
    }

    private Decision<Extension, ExtensionRefusal> decide(Case of, Extension extension, boolean granted, Optional<Instant> until, Participant by, Instant now) {
        return ExtensionRules.decide(of, answer(true), extension, new ExtensionRules.Ruling(granted, until, "Agreed.", OptionalLong.empty()), asker(by), now);
    }

    private static CaseUser asker(Participant by) {
        return new CaseUser(by.userId(), false);
    }

    private static Extension decided(Decision<Extension, ExtensionRefusal> decision) {
        assertThat(decision).isInstanceOf(Decision.Decided.class);
        return ((Decision.Decided<Extension, ExtensionRefusal>) decision).value();
    }

    private static void refused(Decision<Extension, ExtensionRefusal> decision, ExtensionRefusal reason) {
        assertThat(decision).isEqualTo(new Decision.Refused<>(reason));
    }

    @Test
    void thePartyOfTheDeadlineAsksAndNobodyElse() {
        assertThat(requested().isOpen()).isTrue();
        Participant stranger = part(Party.RESPONDENT, false);
        refused(request(open, answer(false), UNTIL, OptionalLong.empty(), stranger, NOW), ExtensionRefusal.NOT_A_PARTICIPANT);
        refused(request(open, answer(false), UNTIL, OptionalLong.empty(), observer, NOW), ExtensionRefusal.OBSERVER);
        for (Participant other : List.of(claimant, manager, arbitrator)) {
            refused(request(open, answer(false), UNTIL, OptionalLong.empty(), other, NOW), ExtensionRefusal.NOT_YOUR_DEADLINE);
        }
    }

    @Test
    void moreTimeIsLaterAndNotForEver() {
        refused(request(open, answer(false), DATE, OptionalLong.empty(), respondent, NOW), ExtensionRefusal.NOT_LATER);
        decided(request(open, answer(false), DATE.plusMillis(1), OptionalLong.empty(), respondent, NOW));
        decided(request(open, answer(false), DATE.plus(ExtensionRules.LONGEST), OptionalLong.empty(), respondent, NOW));
        refused(request(open, answer(false), DATE.plus(ExtensionRules.LONGEST).plusMillis(1), OptionalLong.empty(), respondent, NOW), ExtensionRefusal.TOO_LATE);
    }

    @Test
    void itIsAskedForInTimeOnceAndInAnOpenCase() {
        decided(request(open, answer(false), UNTIL, OptionalLong.of(7), respondent, DATE));
        refused(request(open, answer(false), UNTIL, OptionalLong.of(7), respondent, DATE.plusMillis(1)), ExtensionRefusal.PASSED);
        refused(request(open, answer(true), UNTIL, OptionalLong.of(7), respondent, NOW), ExtensionRefusal.ALREADY_REQUESTED);
        refused(request(open, answer(false), UNTIL, OptionalLong.of(6), respondent, NOW), ExtensionRefusal.STALE);
        refused(request(with(false), answer(false), UNTIL, OptionalLong.empty(), respondent, NOW), ExtensionRefusal.CLOSED);
        refused(request(open, answer(false), UNTIL, OptionalLong.empty(), respondent, UNTIL), ExtensionRefusal.OVER);
    }

    @Test
    void ofAClosedCaseItIsRefusedAlikeAtAnyTime() {
        for (Instant now : List.of(NOW, DATE.plusMillis(1), UNTIL, UNTIL.plus(Duration.ofDays(3650)))) {
            refused(request(with(false), answer(false), UNTIL, OptionalLong.empty(), respondent, now), ExtensionRefusal.CLOSED);
            refused(decide(with(false), requested(), true, Optional.empty(), manager, now), ExtensionRefusal.CLOSED);
        }
    }

    @Test
    void caseManagerAndArbitratorsDecideButNeverForTheirOwnParty() {
        Extension requested = requested();
        for (Participant by : List.of(manager, arbitrator)) {
            assertThat(decided(decide(open, requested, true, Optional.empty(), by)).grantedUntil()).contains(UNTIL);
        }
        for (Participant by : List.of(claimant, respondent)) {
            refused(decide(open, requested, true, Optional.empty(), by), ExtensionRefusal.NOT_DECIDING);
        }
        refused(decide(open, requested, true, Optional.empty(), observer), ExtensionRefusal.OBSERVER);
        Extension ofArbitrators = new Extension(EXTENSION, open.caseId(), requested.deadlineId(), Party.ARBITRATOR, arbitrator.userId(), NOW, UNTIL, "",
                new Extension.Outcome.Open());
        refused(decide(open, ofArbitrators, true, Optional.empty(), arbitrator), ExtensionRefusal.OWN_REQUEST);
        decided(decide(open, ofArbitrators, true, Optional.empty(), manager));
    }

    @Test
    void whatIsGrantedNeedNotBeWhatWasAskedForButIsLaterThanTheDeadline() {
        Extension requested = requested();
        Instant shorter = DATE.plus(Duration.ofDays(2));
        assertThat(decided(decide(open, requested, true, Optional.of(shorter), manager)).grantedUntil()).contains(shorter);
        refused(decide(open, requested, true, Optional.of(DATE.minusMillis(1)), manager), ExtensionRefusal.NOT_LATER);
        assertThat(decided(decide(open, requested, false, Optional.of(DATE.minusMillis(1)), manager)).grantedUntil()).as("refused").isEmpty();
    }

    @Test
    void timeThatIsOverIsNeitherAskedForNorGranted() {
        Extension requested = requested();
        for (Instant over : List.of(UNTIL, UNTIL.plus(Duration.ofDays(9)))) {
            refused(decide(open, requested, true, Optional.empty(), manager, over), ExtensionRefusal.OVER);
            refused(decide(open, requested, true, Optional.of(over), manager, over), ExtensionRefusal.OVER);
            assertThat(decided(decide(open, requested, true, Optional.of(over.plusMillis(1)), manager, over)).grantedUntil()).contains(over.plusMillis(1));
            assertThat(decided(decide(open, requested, false, Optional.empty(), manager, over)).isOpen()).as("refused").isFalse();
            refused(request(open, answer(false), UNTIL, OptionalLong.empty(), respondent, over), ExtensionRefusal.OVER);
        }
        assertThat(decided(decide(open, requested, true, Optional.empty(), manager, UNTIL.minusMillis(1))).grantedUntil()).contains(UNTIL);
    }

    @Test
    void aRequestIsDecidedOrWithdrawnOnce() {
        Extension granted = decided(decide(open, requested(), true, Optional.empty(), manager));
        refused(decide(open, granted, false, Optional.empty(), manager), ExtensionRefusal.ALREADY_DECIDED);
        refused(ExtensionRules.withdraw(open, answer(false), granted, OptionalLong.empty(), asker(respondent), NOW), ExtensionRefusal.ALREADY_DECIDED);

        Extension withdrawn = decided(ExtensionRules.withdraw(open, answer(true), requested(), OptionalLong.empty(), asker(respondent), NOW));
        refused(decide(open, withdrawn, true, Optional.empty(), manager), ExtensionRefusal.ALREADY_DECIDED);
        refused(ExtensionRules.withdraw(open, answer(true), requested(), OptionalLong.empty(), asker(claimant), NOW), ExtensionRefusal.NOT_YOUR_DEADLINE);
    }
}
