package io.arbitration.domain.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseParticipation;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.cases.Phase;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvidenceVisibilityTest {

    private static final EvidenceVisibility VISIBILITY = new EvidenceVisibility(UploadRulesTest.CASE_RULES);
    private static final List<PartyId> PARTIES = List.of(Party.CLAIMANT, Party.RESPONDENT, Party.CASE_MANAGER, Party.ARBITRATOR);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void beforeTheExchangeEachSideSeesItsOwnAndTheCaseManagersSideAllObserversIncluded(boolean observer) {
        for (PartyId party : PARTIES) {
            Set<PartyId> seen = VISIBILITY.seen(UploadRulesTest.participation(UploadRulesTest.BEFORE, true, party, observer), PARTIES);
            assertThat(seen).isEqualTo(party.equals(Party.CASE_MANAGER) ? Set.copyOf(PARTIES) : Set.of(party));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fromTheExchangeOnEveryParticipantSeesAll(boolean observer) {
        for (PhaseId phase : List.of(Phase.EVIDENCE_EXCHANGE, UploadRulesTest.AFTER)) {
            for (PartyId party : PARTIES) {
                assertThat(VISIBILITY.seen(UploadRulesTest.participation(phase, true, party, observer), PARTIES)).isEqualTo(Set.copyOf(PARTIES));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClosedCaseShowsNoMoreThanItDid(boolean open) {
        assertThat(VISIBILITY.sees(UploadRulesTest.participation(UploadRulesTest.BEFORE, open, Party.RESPONDENT, false), Party.CLAIMANT)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"evidenceSubmissions", "evidenceExchange", "hearing"})
    void whoeverHasNoPartSeesNothing(String phase) {
        assertThat(VISIBILITY.seen(new CaseParticipation(new PhaseId(phase), true, Optional.empty()), PARTIES)).isEmpty();
    }
}
