package io.arbitration.domain.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.Decision.Decided;
import io.arbitration.domain.Decision.Refused;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseParticipation;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.EvidenceType;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.Phase;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UploadRulesTest {

    static final PhaseId BEFORE = new PhaseId("evidenceSubmissions");
    static final PhaseId AFTER = new PhaseId("hearing");
    private static final EvidenceType CONTRACT = new EvidenceType("contract", "Contract", List.of("application/pdf"));
    static final CaseRules CASE_RULES = CaseRules.of(new Definitions(List.of(),
            List.of(new Phase(BEFORE, "", "", 0), new Phase(Phase.EVIDENCE_EXCHANGE, "", "", 1), new Phase(AFTER, "", "", 2)),
            List.of(), List.of(CONTRACT), List.of(), List.of()), calendar -> day -> false);
    private static final UploadRules RULES = new UploadRules(CASE_RULES, new EvidenceBounds(3, 1000, 400, 2000));

    static CaseParticipation participation(PhaseId phase, boolean open, PartyId party, boolean observer) {
        return new CaseParticipation(phase, open, Optional.of(Participant.joining(new UserId(UUID.randomUUID()), Optional.empty(), party, false, observer)));
    }

    private static void refuses(Optional<CaseParticipation> participation, String category, UploadRefusal reason) {
        assertThat(RULES.admit(participation, category)).isEqualTo(new Refused<>(reason));
    }

    @Test
    void everyPartyUploadsUpToTheExchangeAndLaterTheCaseManagerAlone() {
        for (PartyId party : List.of(Party.CLAIMANT, Party.RESPONDENT, Party.ARBITRATOR, Party.CASE_MANAGER)) {
            for (PhaseId phase : List.of(BEFORE, Phase.EVIDENCE_EXCHANGE)) {
                assertThat(RULES.admit(Optional.of(participation(phase, true, party, false)), "contract")).isEqualTo(new Decided<>(CONTRACT));
            }
        }
        for (PartyId party : List.of(Party.CLAIMANT, Party.RESPONDENT, Party.ARBITRATOR)) {
            refuses(Optional.of(participation(AFTER, true, party, false)), "contract", UploadRefusal.NOT_TAKEN_IN_PHASE);
        }
        assertThat(RULES.admit(Optional.of(participation(AFTER, true, Party.CASE_MANAGER, false)), "contract")).isInstanceOf(Decided.class);
    }

    /** Each participation has the fault that is named and every one that is checked after it. */
    @Test
    void existenceIsCheckedBeforeParticipationAndThatBeforeTheState() {
        refuses(Optional.empty(), "nothing", UploadRefusal.CASE_NOT_FOUND);
        refuses(Optional.of(new CaseParticipation(AFTER, false, Optional.empty())), "nothing", UploadRefusal.CATEGORY_NOT_FOUND);
        refuses(Optional.of(new CaseParticipation(AFTER, false, Optional.empty())), "contract", UploadRefusal.NOT_A_PARTICIPANT);
        refuses(Optional.of(participation(AFTER, false, Party.CLAIMANT, true)), "contract", UploadRefusal.OBSERVER);
        refuses(Optional.of(new CaseParticipation(AFTER, false, Optional.of(new Participant(new UserId(UUID.randomUUID()), Optional.empty(), Party.CLAIMANT,
                false, false, false)))), "contract", UploadRefusal.MAY_NOT_FILE);
        refuses(Optional.of(participation(AFTER, false, Party.CLAIMANT, false)), "contract", UploadRefusal.CASE_CLOSED);
        refuses(Optional.of(participation(AFTER, true, Party.CLAIMANT, false)), "contract", UploadRefusal.NOT_TAKEN_IN_PHASE);
    }

    @Test
    void aPartyHasABoundedNumberOfExhibits() {
        assertThat(RULES.refuses(new ExhibitNumber(Party.CLAIMANT, 3))).isEmpty();
        assertThat(RULES.refuses(new ExhibitNumber(Party.CLAIMANT, 4))).contains(UploadRefusal.TOO_MANY_OF_PARTY);
    }

    @Test
    void aCaseAPartyAndAUserHaveABoundedNumberOfBytes() {
        assertThat(RULES.refuses(new UploadedBytes(1000, 400, 2000))).isEmpty();
        assertThat(RULES.refuses(new UploadedBytes(999, 399, 1999).plus(2, 2))).contains(UploadRefusal.TOO_MANY_BYTES_OF_CASE);
        assertThat(RULES.refuses(new UploadedBytes(399, 399, 1999).plus(2, 2))).contains(UploadRefusal.TOO_MANY_BYTES_OF_PARTY);
        assertThat(RULES.refuses(new UploadedBytes(0, 0, 1999).plus(2, 2))).contains(UploadRefusal.TOO_MANY_BYTES_OF_USER);
        assertThat(RULES.refuses(new UploadedBytes(0, 0, 1990).plus(2, 11))).as("with its others under way").contains(UploadRefusal.TOO_MANY_BYTES_OF_USER);
    }

    /** With what both sides may upload, a fifth of the case remains for the tribunal. */
    @Test
    void theUsualShareOfAPartyIsTwoFifthsOfItsCase() {
        assertThat(EvidenceBounds.usualPartyBytesMax(53_687_091_200L)).isEqualTo(21_474_836_480L);
        assertThat(EvidenceBounds.usualPartyBytesMax(1024)).isEqualTo(408);
    }

    @Test
    void anExhibitIsCalledByItsPartyAndNumber() {
        assertThat(List.of(new ExhibitNumber(Party.CLAIMANT, 1), new ExhibitNumber(Party.RESPONDENT, 12),
                new ExhibitNumber(Party.CASE_MANAGER, 3), new ExhibitNumber(Party.ARBITRATOR, 4),
                new ExhibitNumber(new PartyId("intervener"), 5))).map(ExhibitNumber::toString)
                .containsExactly("C-1", "R-12", "M-3", "A-4", "INTERVENER-5");
    }
}
