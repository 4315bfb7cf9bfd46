package io.arbitration.domain.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.Decision.Decided;
import io.arbitration.domain.Decision.Rejected;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.EvidenceType;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.Phase;
import io.arbitration.domain.cases.Standing;
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
    private static final UploadRules RULES = new UploadRules(CASE_RULES, new EvidenceBounds(3, 1000, 2000));

    static Standing standing(PhaseId phase, boolean open, PartyId party, boolean observer) {
        return new Standing(phase, open, Optional.of(new Participant(new UserId(UUID.randomUUID()), Optional.empty(), party, false, observer)));
    }

    private static void rejects(Optional<Standing> standing, String category, UploadRejection reason) {
        assertThat(RULES.admit(standing, category)).isEqualTo(new Rejected<>(reason));
    }

    @Test
    void everyPartyUploadsUpToTheExchangeAndLaterTheCaseManagerAlone() {
        for (PartyId party : List.of(Party.CLAIMANT, Party.RESPONDENT, Party.ARBITRATOR, Party.CASE_MANAGER)) {
            for (PhaseId phase : List.of(BEFORE, Phase.EVIDENCE_EXCHANGE)) {
                assertThat(RULES.admit(Optional.of(standing(phase, true, party, false)), "contract")).isEqualTo(new Decided<>(CONTRACT));
            }
        }
        for (PartyId party : List.of(Party.CLAIMANT, Party.RESPONDENT, Party.ARBITRATOR)) {
            rejects(Optional.of(standing(AFTER, true, party, false)), "contract", UploadRejection.NOT_TAKEN_IN_PHASE);
        }
        assertThat(RULES.admit(Optional.of(standing(AFTER, true, Party.CASE_MANAGER, false)), "contract")).isInstanceOf(Decided.class);
    }

    /** Each standing has the fault that is named and every one that is checked after it. */
    @Test
    void existenceIsCheckedBeforeParticipationAndThatBeforeTheState() {
        rejects(Optional.empty(), "nothing", UploadRejection.CASE_NOT_FOUND);
        rejects(Optional.of(new Standing(AFTER, false, Optional.empty())), "nothing", UploadRejection.CATEGORY_NOT_FOUND);
        rejects(Optional.of(new Standing(AFTER, false, Optional.empty())), "contract", UploadRejection.NOT_A_PARTICIPANT);
        rejects(Optional.of(standing(AFTER, false, Party.CLAIMANT, true)), "contract", UploadRejection.OBSERVER);
        rejects(Optional.of(new Standing(AFTER, false, Optional.of(new Participant(new UserId(UUID.randomUUID()), Optional.empty(), Party.CLAIMANT,
                false, false, false)))), "contract", UploadRejection.MAY_NOT_FILE);
        rejects(Optional.of(standing(AFTER, false, Party.CLAIMANT, false)), "contract", UploadRejection.CASE_CLOSED);
        rejects(Optional.of(standing(AFTER, true, Party.CLAIMANT, false)), "contract", UploadRejection.NOT_TAKEN_IN_PHASE);
    }

    @Test
    void aPartyHasABoundedNumberOfExhibits() {
        assertThat(RULES.rejects(new ExhibitNumber(Party.CLAIMANT, 3))).isEmpty();
        assertThat(RULES.rejects(new ExhibitNumber(Party.CLAIMANT, 4))).contains(UploadRejection.TOO_MANY_OF_PARTY);
    }

    @Test
    void aCaseAndAUserHaveABoundedNumberOfBytes() {
        assertThat(RULES.rejects(new UploadedBytes(1000, 2000))).isEmpty();
        assertThat(RULES.rejects(new UploadedBytes(999, 1999).plus(2))).contains(UploadRejection.TOO_MANY_BYTES_OF_CASE);
        assertThat(RULES.rejects(new UploadedBytes(0, 1999).plus(2))).contains(UploadRejection.TOO_MANY_BYTES_OF_USER);
    }

    @Test
    void anExhibitIsCalledByItsPartyAndNumber() {
        assertThat(List.of(new ExhibitNumber(Party.CLAIMANT, 1), new ExhibitNumber(Party.RESPONDENT, 12),
                new ExhibitNumber(Party.CASE_MANAGER, 3), new ExhibitNumber(Party.ARBITRATOR, 4),
                new ExhibitNumber(new PartyId("intervener"), 5))).map(ExhibitNumber::toString)
                .containsExactly("C-1", "R-12", "M-3", "A-4", "INTERVENER-5");
    }
}
