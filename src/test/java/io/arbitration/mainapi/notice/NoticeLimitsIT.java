package io.arbitration.mainapi.notice;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.WholeDay;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notices are nobody's way to make the platform send mail to strangers, and their lists are bounded. */
class NoticeLimitsIT {

    private static final int PER_USER = 4;
    private static final int PER_CASE = 10;
    private static final int PER_SIDE = 4;
    private static final int INSIDE = 7;

    @TempDir
    private static Path folder;
    private static RunningPlatform platform;

    @BeforeAll
    static void start() {
        platform = RunningPlatform.start(folder, Map.of("ACP_NOTICES_OUTSIDE_PER_USER_AND_DAY", String.valueOf(PER_USER),
                "ACP_NOTICES_OUTSIDE_PER_CASE_AND_DAY", String.valueOf(PER_CASE),
                "ACP_NOTICES_INSIDE_PER_USER_AND_DAY", String.valueOf(INSIDE)));
    }

    @AfterAll
    static void stop() {
        platform.close();
    }

    @BeforeEach
    void countsByTheDay() {
        WholeDay.in(ZoneOffset.UTC);
    }

    private static String[] strangers(int count) {
        String[] addresses = new String[count];
        for (int i = 0; i < count; i++) {
            addresses[i] = Notices.address();
        }
        return addresses;
    }

