package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No row of a filing says what no filing can be, whoever writes it. */
class FilingChecksIT {

    private static final OpenCase CASE = OpenCase.on(RunningPlatform.shared());

    record Change(String from, String set, String constraint) {
        @Override
        public String toString() {
            return "%s: %s".formatted(from, set);
        }
    }

    static Stream<Change> changes() {
        return Stream.of(
                new Change("draft", "supersedes = 999999999999", "filings_supersedes_entry"),
                new Change("draft", "parent_entry_id = 999999999999", "filings_parent_entry"),
                new Change("draft", "state = 'docketed', submitted_at = now(), entry_id = 999999999999", "filings_docketed_entry"),
                new Change("draft", "revision = 0", "filings_revision"),
                new Change("draft", "decided_at = now()", "filings_decision"),
                new Change("draft", "reason = 'x'", "filings_decision"),
                new Change("draft", "late = true", "filings_submission"),
                new Change("draft", "approver_party = 'caseManager'", "filings_submission"),
                new Change("draft", "submitted_at = now()", "filings_state_whole"),
                new Change("draft", "state = 'submitted'", "filings_state_whole"),
                new Change("submitted", "approver_party = null", "filings_state_whole"),
                new Change("submitted", "decided_at = now(), decided_by = user_id", "filings_state_whole"),
                new Change("submitted", "state = 'rejected'", "filings_state_whole"),
                new Change("submitted", "state = 'docketed'", "check"),
                new Change("submitted", "state = 'filed'", "check"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void theDatabaseRefuses(Change change) throws SQLException {
        String filing = CASE.draft(CASE.claimant(), OpenCase.APPROVED_DOCUMENT);
        if (change.from.equals("submitted")) {
            assertThat(CASE.document("submit", CASE.claimant(), filing).status()).isEqualTo(200);
        }
        try (Connection sql = RunningPlatform.shared().sql(); Statement statement = sql.createStatement()) {
            assertThatThrownBy(() -> statement.execute("update mainapi.filings set %s where filing_id = %s".formatted(change.set, filing)))
                    .isInstanceOf(SQLException.class).hasMessageContaining(change.constraint);
        }
    }

    @Test
    void whatTheRulesMakeOfAFilingIsTakenInEveryState() {
        String entry = CASE.docketed(new JsonObject());
        String draft = CASE.create(CASE.claimant(), OpenCase.APPROVED_DOCUMENT, OpenCase.completeFields(OpenCase.APPROVED_DOCUMENT)).object().getString("filingID");
        assertThat(CASE.update(CASE.claimant(), draft, new JsonObject().put("supersedes", entry).put("parentEntryID", entry)).status()).isEqualTo(200);
        assertThat(CASE.document("submit", CASE.claimant(), draft).status()).isEqualTo(200);
        assertThat(CASE.reject(CASE.manager(), draft, "incomplete").status()).isEqualTo(200);
        assertThat(CASE.update(CASE.claimant(), draft, new JsonObject().put("title", "Again")).status()).isEqualTo(200);
        assertThat(CASE.document("withdraw", CASE.claimant(), draft).status()).isEqualTo(200);
        assertThat(RunningPlatform.shared().rows("select state, reason from mainapi.filings where filing_id = ?", Long.parseLong(draft)))
                .isEqualTo(List.of(List.of("withdrawn", "incomplete")));
    }
}
