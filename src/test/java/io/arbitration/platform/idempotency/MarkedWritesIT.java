package io.arbitration.platform.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * In every area, the key of a request is marked in the transaction that does its work: a node that dies after its commit and
 * before its answer leaves a request that can be sent again without a second effect.
 */
class MarkedWritesIT {

    private static final RunningPlatform PLATFORM = RunningPlatform.shared();

    /**
     * A write that would leave something twice.
     *
     * @param made counts what it makes
     */
    record Write(String operation, String path, JsonObject body, Person by, Supplier<Integer> made) {
        @Override
        public String toString() {
            return operation;
        }
    }

    static Stream<Write> writes() {
        OpenCase open = OpenCase.on(PLATFORM);
        Person administrator = PLATFORM.administrator();
        Person founder = PLATFORM.signIn("founder-" + UUID.randomUUID() + "@example.org", "F", "O");
        Person webmaster = PLATFORM.signIn("webmaster-" + UUID.randomUUID() + "@example.org", "W", "M");
        PLATFORM.post("/auth/organizations/create", new JsonObject().put("name", "Hooks"), webmaster.token());
        Person keyMaker = new Person(null, null, PLATFORM.machine("push.keys.creator"), null);
        String title = "Marked " + UUID.randomUUID();
        JsonObject prompt = new JsonObject().put("documentID", "noticeToParties").put("ruleSet", "commercial").put("prompt", title)
                .put("active", false).put("triggerOnDocket", false).put("triggerOnDraft", false).put("includeEvidence", false).put("includeFullCase", false);
        return Stream.of(
                new Write("identity.createOrganization", "/auth/organizations/create", new JsonObject().put("name", title), founder,
                        () -> count("select 1 from identity.organizations where name = ?", title)),
                new Write("identity.createMachineClient", "/auth/clients/create", new JsonObject().put("name", title)
                        .put("permissions", new JsonArray().add("emails.email.sender")), administrator,
                        () -> count("select 1 from identity.clients where name = ?", title)),
                new Write("identity.revokePermission", "/auth/permissions/revoke", new JsonObject().put("userID", founder.id())
                        .put("permission", "emails.email.sender"), administrator,
                        () -> number("select grants_revision from identity.users where user_id = ?::uuid", founder.id())),
                new Write("cases.createCase", "/cases/cases/create", new JsonObject().put("title", title).put("ruleSet", "commercial"), founder,
                        () -> count("select 1 from cases.cases where title = ?", title)),
                new Write("main.createFiling", "/api/filings/create", new JsonObject().put("caseID", open.caseId())
                        .put("documentID", OpenCase.APPROVED_DOCUMENT).put("title", title)
                        .put("fields", OpenCase.completeFields(OpenCase.APPROVED_DOCUMENT)), open.claimant(),
                        () -> count("select 1 from mainapi.filings where title = ?", title)),
                new Write("ai.createPrompt", "/ai/prompts/create", prompt, administrator, () -> count("select 1 from ai.prompts where prompt = ?", title)),
                new Write("push.createVapidKey", "/push/vapid-keys/create", null, keyMaker, () -> count("select 1 from push.vapid_keys")),
                new Write("webhooks.createWebhookUrl", "/webhooks/urls/create", new JsonObject().put("url", "https://hooks.example.com/" + UUID.randomUUID()),
                        webmaster, () -> count("select 1 from webhooks.urls where created_by = ?::uuid", webmaster.id())));
    }

    private static int count(String sql, Object... values) {
        return PLATFORM.rows(sql, values).size();
    }

    private static int number(String sql, Object... values) {
        return Integer.parseInt(PLATFORM.rows(sql, values).getFirst().getFirst());
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aWriteThatIsSentAgainAfterItsNodeDiedBeforeTheAnswerMakesNothingTwice(Write write) throws SQLException {
        int before = write.made.get();
        String key = UUID.randomUUID().toString();
        Answer first = PLATFORM.post(write.path, write.body, write.by.token(), "Idempotency-Key", key);
        assertThat(first.status()).as(first.body()).isEqualTo(200);
        assertThat(write.made.get()).isEqualTo(before + 1);

        try (Connection sql = PLATFORM.sql(); PreparedStatement death = sql.prepareStatement(
                "update platform.idempotency set answer = null, node_id = gen_random_uuid() where key = ?")) {
            death.setString(1, key);
            assertThat(death.executeUpdate()).isEqualTo(1);
        }
        Answer again = PLATFORM.post(write.path, write.body, write.by.token(), "Idempotency-Key", key);
        assertThat(List.of(again.status(), String.valueOf(again.header("Error-Code")))).as(again.body()).isEqualTo(List.of(409, "idempotency.answer-lost"));
        assertThat(write.made.get()).isEqualTo(before + 1);
    }
}