    private static void is(Answer answer, int status, String code, String message) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("Error-Code")).isEqualTo(code);
        assertThat(answer.sentence()).isEqualTo(message);
    }

    private static String docketedWithoutApproval(OpenCase open, Person by, String documentId) {
        String filingId = open.draft(by, documentId);
        assertThat(open.document("submit", by, filingId).status()).isEqualTo(200);
        return open.view(by, filingId).getString("entryID");
    }

    @Test
    void whatNobodyButItsFilerAnswersForIsServedWithinTheCaseAlone() {
        OpenCase open = OpenCase.on(platform);
        Notices own = new Notices(open, docketedWithoutApproval(open, open.claimant(), OpenCase.UNAPPROVED_DOCUMENT));
        JsonObject request = own.request("docketNotice", open.respondent().email(), Notices.address());
        is(own.send(open.claimant(), request), 409, "notice.outside-of-case", "recipients/1: is outside of the case");
        is(own.send(open.manager(), request), 409, "notice.outside-of-case", "recipients/1: is outside of the case");
        // Within the case it is served, also by address.
        own.served(own.request("docketNotice", open.respondent().email().toUpperCase()));
        assertThat(platform.rows("select 1 from mainapi.notices where case_id = ?::uuid", open.caseId())).hasSize(1);
        // What the case manager filed goes to anybody.
        Notices managers = new Notices(open, docketedWithoutApproval(open, open.manager(), "noticeToParties"));
        assertThat(managers.send(open.claimant(), managers.request("docketNotice", Notices.address())).status()).isEqualTo(200);
    }

    @Test
    void anAddressThatHasLeftTheCaseMeanwhileIsOutsideOfIt() {
        OpenCase open = OpenCase.on(platform);
        Notices own = new Notices(open, docketedWithoutApproval(open, open.claimant(), OpenCase.UNAPPROVED_DOCUMENT));
        own.served(own.request("docketNotice", open.respondent().email()));
        assertThat(platform.post("/cases/cases/participants/remove", new JsonObject().put("caseID", open.caseId()).put("userID", open.respondent().id())
                .put("partyID", "respondent"), open.manager().token()).status()).isEqualTo(200);
        is(own.send(open.claimant(), own.request("docketNotice", open.respondent().email())), 409, "notice.outside-of-case",
                "recipients/0: is outside of the case");
    }

    @Test
    void somebodyWhoIsRemovedWhileANoticeWaitsForTheCaseServesNobody() throws Exception {
        OpenCase open = OpenCase.on(platform);
        Notices notices = Notices.of(open);
        try (Connection removing = platform.sql(); Statement sql = removing.createStatement()) {
            removing.setAutoCommit(false);
            sql.execute("select 1 from cases.cases where case_id = '%s' for update".formatted(open.caseId()));
            CompletableFuture<Answer> serving = CompletableFuture.supplyAsync(
                    () -> notices.send(open.colleague(), notices.request("docketNotice", open.respondent().email())), Thread::startVirtualThread);
            Await.until("the notice waits for the case", () -> !platform.rows("""
                    select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%cases_api.cases%for share%'
                    """).isEmpty());
            sql.execute("delete from cases.participants where case_id = '%s' and user_id = '%s'".formatted(open.caseId(), open.colleague().id()));
            sql.execute("update cases.cases set revision = revision + 1 where case_id = '%s'".formatted(open.caseId()));
            removing.commit();
            assertThat(serving.get().status()).as(serving.get().body()).isEqualTo(403);
            assertThat(serving.get().sentence()).isEqualTo("Not a participant in this case.");
        }
        assertThat(platform.rows("select 1 from mainapi.notices where case_id = ?::uuid", open.caseId())).isEmpty();
    }

    @Test
    void aUserServesSoManyOutsideOfCasesADayInAllItsCasesTogether() {
        OpenCase open = OpenCase.on(platform);
        Notices one = Notices.of(open);
        Notices other = Notices.of(open.another());
        one.served(one.request("docketNotice", strangers(PER_USER - 1)));
        Answer refused = other.send(open.claimant(), other.request("docketNotice", strangers(2)));
        is(refused, 429, "notice.too-many-outside", "notices go to at most 4 addresses outside of cases a day from one user");
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 86_401);
        // What was refused does not count, participants do not, and neither does somebody else's notice.
        other.served(other.request("docketNotice", strangers(1)));
        other.served(other.request("docketNotice", open.respondent().email(), open.manager().email()));
        assertThat(other.send(open.manager(), other.request("docketNotice", strangers(1))).status()).isEqualTo(200);
    }

    /** To compose a notice takes its paper and the object store: whoever may serve nobody any more is to have nothing made. */
    @Test
    void whatIsOneTooManyIsRefusedBeforeItIsComposed() throws Exception {
        OpenCase open = OpenCase.on(platform);
        Notices notices = Notices.of(open);
        notices.served(notices.request("docketNotice", strangers(PER_USER)));
        try (Connection held = platform.sql(); Statement sql = held.createStatement()) {
            held.setAutoCommit(false);
            sql.execute("lock table platform.pending_objects in access exclusive mode");
            is(notices.send(open.claimant(), notices.request("docketNotice", strangers(1))), 429, "notice.too-many-outside",
                    "notices go to at most 4 addresses outside of cases a day from one user");
            held.rollback();
        }
    }

    @Test
    void aCaseServesSoManyOutsideOfItADay() {
        OpenCase open = OpenCase.on(platform);
        Notices notices = Notices.of(open);
        notices.served(notices.request("docketNotice", strangers(PER_USER)));
        assertThat(notices.send(open.manager(), notices.request("docketNotice", strangers(PER_USER))).status()).isEqualTo(200);
        assertThat(notices.send(open.arbitrator(), notices.request("docketNotice", strangers(PER_CASE - 2 * PER_USER))).status()).isEqualTo(200);
        is(notices.send(open.arbitrator(), notices.request("docketNotice", strangers(1))), 429, "notice.too-many-outside-of-case",
                "notices go to at most 10 addresses outside of a case a day");
    }

    @Test
    void theUsersOfOneSideTogetherLeaveTheOtherSideAndTheTribunalTheirShareOfTheCase() {
        OpenCase open = OpenCase.on(platform);
        Notices notices = Notices.of(open);
        notices.served(notices.request("docketNotice", strangers(PER_SIDE - 1)));
        assertThat(notices.send(open.colleague(), notices.request("docketNotice", strangers(1))).status()).isEqualTo(200);
        Answer refused = notices.send(open.colleague(), notices.request("docketNotice", strangers(1)));
        is(refused, 429, "notice.too-many-outside-of-side", "notices of one side go to at most 4 addresses outside of a case a day");
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 86_401);
        assertThat(notices.send(open.respondent(), notices.request("docketNotice", strangers(PER_SIDE))).status()).isEqualTo(200);
        assertThat(notices.send(open.manager(), notices.request("docketNotice", strangers(PER_CASE - 2 * PER_SIDE))).status()).isEqualTo(200);
        // In another case the side has a share of its own, and within the case nobody is refused for it.
        Notices other = Notices.of(open.another());
        assertThat(other.send(open.colleague(), other.request("docketNotice", strangers(1))).status()).isEqualTo(200);
        assertThat(notices.send(open.colleague(), notices.request("docketNotice", open.respondent().email())).status()).isEqualTo(200);
    }

    @Test
    void aUserServesSoManyParticipantsADayInAllItsCasesTogether() {
        OpenCase open = OpenCase.on(platform);
        Notices one = Notices.of(open);
        Notices other = Notices.of(open.another());
        for (int served = 0; served < INSIDE - 1; served += 2) {
            one.served(one.request("docketNotice", open.respondent().email(), open.manager().email()));
        }
        Answer refused = other.send(open.claimant(), other.request("docketNotice", open.respondent().email(), open.manager().email()));
        is(refused, 429, "notice.too-many-inside", "notices of one user go to at most 7 participants of cases a day");
        assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 86_401);
        // What was refused does not count, strangers do not, and neither does somebody else's notice.
        other.served(other.request("docketNotice", open.respondent().email()));
        other.served(other.request("docketNotice", strangers(1)));
        assertThat(other.send(open.respondent(), other.request("docketNotice", open.claimant().email())).status()).isEqualTo(200);
    }

    @Test
    void aListComesInPagesThatAreBoundedByNoticesAndByRecipients() {
        OpenCase open = OpenCase.on(platform);
        Notices notices = Notices.of(open);
        List<String> served = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            served.add(notices.served(notices.request("docketNotice", open.respondent().email())));
        }
        // Two whose recipients fill a page between them, as so many notices of 100 each would.
        for (int notice : List.of(1, 2)) {
            platform.rows("""
                    with added as (
                      insert into mainapi.notice_recipients (notice_id, place, email, idempotency_key)
                      select ?::uuid, 1 + n, 'x' || n || '@example.org', 'filling-' || gen_random_uuid() from generate_series(1, 300) n returning 1)
                    select count(*) from added
                    """, served.get(notice));
        }
        List<List<String>> pages = new ArrayList<>();
        String cursor = null;
        do {
            JsonObject asked = new JsonObject().put("limit", 3);
            Answer answer = open.on("/api/service-of-notice/list", open.observer(), cursor == null ? asked : asked.put("cursor", cursor));
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            JsonArray page = answer.object().getJsonArray("notices");
            pages.add(page.stream().map(notice -> ((JsonObject) notice).getString("noticeID")).toList());
            cursor = answer.object().getString("nextCursor");
        } while (cursor != null);
        assertThat(pages).containsExactly(served.subList(0, 2), served.subList(2, 5));
        assertThat(open.on("/api/service-of-notice/list", open.claimant(), new JsonObject().put("cursor", "x")).sentence())
                .isEqualTo("cursor: must be the nextCursor of a page before");
        OpenCase empty = open.another();
        assertThat(empty.on("/api/service-of-notice/list", open.claimant(), new JsonObject()).object())
                .isEqualTo(new JsonObject().put("notices", new JsonArray()).putNull("nextCursor"));
    }
}
