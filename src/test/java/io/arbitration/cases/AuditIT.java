package io.arbitration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
    void theDatabaseRefusesToChangeTheTrailEvenToItsOwner(String statement) {
        assertThatThrownBy(() -> platform.rows(statement)).hasMessageContaining("audit is append-only");
    }

    /** What somebody could try who got hold of the platform's own connection. */
    @ParameterizedTest
    @ValueSource(strings = {
            "update %s set case_id = case_id",
            "delete from %s",
            "truncate %s",
            "select * from %s for update",
            "alter table %s disable trigger all",
            "drop trigger %2$s_append_only on %1$s",
            "drop table %s cascade",
            "create rule quiet as on insert to %s do instead nothing",
            "alter table %s owner to platform_node",
            "create trigger theirs before insert on %s for each row execute function suppress_redundant_updates_trigger()",
            "set session_replication_role = replica",
            "set role postgres",
            "create or replace function platform.refuse_change() returns trigger language plpgsql as 'begin return new; end'",
            "alter role platform_node superuser",
            "create role friend superuser",
            "update pg_trigger set tgenabled = 'D'",
            "delete from platform.migrations",
            "copy (select 1) to program 'true'",
    })
    void theRoleThatThePlatformWorksWithCanNeitherChangeTheTrailNorTakeOffWhatKeepsIt(String statement) throws SQLException {
        for (String table : List.of("platform.audit", "platform.events", "mainapi.entries", "mainapi.uploads")) {
            try (Connection node = platform.sqlAsNode(); Statement work = node.createStatement()) {
                node.setAutoCommit(false);
                assertThatThrownBy(() -> {
                    work.execute(statement.formatted(table, table.substring(table.indexOf('.') + 1)));
                    node.commit();
                }).as(table).isInstanceOf(SQLException.class).satisfies(refused ->
                        assertThat(((SQLException) refused).getSQLState()).as(refused.getMessage()).isEqualTo("42501"));
            }
        }
    }

    @Test
    void theRoleThatThePlatformWorksWithOwnsNothingAndIsNoSuperuser() {
        assertThat(platform.rows("select rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication from pg_roles where rolname = 'platform_node'"))
                .containsExactly(List.of("f"));
        assertThat(platform.rows("select relname from pg_class where pg_get_userbyid(relowner) = 'platform_node'")).isEmpty();
        assertThat(platform.rows("select proname from pg_proc where pg_get_userbyid(proowner) = 'platform_node'")).isEmpty();
        assertThat(platform.rows("select distinct usename from pg_stat_activity where application_name = 'arbitration-platform'"))
                .containsExactly(List.of("platform_node"));
        assertThat(platform.rows("""
                select t.tgrelid::regclass from pg_trigger t where t.tgfoid = 'platform.refuse_change'::regproc
                and (has_table_privilege('platform_node', t.tgrelid, 'UPDATE') or has_table_privilege('platform_node', t.tgrelid, 'DELETE')
                  or has_table_privilege('platform_node', t.tgrelid, 'TRUNCATE') or not has_table_privilege('platform_node', t.tgrelid, 'INSERT'))
                """)).isEmpty();
    }
}
