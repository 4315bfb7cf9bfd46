package io.arbitration.domain.docket;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.docket.SealRules.Refusal;
import io.arbitration.domain.docket.SealRules.Subject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SealRulesTest {

    private static final Set<PartyId> PARTIES = Set.of(Party.CLAIMANT, Party.RESPONDENT, Party.CASE_MANAGER, Party.ARBITRATOR);

    private static Subject subject(PartyId party, boolean isObserver, boolean exists, boolean isSealed) {
        return new Subject(Optional.of(Participant.joining(new UserId(UUID.randomUUID()), Optional.empty(), party, false, isObserver)), exists, isSealed);
    }

    @ParameterizedTest
    @CsvSource({"claimant,true", "respondent,false", "caseManager,true", "arbitrator,true"})
    void anEntryOfTheClaimantIsSeenByItsSideAndTheTribunal(String party, boolean sees) {
        Optional<Seal.Terms> seal = Optional.of(new Seal.Terms(List.of(), "x"));
        assertThat(EntryVisibility.sees(Optional.of(new PartyId(party)), Party.CLAIMANT, seal)).isEqualTo(sees);
        assertThat(EntryVisibility.sees(Optional.of(new PartyId(party)), Party.CLAIMANT, Optional.empty())).isTrue();
    }

    @Test
    void aSealNamesWhoElseSees() {
        Optional<Seal.Terms> seal = Optional.of(new Seal.Terms(List.of(Party.RESPONDENT), "x"));
        assertThat(EntryVisibility.sees(Optional.of(Party.RESPONDENT), Party.CLAIMANT, seal)).isTrue();
        assertThat(EntryVisibility.sees(Optional.of(Party.CLAIMANT), Party.CASE_MANAGER, seal)).isFalse();
    }

    @Test
    void whoTakesNoPartSeesNothing() {
        assertThat(EntryVisibility.sees(Optional.empty(), Party.CLAIMANT, Optional.empty())).isFalse();
        assertThat(EntryVisibility.sees(Optional.empty(), Party.CLAIMANT, Optional.of(new Seal.Terms(List.of(Party.CLAIMANT), "x")))).isFalse();
    }

    @Test
    void participationAndRoleAreLookedAtBeforeTheEntry() {
        assertThat(SealRules.refusesSealing(new Subject(Optional.empty(), false, false), List.of(), PARTIES)).contains(Refusal.NOT_A_PARTICIPANT);
        assertThat(SealRules.refusesSealing(subject(Party.CASE_MANAGER, true, false, false), List.of(), PARTIES)).contains(Refusal.OBSERVER);
        assertThat(SealRules.refusesSealing(subject(Party.CLAIMANT, false, false, false), List.of(), PARTIES)).contains(Refusal.NOT_OF_THE_TRIBUNAL);
        assertThat(SealRules.refusesSealing(subject(Party.ARBITRATOR, false, false, false), List.of(new PartyId("judge")), PARTIES)).contains(Refusal.ENTRY_NOT_FOUND);
        assertThat(SealRules.refusesSealing(subject(Party.ARBITRATOR, false, true, false), List.of(new PartyId("judge")), PARTIES)).contains(Refusal.PARTY_NOT_FOUND);
        assertThat(SealRules.refusesSealing(subject(Party.ARBITRATOR, false, true, true), List.of(Party.RESPONDENT), PARTIES)).isEmpty();
    }

    @Test
    void onlyWhatIsSealedIsUnsealed() {
        assertThat(SealRules.refusesUnsealing(subject(Party.CASE_MANAGER, false, true, false))).contains(Refusal.NOT_SEALED);
        assertThat(SealRules.refusesUnsealing(subject(Party.CASE_MANAGER, false, true, true))).isEmpty();
        assertThat(SealRules.refusesUnsealing(subject(Party.RESPONDENT, false, true, true))).contains(Refusal.NOT_OF_THE_TRIBUNAL);
    }
}
