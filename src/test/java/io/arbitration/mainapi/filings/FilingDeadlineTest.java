package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.domain.CaseId;
import io.arbitration.domain.Decision;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.EntryId;
import io.arbitration.domain.FilingId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.cases.CaseDates;
import io.arbitration.domain.cases.CaseRules;
import io.arbitration.domain.cases.Participant;
import io.arbitration.domain.cases.Party;
import io.arbitration.domain.docket.DocketHead;
import io.arbitration.domain.filing.CaseSnapshot;
import io.arbitration.domain.filing.Filing;
import io.arbitration.domain.filing.FilingChange;
import io.arbitration.domain.filing.FilingCommand;
import io.arbitration.domain.filing.FilingRefusal;
import io.arbitration.domain.filing.FilingRules;
import io.arbitration.domain.filing.FilingState;
import io.arbitration.domain.filing.IdGenerator;
import io.arbitration.domain.time.CaseClock;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Deadlines at submission, on the shipped commercial rules: 21 days from the start of the response phase, New York time. */
class FilingDeadlineTest {

    private static final CaseId CASE = new CaseId(UUID.randomUUID());
    private static final UserId RESPONDENT = new UserId(UUID.randomUUID());
    private static final FilingId FILING = new FilingId(1);
    private static final PhaseId RESPONSE = new PhaseId("response");
    private static final Instant PHASE_START = Instant.parse("2026-11-02T15:00:00Z");
    /** Day 21 is 23 November, a Monday; the day ends at midnight in New York. */
    private static final Instant LAST_MOMENT = Instant.parse("2026-11-24T04:59:59.999Z");
    private static final CaseRules RULES =
            DefinitionsLoader.rules(Path.of("conf/definitions"), Clock.fixed(PHASE_START, ZoneOffset.UTC));
    private static final IdGenerator IDS = new IdGenerator() {
        @Override
        public FilingId filing() {
            return FILING;
        }

        @Override
        public EntryId entry() {
            return new EntryId(1);
        }

        @Override
        public String salt() {
            return "0".repeat(64);
        }
    };

    private static Decision<FilingChange, FilingRefusal> submit(String documentId, Map<String, Object> fields, Instant now) {
        Filing draft = new Filing.Draft(new Filing.Document(FILING, CASE, new DocumentTypeId(documentId), RESPONSE, Party.RESPONDENT, RESPONDENT,
                Optional.empty(), new Filing.Content("Title", fields, Optional.empty(), Optional.empty()), 1, PHASE_START, PHASE_START, Optional.empty()), Optional.empty());
        CaseSnapshot snapshot = new CaseSnapshot(CASE, "commercial", RESPONSE, true, CaseClock.PLATFORM, DocketHead.EMPTY,
                Map.of(RESPONDENT, Participant.joining(RESPONDENT, Optional.empty(), Party.RESPONDENT, true, false)), Map.of(FILING, draft), Map.of(), Map.of(),
                Map.of(), Optional.of(new CaseDates(21, PHASE_START.minus(Duration.ofDays(9)), Map.of(RESPONSE, PHASE_START), List.of(), Map.of(), Optional.empty())));
        return new FilingRules(RULES, 200).decide(snapshot, new FilingCommand.Submit(CASE, RESPONDENT, FILING, OptionalLong.empty()), now, IDS);
    }

    private static Filing submitted(Decision<FilingChange, FilingRefusal> decision) {
        return ((Decision.Decided<FilingChange, FilingRefusal>) decision).value().filing();
    }

    private static Map<String, Object> answer() {
        return Map.of("respondentName", "Quarry Ltd", "denials", "All of it.", "reliefSought", "Dismissal.");
    }

    @Test
    void theLastMomentOfTheLastDayIsInTime() {
        assertThat(submitted(submit("answer", answer(), LAST_MOMENT)).submission().orElseThrow().late()).isFalse();
    }

    @Test
    void aLateFilingIsMarkedWhereTheRuleSaysSo() {
        Filing late = submitted(submit("answer", answer(), LAST_MOMENT.plusMillis(1)));
        assertThat(late.submission().orElseThrow().late()).isTrue();
        assertThat(late.state()).isEqualTo(FilingState.SUBMITTED);
    }

    @Test
    void aLateFilingIsRefusedWhereTheRuleSaysSo() {
        Map<String, Object> objection = RULES.definitions().document(new DocumentTypeId("jurisdictionalObjection")).orElseThrow().fields()
                .filter(field -> field.required())
                .collect(Collectors.toMap(field -> field.id(), field -> "Ground of the objection"));
        assertThat(submit("jurisdictionalObjection", objection, LAST_MOMENT.plusMillis(1))).isInstanceOfSatisfying(Decision.Refused.class, rejected ->
                assertThat(FilingError.of((FilingRefusal) rejected.reason())).hasMessage("document is late: it had to be filed by 2026-11-24T04:59:59.999Z"));
    }
}
