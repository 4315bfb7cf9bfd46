package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.cases.definitions.DefinitionsLoader;
import io.arbitration.domain.DocumentTypeId;
import io.arbitration.domain.PhaseId;
import io.arbitration.domain.cases.CaseDates;
import io.arbitration.domain.cases.CaseRules;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Deadlines at submission, on the shipped commercial rules: 21 days from the start of the response phase, New York time. */
class FilingDeadlineTest {

    private static final UUID CASE = UUID.randomUUID();
    private static final UUID RESPONDENT = UUID.randomUUID();
    private static final Instant PHASE_START = Instant.parse("2026-11-02T15:00:00Z");
    /** Day 21 is 23 November, a Monday; the day ends at midnight in New York. */
    private static final Instant LAST_MOMENT = Instant.parse("2026-11-24T04:59:59.999Z");
    private static final CaseRules RULES =
            DefinitionsLoader.rules(Path.of("conf/definitions"), Clock.fixed(PHASE_START, ZoneOffset.UTC));

    private static Filing submit(String documentId, JsonObject fields, Instant now) {
        CaseBoard board = new CaseBoard();
        board.cases.put(CASE, new CaseBoard.CaseFacts(CASE, "commercial", "response", true));
        board.dates.put(CASE, new CaseDates(21, PHASE_START.minus(Duration.ofDays(9)), Map.of(new PhaseId("response"), PHASE_START), Map.of()));
        Part part = new Part(RESPONDENT, null, "respondent", false);
        board.addPart(CASE, part);
        board.filings.put(1L, Filing.draft(1, CASE, documentId, "response", part, new Filing.Content("Title", fields, null, null), PHASE_START));
        FilingRules rules = new FilingRules(RULES, Clock.fixed(now, ZoneOffset.UTC));
        var submit = new FilingCommand.Submit(CASE, new FilingCommand.By(RESPONDENT, "r", "a", java.util.Optional.empty()), 1, OptionalLong.empty());
        return rules.decide(board, submit, 1).filing();
    }

    private static JsonObject answer() {
        return new JsonObject().put("respondentName", "Quarry Ltd").put("denials", "All of it.").put("reliefSought", "Dismissal.");
    }

    @Test
    void theLastMomentOfTheLastDayIsInTime() {
        assertThat(submit("answer", answer(), LAST_MOMENT).late()).isFalse();
    }

    @Test
    void aLateFilingIsMarkedWhereTheRuleSaysSo() {
        Filing late = submit("answer", answer(), LAST_MOMENT.plusMillis(1));
        assertThat(late.late()).isTrue();
        assertThat(late.state()).isEqualTo(FilingState.SUBMITTED);
    }

    @Test
    void aLateFilingIsRefusedWhereTheRuleSaysSo() {
        JsonObject objection = RULES.definitions().document(new DocumentTypeId("jurisdictionalObjection")).orElseThrow().fields()
                .filter(field -> field.required())
                .collect(JsonObject::new, (json, field) -> json.put(field.id(), "Ground of the objection"), JsonObject::mergeIn);
        assertThatThrownBy(() -> submit("jurisdictionalObjection", objection, LAST_MOMENT.plusMillis(1)))
                .hasMessage("document is late: it had to be filed by 2026-11-24T04:59:59.999Z");
    }
}
