package io.arbitration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The seat of a case, whose working days count, over HTTP. What they are is shown without a platform. */
class SeatIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();

    private final Person claimant = PLATFORM.signIn("seat-" + UUID.randomUUID() + "@example.org", "Clara", "Claimant");

    private Answer create(String seat) {
        return PLATFORM.post("/cases/cases/create", new JsonObject().put("title", "Cranes v. Quarry").put("ruleSet", "commercial").put("seat", seat), claimant.token());
    }

    private JsonObject deadline(String caseId) {
        return PLATFORM.post("/cases/deadlines/list", new JsonObject().put("caseID", caseId), claimant.token()).object().getJsonArray("deadlines").stream()
                .map(JsonObject.class::cast).filter(one -> one.getString("documentID").equals("statementOfClaim")).findFirst().orElseThrow();
    }

    @Test
    void theDeadlinesOfACaseSayWhoseWorkingDaysCount() {
        JsonObject created = create("DE-BY").object();
        assertThat(created.getString("seat")).isEqualTo("DE-BY");
        String caseId = created.getString("caseID");
        assertThat(PLATFORM.post("/cases/cases/view", new JsonObject().put("caseID", caseId), claimant.token()).object()).isEqualTo(created);
        JsonObject deadline = deadline(caseId);
        assertThat(deadline.getString("rule")).isEqualTo("30 calendar days from the creation of the case; working days of DE-BY");

        String filingId = PLATFORM.post("/api/filings/create", new JsonObject().put("caseID", caseId).put("documentID", "statementOfClaim")
                .put("fields", OpenCase.completeFields("statementOfClaim")), claimant.token()).object().getString("filingID");
        JsonObject checked = PLATFORM.post("/api/filings/documents/check", new JsonObject().put("caseID", caseId).put("filingID", filingId), claimant.token()).object();
        assertThat(checked.getJsonObject("deadline").getString("rule")).as("what refuses filings counts by the same days").isEqualTo(deadline.getString("rule"));
        assertThat(checked.getJsonObject("deadline").getString("date")).isEqualTo(deadline.getString("date"));
    }

    @Test
    void withoutASeatTheRuleSetSaysWhoseWorkingDaysCount() {
        JsonObject created = create(null).object();
        assertThat(created.containsKey("seat")).isFalse();
        assertThat(deadline(created.getString("caseID")).getString("rule")).isEqualTo("30 calendar days from the creation of the case");
    }

    @Test
    void aPartThatHasNoHolidaysOfItsOwnIsASeatLikeAnyOther() {
        JsonObject created = create("FR-75C").object();
        assertThat(created.getString("seat")).isEqualTo("FR-75C");
        assertThat(deadline(created.getString("caseID")).getString("rule")).endsWith("; working days of FR-75C");
    }

    @ParameterizedTest
    @ValueSource(strings = {"QQ", "DE-QQ", "de-by", "Berlin", "UK", "'; --"})
    void aSeatWhoseHolidaysAreNotKnownIsRefusedByName(String seat) {
        Answer refused = create(seat);
        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(refused.sentence()).isEqualTo("seat: must be a country or a part of one whose holidays are known, such as SE or DE-BY");
        assertThat(refused.header("Error-Code")).isEqualTo("seat.unknown");
    }
}
