package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What filings say to bodies that are not as they should be; nothing of them is kept. */
class FilingInputIT {

    private static final OpenCase CASE = OpenCase.on(RunningPlatform.shared());
    private static final OpenCase ANOTHER = CASE.another();

    private static long rows() {
        return Long.parseLong(RunningPlatform.shared().rows("select count(*) from mainapi.filings where case_id = ?", UUID.fromString(CASE.caseId()))
                .getFirst().getFirst());
    }

    private static void assertRefused(Answer answer, int status, String sentence) {
        assertThat(answer.sentence()).isEqualTo(sentence);
        assertThat(answer.status()).isEqualTo(status);
    }

    /** The JSON of a field of a statement of claim, and what is said to it. */
    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of("claimAmount", "\"twelve\"", "must be an amount such as 1200.50 or 1200.50 USD"),
                Arguments.of("claimAmount", "\"1,200.50\"", "must be an amount such as 1200.50 or 1200.50 USD"),
                Arguments.of("claimAmount", "1200.5", "must be a string"),
                Arguments.of("claimantEmail", "\"nobody at example\"", "must be an email address"),
                Arguments.of("claimantPhone", "\"call me\"", "must be a telephone number"),
                Arguments.of("claimantZipcode", "\"####\"", "must be a postal code"),
                Arguments.of("claimantWebsite", "\"javascript:alert(1)\"", "must be a web address that starts with http:// or https://"),
                Arguments.of("agreementDate", "\"2026-02-30\"", "must be a date such as 2026-01-31"),
                Arguments.of("disputeYear", "\"20x6\"", "must be a year of four digits"),
                Arguments.of("firstUnpaidMonth", "\"13\"", "must be a month such as 7 or 2026-07"),
                Arguments.of("proposedArbitrators", "\"-\"", "must be a whole number"),
                Arguments.of("proposedArbitrators", "\"2.\"", "must be a whole number"),
                Arguments.of("proposedArbitrators", "123", "at most 2 characters"),
                Arguments.of("proposedArbitrators", "true", "must be a number or a string"),
                Arguments.of("interestRate", "\"a lot\"", "must be a number"),
                Arguments.of("interestRate", "\"1e2\"", "must be a number"),
                Arguments.of("expeditedRequested", "\"yes\"", "must be true or false"),
                Arguments.of("expeditedRequested", "1", "must be true or false"),
                Arguments.of("reliefSought", "{\"text\":\"all\"}", "must be a string"),
                Arguments.of("reliefSought", "[\"all\"]", "must be a string"),
                Arguments.of("reliefSought", "\"no\"", "at least 3 characters"),
                Arguments.of("reliefSought", "\"bell \\u0007\"", "must not contain control characters"),
                Arguments.of("claimantName", "\"" + "x".repeat(201) + "\"", "at most 200 characters"),
                Arguments.of("nonsense", "\"x\"", "no such field in statementOfClaim"),
                Arguments.of("", "\"x\"", "no such field in statementOfClaim"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("values")
    void aValueThatDoesNotFitItsFieldIsRefusedAtCreationAndAtUpdate(String field, String value, String problem) {
        String filing = CASE.draft(CASE.claimant(), "statementOfClaim");
        JsonObject before = CASE.view(CASE.claimant(), filing);
        long rows = rows();
        JsonObject fields = new JsonObject("{\"%s\":%s}".formatted(field, value));
        String head = "{\"caseID\":\"%s\",\"documentID\":\"statementOfClaim\",\"filingID\":\"%s\",\"fields\":{\"%s\":%s}}".formatted(CASE.caseId(), filing, field, value);

        assertThat(fields.size()).isEqualTo(1);
        String sentence = "fields/%s: %s".formatted(field, problem);
        assertRefused(RunningPlatform.shared().post("/api/filings/create", head, CASE.claimant().token()), 400, sentence);
        assertRefused(RunningPlatform.shared().post("/api/filings/update", head, CASE.claimant().token()), 400, sentence);
        assertThat(rows()).isEqualTo(rows);
        assertThat(CASE.view(CASE.claimant(), filing)).isEqualTo(before);
    }

    static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of("fields", null, "fields: is required"),
                Arguments.of("fields", "text", "fields: must be an object"),
                Arguments.of("fields", new JsonArray(), "fields: must be an object"),
                Arguments.of("documentID", null, "documentID: is required"),
                Arguments.of("documentID", 7, "documentID: must be a string"),
                Arguments.of("caseID", null, "caseID: is required"),
                Arguments.of("title", "", "title: at least 1 character"),
                Arguments.of("title", "x".repeat(201), "title: at most 200 characters"),
                Arguments.of("title", "a\u0000b", "title: must not contain the character NUL"),
                Arguments.of("supersedes", 1, "supersedes: must be a string"),
                Arguments.of("parentEntryID", new JsonObject(), "parentEntryID: must be a string"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("bodies")
    void aBodyThatBreaksTheContractNamesTheFieldAndTheBound(String field, Object value, String sentence) {
        long rows = rows();
        JsonObject body = new JsonObject().put("caseID", CASE.caseId()).put("documentID", "motion").put("fields", new JsonObject()).put(field, value);
        if (value == null) {
            body.remove(field);
        }
        assertRefused(RunningPlatform.shared().post("/api/filings/create", body, CASE.claimant().token()), 400, sentence);
        assertThat(rows()).isEqualTo(rows);
    }

    @Test
    void fiveHundredFieldsAreTheMost() {
        JsonObject fields = new JsonObject();
        for (int i = 0; i < 501; i++) {
            fields.put("field" + i, "x");
        }
        assertRefused(CASE.create(CASE.claimant(), "motion", fields), 400, "fields: at most 500 members");
    }

    @Test
    void whatTheTypesTakeIsKeptAndShownAsItWasSent() {
        JsonObject fields = OpenCase.completeFields("statementOfClaim").put("interestRate", 4.25).put("proposedArbitrators", 3)
                .put("expeditedRequested", true).put("claimantEmail", "").put("disputeYear", "2026").put("firstUnpaidMonth", "2026-07")
                .put("statementOfFacts", "Zeile 1\r\nZeile 2\tÜ \ud83d\ude80 عربى");
        Answer created = CASE.create(CASE.claimant(), "statementOfClaim", fields);
        assertThat(created.status()).as(created.body()).isEqualTo(200);
        assertThat(created.object().getJsonObject("fields")).isEqualTo(fields);
        assertThat(CASE.view(CASE.observer(), created.object().getString("filingID")).getJsonObject("fields")).isEqualTo(fields);
    }

    @Test
    void whatIsRequiredIsAskedForAtSubmissionAlone() {
        String filing = CASE.create(CASE.claimant(), "letterToTribunal", new JsonObject().put("subject", "Dates").put("body", "  \n ")).object().getString("filingID");
        assertRefused(CASE.document("submit", CASE.claimant(), filing), 400, "fields/body: is required");
        assertThat(CASE.update(CASE.claimant(), filing, new JsonObject().put("fields", new JsonObject())).status()).isEqualTo(200);
        assertRefused(CASE.document("submit", CASE.claimant(), filing), 400, "fields/subject: is required");
        assertThat(CASE.view(CASE.claimant(), filing).getString("state")).isEqualTo("draft");
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999999", "abc", "0", "-1", "1.0", "00000000000000000001", "99999999999999999999", "١", "of another case"})
    void anEntryThatTheCaseDoesNotHaveCanBeNeitherSupersededNorRepliedTo(String text) {
        String entryId = text.equals("of another case") ? ANOTHER.docketed(new JsonObject()) : text;
        String draft = CASE.draft(CASE.claimant(), "motion");
        long rows = rows();
        for (String reference : List.of("supersedes", "parentEntryID")) {
            JsonObject body = new JsonObject().put("documentID", "motion").put("fields", new JsonObject()).put(reference, entryId);
            assertRefused(CASE.on("/api/filings/create", CASE.claimant(), body), 404, "docket entry not found");
            assertRefused(CASE.update(CASE.claimant(), draft, new JsonObject().put(reference, entryId)), 404, "docket entry not found");
        }
        assertThat(rows()).isEqualTo(rows);
        assertThat(CASE.view(CASE.claimant(), draft).getInteger("revision")).isEqualTo(1);
    }

    @Test
    void whatOneSideSaidTheOtherCanNotSupersede() {
        OpenCase open = CASE;
        String entry = open.docketed(new JsonObject());
        JsonObject superseding = new JsonObject().put("documentID", "noticeOfRepresentation")
                .put("fields", OpenCase.completeFields("noticeOfRepresentation")).put("supersedes", entry);
        String refusal = "Only the side that made this document can change it.";
        assertRefused(open.on("/api/filings/create", open.respondent(), superseding), 403, refusal);
        String draft = open.draft(open.respondent(), "noticeOfRepresentation");
        assertRefused(open.update(open.respondent(), draft, new JsonObject().put("supersedes", entry)), 403, refusal);
    }

    @Test
    void anEntryIsSupersededOnceWhoeverComesFirst() {
        OpenCase open = CASE.another();
        String entry = open.docketed(new JsonObject());
        JsonObject superseding = new JsonObject().put("documentID", OpenCase.APPROVED_DOCUMENT)
                .put("fields", OpenCase.completeFields(OpenCase.APPROVED_DOCUMENT)).put("supersedes", entry);
        List<String> filings = Stream.generate(() -> open.on("/api/filings/create", open.claimant(), superseding).object().getString("filingID")).limit(4).toList();
        filings.subList(0, 3).forEach(filing -> assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200));
        assertThat(open.document("approve", open.manager(), filings.get(1)).status()).isEqualTo(200);

        String refusal = "docket entry is already superseded";
        assertRefused(open.document("approve", open.manager(), filings.get(0)), 409, refusal);
        assertRefused(open.document("submit", open.claimant(), filings.get(3)), 409, refusal);
        assertRefused(open.on("/api/filings/create", open.claimant(), superseding), 409, refusal);
        // What stands in the way can be taken away: the approver rejects, the filer supersedes nothing, or what superseded.
        assertThat(open.reject(open.manager(), filings.get(0), "Supersede the newer one.").status()).isEqualTo(200);
        String newer = open.view(open.claimant(), filings.get(1)).getString("entryID");
        JsonObject changed = open.update(open.claimant(), filings.get(0), new JsonObject().put("supersedes", newer)).object();
        assertThat(changed.getString("supersedes")).isEqualTo(newer);
        assertThat(open.update(open.claimant(), filings.get(3), new JsonObject().putNull("supersedes")).object().containsKey("supersedes")).isFalse();
        for (String filing : List.of(filings.get(0), filings.get(3))) {
            assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
            assertThat(open.document("approve", open.manager(), filing).status()).isEqualTo(200);
        }
        assertThat(open.on("/api/docket/entries/view", open.claimant(), new JsonObject().put("entryID", entry)).object().getString("supersededBy")).isEqualTo(newer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "\"one\"", "W/\"1\"", "\"1\", \"2\"", "\"-1\"", "\"99999999999999999999\""})
    void aRevisionThatThePlatformNeverGaveIsRefused(String ifMatch) {
        String draft = CASE.draft(CASE.claimant(), "motion");
        assertRefused(CASE.update(CASE.claimant(), draft, new JsonObject().put("title", "x"), "If-Match", ifMatch), 400,
                "If-Match: must be a revision in double quotes, as the ETag gave it");
        assertThat(CASE.update(CASE.claimant(), draft, new JsonObject().put("title", "x"), "If-Match", "*").status()).isEqualTo(200);
    }

    @Test
    void everyConditionalWriteAnswersTheRevisionForTheNext() {
        String filing = CASE.draft(CASE.claimant(), OpenCase.APPROVED_DOCUMENT);
        RunningPlatform.Answer submitted = CASE.document("submit", CASE.claimant(), filing, "If-Match", "\"1\"");
        assertThat(submitted.header("ETag")).as(submitted.body()).isEqualTo("\"2\"");
        RunningPlatform.Answer approved = CASE.document("approve", CASE.manager(), filing, "If-Match", submitted.header("ETag"));
        assertThat(approved.header("ETag")).as(approved.body()).isEqualTo("\"3\"").isEqualTo('"' + CASE.view(CASE.claimant(), filing).getLong("revision").toString() + '"');
        String other = CASE.draft(CASE.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(CASE.document("withdraw", CASE.claimant(), other, "If-Match", "\"1\"").header("ETag")).isEqualTo("\"2\"");
    }
}
