package io.arbitration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuditIT {

    private final RunningPlatform platform = RunningPlatform.shared();
    private final OpenCase open = OpenCase.on(platform);

    private Answer audit(RunningPlatform.Person by, JsonObject more) {
        return open.on("/cases/cases/audit/list", by, more);
    }

    private static List<String> actions(JsonArray entries) {
        return entries.stream().map(entry -> ((JsonObject) entry).getString("action")).toList();
    }

    @Test
    void theTrailTellsWhoDidWhatInWhichRequestTheNewestFirst() {
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        String requestId = "audit-" + UUID.randomUUID();
        open.document("submit", open.claimant(), filing, "X-Request-Id", requestId);
        open.document("approve", open.manager(), filing);

        JsonArray entries = audit(open.manager(), new JsonObject()).object().getJsonArray("entries");
        assertThat(actions(entries)).startsWith("filing.approved", "filing.submitted", "filing.created", "participant.added").endsWith("case.created");
        JsonObject submitted = entries.getJsonObject(1);
        assertThat(submitted.fieldNames()).containsExactlyInAnyOrder("at", "userID", "action", "subject", "requestID", "address");
        assertThat(submitted.getString("userID")).isEqualTo(open.claimant().id());
        assertThat(submitted.getString("subject")).isEqualTo(filing);
        assertThat(submitted.getString("requestID")).isEqualTo(requestId);
        assertThat(submitted.getString("address")).isIn("127.0.0.1", "0:0:0:0:0:0:0:1", "::1");
        assertThat(submitted.getString("at")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    }

    @Test
    void pagesFollowEachOtherWithoutGapOrRepetitionWhileTheTrailGrows() {
        JsonArray whole = audit(open.manager(), new JsonObject()).object().getJsonArray("entries");
        List<Object> paged = new ArrayList<>();
        JsonObject page = audit(open.manager(), new JsonObject().put("limit", 2)).object();
        open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        paged.addAll(page.getJsonArray("entries").getList());
        while (page.getString("nextCursor") != null) {
            page = audit(open.manager(), new JsonObject().put("limit", 2).put("cursor", page.getString("nextCursor"))).object();
            paged.addAll(page.getJsonArray("entries").getList());
        }
        assertThat(new JsonArray(paged).encode()).isEqualTo(whole.encode());
    }

    @Test
    void onlyTheCaseManagerAndSuperAdministratorsReadTheTrail() {
        assertThat(audit(platform.administrator(), new JsonObject()).status()).isEqualTo(200);
        for (var person : List.of(open.claimant(), open.respondent(), open.arbitrator(), open.observer())) {
            Answer refused = audit(person, new JsonObject());
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.header("Error-Code")).isEqualTo("case.not-case-manager");
        }
        assertThat(audit(open.outsider(), new JsonObject()).sentence()).isEqualTo("Not a participant in this case.");
        assertThat(audit(open.manager(), new JsonObject().put("cursor", "x")).status()).isEqualTo(400);
        assertThat(platform.post("/cases/cases/audit/list", new JsonObject().put("caseID", "nothing"), open.manager().token()).status()).isEqualTo(404);
        open.close();
        assertThat(actions(audit(open.manager(), new JsonObject()).object().getJsonArray("entries"))).startsWith("case.closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "update platform.audit set action = 'nothing'",
            "delete from platform.audit",
            "truncate platform.audit",
            "update platform.audit set at = now() where false",
    })
    void theDatabaseRefusesToChangeTheTrail(String statement) {
        assertThatThrownBy(() -> platform.rows(statement)).hasMessageContaining("audit is append-only");
    }
}
