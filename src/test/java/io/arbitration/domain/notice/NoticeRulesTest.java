package io.arbitration.domain.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.domain.Decision;
import io.arbitration.domain.Decision.Decided;
import io.arbitration.domain.Decision.Refused;
import io.arbitration.domain.PartyId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.notice.NoticeCase.Participant;
import io.arbitration.domain.time.CaseClock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoticeRulesTest {

    private static final UserId CLARA = new UserId(new UUID(0, 1));
    private static final UserId OLGA = new UserId(new UUID(0, 2));
    private static final UserId ROLF = new UserId(new UUID(0, 3));
    private static final UserId GONE = new UserId(new UUID(0, 4));
    private static final UserId ODD = new UserId(new UUID(0, 5));
    private static final UserId STRANGER = new UserId(new UUID(0, 9));
    private static final ServedEntry OF_CLAIMANT = new ServedEntry(Party.CLAIMANT, false, Optional.empty());
    private static final ServedEntry APPROVED = new ServedEntry(Party.CLAIMANT, true, Optional.empty());

    private static final NoticeCase OPEN = new NoticeCase(true, CaseClock.PLATFORM, List.of(
            participant(CLARA, Party.CLAIMANT, false, "Clara@cranes.example"), participant(OLGA, Party.CLAIMANT, true, "olga@cranes.example"),
            participant(ROLF, Party.RESPONDENT, false, "rolf@quarry.example"), participant(GONE, Party.RESPONDENT, false, null),
            participant(ODD, Party.RESPONDENT, false, "no address")));

    private static Participant participant(UserId userId, PartyId partyId, boolean isObserver, String email) {
        return new Participant(userId, partyId, Optional.empty(), isObserver, true, Optional.empty(), Optional.ofNullable(email));
    }

    private static Recipient.Named user(int place, UserId userId) {
        return new Recipient.Named.User(place, Optional.of(userId));
    }

    private static Recipient.Named address(int place, String email) {
        return new Recipient.Named.Address(place, email);
    }

    private static Decision<List<Recipient>, NoticeRefusal> recipients(ServedEntry entry, Recipient.Named... named) {
        return NoticeRules.recipients(OPEN, entry, List.of(named));
    }

    private static Decision<List<Recipient>, NoticeRefusal> rejected(NoticeRefusal reason) {
        return new Refused<>(reason);
    }

    @Test
    void aParticipantWhoIsNoObserverServesAndEveryParticipantSees() {
        assertThat(NoticeRules.rejectsServing(OPEN, CLARA)).isEmpty();
        assertThat(NoticeRules.rejectsServing(OPEN, OLGA)).hasValue(new NoticeRefusal.IsObserver());
        assertThat(NoticeRules.rejectsServing(OPEN, STRANGER)).hasValue(new NoticeRefusal.NotAParticipant());
        assertThat(NoticeRules.rejectsView(OPEN, OLGA)).isEmpty();
        assertThat(NoticeRules.rejectsView(OPEN, STRANGER)).hasValue(new NoticeRefusal.NotAParticipant());
    }

    @Test
    void whoMayNotFileServesNothingAndStillSees() {
        NoticeCase restricted = new NoticeCase(true, CaseClock.PLATFORM, List.of(new Participant(CLARA, Party.CLAIMANT, Optional.empty(), false, false, Optional.empty(),
                Optional.of("clara@cranes.example"))));
        assertThat(NoticeRules.rejectsServing(restricted, CLARA)).hasValue(new NoticeRefusal.MayNotFile());
        assertThat(NoticeRules.rejectsView(restricted, CLARA)).isEmpty();
    }

    @Test
    void nothingIsServedInAClosedCase() {
        assertThat(NoticeRules.rejectsState(OPEN)).isEmpty();
        assertThat(NoticeRules.rejectsState(new NoticeCase(false, CaseClock.PLATFORM, OPEN.participants()))).hasValue(new NoticeRefusal.CaseClosed());
    }

    /** Whoever registers can open a case and docket what needs no approval: that must not make the platform send mail to anybody. */
    @ParameterizedTest
    @CsvSource({"claimant,false,false", "respondent,false,false", "claimant,true,true", "respondent,true,true", "caseManager,false,true",
        "arbitrator,false,true", "caseManager,true,true"})
    void anAddressOutsideOfTheCaseIsServedOnlyWithWhatAnotherAnswersFor(String filedBy, boolean isApproved, boolean isServed) {
        Decision<List<Recipient>, NoticeRefusal> decision =
                recipients(new ServedEntry(new PartyId(filedBy), isApproved, Optional.empty()), user(0, ROLF), address(1, "registry@court.example"));
        assertThat(decision).isEqualTo(isServed
                ? new Decided<>(List.of(new Recipient(0, "rolf@quarry.example", Optional.of(ROLF), false),
                        new Recipient(1, "registry@court.example", Optional.empty(), true)))
                : rejected(new NoticeRefusal.OutsideOfTheCase(1)));
    }

    @Test
    void theAddressOfAParticipantIsInsideHoweverItIsWritten() {
        assertThat(recipients(OF_CLAIMANT, address(0, "ROLF@quarry.EXAMPLE")))
                .isEqualTo(new Decided<>(List.of(new Recipient(0, "ROLF@quarry.EXAMPLE", Optional.empty(), false))));
    }

    @Test
    void whoIsNamedByUserAndByAddressIsServedOnceInTheOrderOfTheFirstMention() {
        assertThat(recipients(APPROVED, address(0, "a@court.example"), user(1, ROLF), address(2, "Rolf@quarry.example"), user(3, CLARA)))
                .isEqualTo(new Decided<>(List.of(new Recipient(0, "a@court.example", Optional.empty(), true),
                        new Recipient(1, "rolf@quarry.example", Optional.of(ROLF), false), new Recipient(3, "Clara@cranes.example", Optional.of(CLARA), false))));
    }

    @Test
    void aUserWhoTakesNoPartOrHasNoAddressIsNamedByItsPlace() {
        assertThat(recipients(APPROVED, user(0, ROLF), user(1, STRANGER))).isEqualTo(rejected(new NoticeRefusal.NoSuchRecipient(1)));
        assertThat(recipients(APPROVED, new Recipient.Named.User(0, Optional.empty()))).isEqualTo(rejected(new NoticeRefusal.NoSuchRecipient(0)));
        assertThat(recipients(APPROVED, user(0, GONE))).isEqualTo(rejected(new NoticeRefusal.NoAddress(0)));
        assertThat(recipients(APPROVED, user(7, ODD))).isEqualTo(rejected(new NoticeRefusal.NoAddress(7)));
    }

    @ParameterizedTest
    @CsvSource({"5000,200,500,200,900,", "5001,0,0,0,0,TooManyInCase[most=5000]", "1,201,1,1,1,TooManyOutsideOfUser[most=200]",
        "1,1,501,1,1,TooManyOutsideOfCase[most=500]", "1,1,201,201,1,TooManyOutsideOfSide[most=200]", "1,1,1,1,901,TooManyInsideOfUser[most=900]",
        "5001,201,501,201,901,TooManyInCase[most=5000]"})
    void recipientsAreBoundedForTheCaseAndADayForUserSideAndCase(int inCase, int ofUser, int ofCase, int ofSide, int inside, String reason) {
        assertThat(new NoticeLimits(5000, 200, 500, 900).refuses(new NoticeLimits.Totals(inCase, ofUser, ofCase, ofSide, inside)).map(Object::toString))
                .isEqualTo(Optional.ofNullable(reason));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "2,1", "6,3", "500,200", "100000,40000"})
    void bothSidesTogetherLeaveSomeOfTheCasesShareToTheTribunal(int ofCase, int ofSide) {
        NoticeLimits limits = new NoticeLimits(5000, 100_000, ofCase, 1);
        assertThat(limits.refuses(new NoticeLimits.Totals(1, 1, ofSide, ofSide, 0))).isEmpty();
        assertThat(limits.refuses(new NoticeLimits.Totals(1, 1, ofCase, ofSide + 1, 0))).contains(new NoticeRefusal.TooManyOutsideOfSide(ofSide));
    }

    @Test
    void claimantAndRespondentAreSidesAndTheTribunalIsNone() {
        assertThat(List.of(Party.CLAIMANT, Party.RESPONDENT, new PartyId("intervener"))).allMatch(NoticeLimits::isSide);
        assertThat(List.of(Party.CASE_MANAGER, Party.ARBITRATOR)).noneMatch(NoticeLimits::isSide);
    }
}
