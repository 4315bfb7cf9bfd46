package io.arbitration.domain.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.Decision.Decided;
import io.arbitration.domain.Decision.Refused;
import io.arbitration.domain.OrganizationId;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.time.CaseClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CasePermissionsTest {

    private static final PhaseId FIRST = new PhaseId("caseInitiation");
    private static final PhaseId LAST = new PhaseId("evidenceExchange");
    private static final CasePermissions PERMISSIONS = new CasePermissions(new Definitions(
            Stream.of(Party.CLAIMANT, Party.RESPONDENT, Party.CASE_MANAGER, Party.ARBITRATOR)
                    .map(id -> new Party(id, id.value(), "")).toList(),
            List.of(new Phase(FIRST, "First", "", 0), new Phase(LAST, "Last", "", 1)), List.of(), List.of(), List.of(), List.of()));

    private static final Participant CLAIMANT = part(Party.CLAIMANT, true, false);
    private static final Participant COLLEAGUE = part(Party.CLAIMANT, false, false);
    private static final Participant OBSERVER = part(Party.CLAIMANT, false, true);
    private static final Participant RESPONDENT = part(Party.RESPONDENT, true, false);
    private static final Participant MANAGER = part(Party.CASE_MANAGER, true, false);
    private static final Participant MANAGERS_OBSERVER = part(Party.CASE_MANAGER, false, true);
    private static final Participant ARBITRATOR = part(Party.ARBITRATOR, true, false);
    private static final CaseUser OUTSIDER = new CaseUser(new UserId(UUID.randomUUID()), false);
    private static final CaseUser ADMINISTRATOR = new CaseUser(new UserId(UUID.randomUUID()), true);
    private static final Member NEWCOMER = new Member(new UserId(UUID.randomUUID()), Optional.of(new OrganizationId(UUID.randomUUID())));

    private static Participant part(PartyId party, boolean primary, boolean observer) {
        return Participant.joining(new UserId(UUID.randomUUID()), Optional.empty(), party, primary, observer);
    }

    private static Case withParts(List<Participant> participants, PhaseId phase, boolean open) {
        return new Case(new CaseId(UUID.randomUUID()), "A v. B", "commercial", phase, open, 7, 21, Instant.EPOCH, participants,
                Map.of(FIRST, Instant.EPOCH), Map.of(), CaseClock.PLATFORM, Optional.empty());
    }

    private static Case open() {
        return withParts(List.of(CLAIMANT, COLLEAGUE, OBSERVER, RESPONDENT, MANAGER, MANAGERS_OBSERVER, ARBITRATOR), FIRST, true);
    }

    private static CaseUser as(Participant participant) {
        return new CaseUser(participant.userId(), false);
    }

    private static Decision<CaseChange, CaseRefusal> decide(Case current, CaseCommand command, CaseUser asker) {
        return PERMISSIONS.decide(current, command, Optional.of(NEWCOMER), asker, OptionalLong.empty());
    }

    private static void refuses(Case current, CaseCommand command, CaseUser asker, CaseRefusal reason) {
        assertThat(decide(current, command, asker)).isEqualTo(new Refused<>(reason));
    }

    private static CaseCommand add(PartyId party) {
        return new CaseCommand.AddParticipant(Optional.of(NEWCOMER.userId()), party.value(), false, false);
    }

    private static CaseCommand remove(Participant participant) {
        return new CaseCommand.RemoveParticipant(Optional.of(participant.userId()), Optional.empty());
    }

    private static final CaseCommand ADVANCE = new CaseCommand.Advance(Optional.empty());
    private static final CaseCommand CLOSE = new CaseCommand.Close("settled");

    @Test
    void participantsAndSuperAdministratorsSeeACaseAndNobodyElse() {
        for (Participant participant : open().participants()) {
            assertThat(PERMISSIONS.rejectsView(open(), as(participant))).isEmpty();
        }
        assertThat(PERMISSIONS.rejectsView(open(), ADMINISTRATOR)).isEmpty();
        assertThat(PERMISSIONS.rejectsView(open(), OUTSIDER)).contains(CaseRefusal.NOT_A_PARTICIPANT);
    }

    @Test
    void theAuditTrailIsForTheCaseManagerAndSuperAdministrators() {
        assertThat(PERMISSIONS.rejectsAudit(open(), as(MANAGER))).isEmpty();
        assertThat(PERMISSIONS.rejectsAudit(open(), ADMINISTRATOR)).isEmpty();
        for (Participant other : List.of(CLAIMANT, COLLEAGUE, OBSERVER, RESPONDENT, MANAGERS_OBSERVER, ARBITRATOR)) {
            assertThat(PERMISSIONS.rejectsAudit(open(), as(other))).contains(CaseRefusal.NOT_CASE_MANAGER);
        }
        assertThat(PERMISSIONS.rejectsAudit(open(), OUTSIDER)).contains(CaseRefusal.NOT_A_PARTICIPANT);
    }

    static Stream<Arguments> sides() {
        return Stream.of(
                Arguments.of(as(CLAIMANT), List.of(Party.CLAIMANT)),
                Arguments.of(as(COLLEAGUE), List.of()),
                Arguments.of(as(OBSERVER), List.of()),
                Arguments.of(as(RESPONDENT), List.of(Party.RESPONDENT)),
                Arguments.of(as(MANAGER), List.of(Party.CLAIMANT, Party.RESPONDENT, Party.CASE_MANAGER, Party.ARBITRATOR)),
                Arguments.of(as(MANAGERS_OBSERVER), List.of()),
                Arguments.of(as(ARBITRATOR), List.of(Party.ARBITRATOR)),
                Arguments.of(ADMINISTRATOR, List.of(Party.CLAIMANT, Party.RESPONDENT, Party.CASE_MANAGER, Party.ARBITRATOR)));
    }

    @ParameterizedTest
    @MethodSource("sides")
    void aPrimaryChangesItsOwnSideAndTheCaseManagerEverySide(CaseUser asker, List<PartyId> allowed) {
        for (PartyId party : List.of(Party.CLAIMANT, Party.RESPONDENT, Party.CASE_MANAGER, Party.ARBITRATOR)) {
            Decision<CaseChange, CaseRefusal> decision = decide(open(), add(party), asker);
            assertThat(decision).isEqualTo(allowed.contains(party)
                    ? new Decided<>(new CaseChange.ParticipantAdded(
                            Participant.joining(NEWCOMER.userId(), NEWCOMER.organizationId(), party, false, false)))
                    : new Refused<>(CaseRefusal.NOT_YOUR_SIDE));
        }
    }

    @Test
    void whoeverHasNoPartChangesNothing() {
        for (CaseCommand command : List.of(add(Party.CLAIMANT), remove(COLLEAGUE), ADVANCE, CLOSE)) {
            refuses(open(), command, OUTSIDER, CaseRefusal.NOT_A_PARTICIPANT);
        }
    }

    @Test
    void aClosedCaseStaysAsItIs() {
        Case closed = withParts(open().participants(), FIRST, false);
        for (CaseCommand command : List.of(add(Party.CLAIMANT), remove(COLLEAGUE), ADVANCE, CLOSE)) {
            refuses(closed, command, as(MANAGER), CaseRefusal.CLOSED);
        }
    }

    @Test
    void aChangeOfWhatTheCallerHasNotSeenIsRejected() {
        for (CaseCommand command : List.of(add(Party.CLAIMANT), remove(COLLEAGUE), ADVANCE, CLOSE)) {
            assertThat(PERMISSIONS.decide(open(), command, Optional.of(NEWCOMER), as(MANAGER), OptionalLong.of(6)))
                    .isEqualTo(new Refused<>(CaseRefusal.STALE));
            assertThat(PERMISSIONS.decide(open(), command, Optional.of(NEWCOMER), as(MANAGER), OptionalLong.of(7)))
                    .isInstanceOf(Decided.class);
        }
    }

    @Test
    void onlyWhoActsForTheCaseManagerAdvancesAndCloses() {
        for (CaseCommand command : List.of(ADVANCE, CLOSE)) {
            for (Participant other : List.of(CLAIMANT, COLLEAGUE, OBSERVER, RESPONDENT, MANAGERS_OBSERVER, ARBITRATOR)) {
                refuses(open(), command, as(other), CaseRefusal.NOT_CASE_MANAGER);
            }
            refuses(open(), command, ADMINISTRATOR, CaseRefusal.NOT_A_PARTICIPANT);
        }
        assertThat(decide(open(), ADVANCE, as(MANAGER))).isEqualTo(new Decided<>(new CaseChange.PhaseBegun(FIRST, LAST)));
        assertThat(decide(open(), CLOSE, as(MANAGER))).isEqualTo(new Decided<>(new CaseChange.Closed("settled")));
    }

    @Test
    void aCaseOnlyGoesForward() {
        Case last = withParts(open().participants(), LAST, true);
        refuses(last, ADVANCE, as(MANAGER), CaseRefusal.LAST_PHASE);
        for (PhaseId notLater : List.of(FIRST, LAST)) {
            refuses(last, new CaseCommand.Advance(Optional.of(notLater.value())), as(MANAGER), CaseRefusal.PHASE_NOT_LATER);
        }
        for (String unknown : List.of("nothing", "no name", "")) {
            refuses(last, new CaseCommand.Advance(Optional.of(unknown)), as(MANAGER), CaseRefusal.PHASE_NOT_FOUND);
        }
    }

    @Test
    void nobodyIsAddedTwiceOrAsWhatDoesNotExist() {
        Member known = new Member(COLLEAGUE.userId(), Optional.empty());
        assertThat(PERMISSIONS.decide(open(), add(Party.RESPONDENT), Optional.of(known), as(MANAGER), OptionalLong.empty()))
                .isEqualTo(new Refused<>(CaseRefusal.ALREADY_ADDED));
        assertThat(PERMISSIONS.decide(open(), add(Party.RESPONDENT), Optional.empty(), as(MANAGER), OptionalLong.empty()))
                .isEqualTo(new Refused<>(CaseRefusal.USER_NOT_FOUND));
        for (String unknown : List.of("juror", "no name")) {
            refuses(open(), new CaseCommand.AddParticipant(Optional.of(NEWCOMER.userId()), unknown, false, false), as(MANAGER),
                    CaseRefusal.PARTY_NOT_FOUND);
        }
    }

    @Test
    void aCaseHasABoundedNumberOfParticipants() {
        List<Participant> full = new ArrayList<>(List.of(MANAGER));
        IntStream.range(1, CasePermissions.PARTICIPANTS_MAX).forEach(n -> full.add(part(Party.CLAIMANT, true, false)));
        refuses(withParts(full, FIRST, true), add(Party.CLAIMANT), as(MANAGER), CaseRefusal.TOO_MANY_PARTICIPANTS);
        full.removeLast();
        assertThat(decide(withParts(full, FIRST, true), add(Party.CLAIMANT), as(MANAGER))).isInstanceOf(Decided.class);
    }

    @Test
    void theLastPrimaryOfTheClaimantStays() {
        refuses(open(), remove(CLAIMANT), as(MANAGER), CaseRefusal.LAST_PRIMARY);
        Case two = withParts(List.of(CLAIMANT, part(Party.CLAIMANT, true, false), MANAGER), FIRST, true);
        assertThat(decide(two, remove(CLAIMANT), as(MANAGER))).isEqualTo(new Decided<>(new CaseChange.ParticipantRemoved(CLAIMANT)));
        assertThat(decide(open(), remove(RESPONDENT), as(RESPONDENT))).isInstanceOf(Decided.class);
    }

    @Test
    void whoeverIsAddedActsForAnOrganizationThatItBelongsTo() {
        Member foreign = new Member(NEWCOMER.userId(), NEWCOMER.organizationId(), false);
        assertThat(PERMISSIONS.decide(open(), add(Party.RESPONDENT), Optional.of(foreign), as(MANAGER), OptionalLong.empty()))
                .isEqualTo(new Refused<>(CaseRefusal.ORGANIZATION_NOT_FOUND));
        assertThat(PERMISSIONS.decide(open(), add(Party.RESPONDENT), Optional.of(foreign), as(CLAIMANT), OptionalLong.empty()))
                .as("who may not add it does not learn where it belongs").isEqualTo(new Refused<>(CaseRefusal.NOT_YOUR_SIDE));
    }

    private static Decision<PartyId, CaseRefusal> invite(Case current, PartyId party, CaseUser asker) {
        return PERMISSIONS.invite(current, party.value(), asker);
    }

    @ParameterizedTest
    @MethodSource("sides")
    void whoMayAddAParticipantMayInviteItAndSeeWhatInvitationsAreOpen(CaseUser asker, List<PartyId> allowed) {
        boolean observes = open().part(asker.userId()).filter(Participant::isObserver).isPresent();
        for (PartyId party : List.of(Party.CLAIMANT, Party.RESPONDENT, Party.CASE_MANAGER, Party.ARBITRATOR)) {
            assertThat(invite(open(), party, asker)).isEqualTo(allowed.contains(party) ? new Decided<>(party)
                    : new Refused<>(observes ? CaseRefusal.OBSERVER : CaseRefusal.NOT_YOUR_SIDE));
            assertThat(PERMISSIONS.mayChangeSide(open(), party, asker)).isEqualTo(allowed.contains(party));
        }
        assertThat(PERMISSIONS.rejectsInvitations(open(), asker)).isEqualTo(
                allowed.isEmpty() ? Optional.of(CaseRefusal.NOT_YOUR_SIDE) : Optional.empty());
    }

    @Test
    void nobodyIsInvitedByAStrangerOrIntoAClosedOrFullCaseOrAsWhatDoesNotExist() {
        assertThat(invite(open(), Party.CLAIMANT, OUTSIDER)).isEqualTo(new Refused<>(CaseRefusal.NOT_A_PARTICIPANT));
        assertThat(PERMISSIONS.rejectsInvitations(open(), OUTSIDER)).contains(CaseRefusal.NOT_A_PARTICIPANT);
        assertThat(invite(withParts(open().participants(), FIRST, false), Party.CLAIMANT, as(MANAGER))).isEqualTo(new Refused<>(CaseRefusal.CLOSED));
        List<Participant> full = new ArrayList<>(List.of(MANAGER));
        IntStream.range(1, CasePermissions.PARTICIPANTS_MAX).forEach(n -> full.add(part(Party.CLAIMANT, true, false)));
        assertThat(invite(withParts(full, FIRST, true), Party.CLAIMANT, as(MANAGER))).isEqualTo(new Refused<>(CaseRefusal.TOO_MANY_PARTICIPANTS));
        assertThat(PERMISSIONS.invite(open(), "juror", as(MANAGER))).isEqualTo(new Refused<>(CaseRefusal.PARTY_NOT_FOUND));
    }

    @Test
    void whoAcceptsAnInvitationTakesTheOfferedPartUnlessItHasOneAlreadyOrTheCaseIsClosed() {
        CaseCommand accept = new CaseCommand.AcceptInvitation(Party.RESPONDENT, true, false);
        CaseUser invited = new CaseUser(NEWCOMER.userId(), false);
        assertThat(decide(open(), accept, invited)).isEqualTo(new Decided<>(new CaseChange.ParticipantAdded(
                Participant.joining(NEWCOMER.userId(), NEWCOMER.organizationId(), Party.RESPONDENT, true, false))));
        refuses(withParts(open().participants(), FIRST, false), accept, invited, CaseRefusal.CLOSED);
        assertThat(PERMISSIONS.decide(open(), accept, Optional.of(new Member(COLLEAGUE.userId(), Optional.empty())), as(COLLEAGUE), OptionalLong.empty()))
                .isEqualTo(new Refused<>(CaseRefusal.ALREADY_ADDED));
    }

    @Test
    void onlyTheCaseManagerTakesTheRightToFileAndGivesItBack() {
        for (boolean mayFile : List.of(true, false)) {
            CaseCommand restrict = new CaseCommand.Restrict(Optional.of(RESPONDENT.userId()), mayFile);
            assertThat(decide(open(), restrict, as(MANAGER))).isEqualTo(new Decided<>(new CaseChange.ParticipantRestricted(RESPONDENT.userId(), mayFile)));
            for (Participant other : List.of(CLAIMANT, COLLEAGUE, RESPONDENT, ARBITRATOR)) {
                refuses(open(), restrict, as(other), CaseRefusal.NOT_CASE_MANAGER);
            }
            for (Participant observer : List.of(OBSERVER, MANAGERS_OBSERVER)) {
                refuses(open(), restrict, as(observer), CaseRefusal.OBSERVER);
            }
            refuses(open(), restrict, OUTSIDER, CaseRefusal.NOT_A_PARTICIPANT);
            refuses(open(), restrict, ADMINISTRATOR, CaseRefusal.NOT_A_PARTICIPANT);
            refuses(withParts(open().participants(), FIRST, false), restrict, as(MANAGER), CaseRefusal.CLOSED);
            refuses(open(), new CaseCommand.Restrict(Optional.of(NEWCOMER.userId()), mayFile), as(MANAGER), CaseRefusal.PARTICIPANT_NOT_FOUND);
        }
    }

    @Test
    void onlyTheNamedPartIsRemoved() {
        refuses(open(), new CaseCommand.RemoveParticipant(Optional.of(COLLEAGUE.userId()), Optional.of("respondent")), as(MANAGER),
                CaseRefusal.PARTICIPANT_NOT_FOUND);
        refuses(open(), new CaseCommand.RemoveParticipant(Optional.empty(), Optional.empty()), as(MANAGER), CaseRefusal.PARTICIPANT_NOT_FOUND);
        refuses(open(), remove(part(Party.CLAIMANT, false, false)), OUTSIDER, CaseRefusal.NOT_A_PARTICIPANT);
    }
}
