package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of filings come in pages that are bounded in bytes, and a party has no more drafts than its bound. */
class FilingPagesIT {

    private static final OpenCase PEOPLE = OpenCase.on(RunningPlatform.shared());
    private static final int PAGE_BYTES_MAX = 256 * 1024;
    private static final int LARGE = 100_000;

    private final OpenCase open = PEOPLE.another();

    /** A draft of about that many bytes. */
    private static String large(OpenCase open) {
        Answer answer = open.create(open.claimant(), "answer", new JsonObject()
                .put("denials", "é".repeat(LARGE / 4)).put("defenses", "x".repeat(LARGE / 2)));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.object().getString("filingID");
    }

    private static List<JsonObject> pages(OpenCase open, Person by, String path, JsonObject body) {
        List<JsonObject> pages = new ArrayList<>();
        String cursor = null;
        do {
            Answer answer = open.on(path, by, cursor == null ? body : body.copy().put("cursor", cursor));
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            pages.add(answer.object());
            cursor = pages.getLast().getString("nextCursor");
        } while (cursor != null);
        return pages;
    }

    private static List<String> ids(List<JsonObject> pages) {
        return pages.stream().flatMap(page -> ids(page.getJsonArray("filings"))).toList();
    }

    private static Stream<String> ids(JsonArray filings) {
        return filings.stream().map(filing -> ((JsonObject) filing).getString("filingID"));
    }

    @Test
    void aPageOfLargeFilingsEndsByItsBytesAndTheNextGoesOnBehindIt() {
        List<String> made = new ArrayList<>(IntStream.range(0, 8).mapToObj(i -> large(open)).toList());
        Collections.reverse(made);
        List<JsonObject> pages = pages(open, open.claimant(), "/api/filings/list", new JsonObject().put("limit", 200));
        assertThat(ids(pages)).isEqualTo(made);
        assertThat(pages).hasSizeGreaterThan(1).allSatisfy(page ->
                assertThat(page.encode().getBytes(StandardCharsets.UTF_8).length).isLessThan(PAGE_BYTES_MAX + 2 * LARGE));
        assertThat(pages(open, open.claimant(), "/api/filings/list", new JsonObject().put("limit", 200).put("state", "submitted")))
                .containsExactly(new JsonObject().put("filings", new JsonArray()).put("nextCursor", null));
    }

    @Test
    void aPageHasNoMoreFilingsThanItsLimitAndTheLastOneSaysSo() {
        List<String> made = IntStream.range(0, 4).mapToObj(i -> open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT)).toList();
        List<JsonObject> pages = pages(open, open.claimant(), "/api/filings/list", new JsonObject().put("limit", 2));
        assertThat(pages).extracting(page -> page.getJsonArray("filings").size()).containsExactly(2, 2);
        assertThat(ids(pages)).containsExactlyInAnyOrderElementsOf(made);
    }

    private String submitted() {
        String filing = open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT);
        assertThat(open.document("submit", open.claimant(), filing).status()).isEqualTo(200);
        return filing;
    }

    @Test
    void pendingApprovalsComeInPagesInTheOrderOfTheirSubmission() {
        List<String> drafts = IntStream.range(0, 7).mapToObj(i -> open.draft(open.claimant(), OpenCase.APPROVED_DOCUMENT)).toList();
        // Some at once, so that several are submitted in the same millisecond.
        List<CompletableFuture<Answer>> answers = drafts.stream().map(filing -> CompletableFuture.supplyAsync(
                () -> open.document("submit", open.claimant(), filing), Thread::startVirtualThread)).toList();
        assertThat(answers).allMatch(answer -> answer.join().status() == 200);
        List<JsonObject> pages = pages(open, open.manager(), "/api/filings/documents/pending-approval", new JsonObject().put("limit", 3));
        assertThat(pages).extracting(page -> page.getJsonArray("filings").size()).containsExactly(3, 3, 1);
        assertThat(ids(pages)).containsExactlyInAnyOrderElementsOf(drafts);
        assertThat(pages.stream().flatMap(page -> page.getJsonArray("filings").stream()).map(filing -> ((JsonObject) filing).getString("submittedAt"))).isSorted();
    }

    @Test
    void whatIsDecidedMeanwhileIsMissingAndNothingElse() {
        List<String> filings = IntStream.range(0, 4).mapToObj(i -> submitted()).toList();
        JsonObject first = open.on("/api/filings/documents/pending-approval", open.manager(), new JsonObject().put("limit", 2)).object();
        assertThat(ids(first.getJsonArray("filings"))).isEqualTo(filings.subList(0, 2));
        assertThat(open.document("approve", open.manager(), filings.get(1)).status()).isEqualTo(200);
        assertThat(open.document("approve", open.manager(), filings.get(2)).status()).isEqualTo(200);
        JsonObject second = open.on("/api/filings/documents/pending-approval", open.manager(),
                new JsonObject().put("limit", 2).put("cursor", first.getString("nextCursor"))).object();
        assertThat(ids(second.getJsonArray("filings"))).containsExactly(filings.get(3));
        assertThat(second.getString("nextCursor")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1", "1-", "-1", "1-x", "1-2-3", "0-1", "999999999999999999-1", "1-9999999999999999999"})
    void whatIsNoCursorOfPendingApprovalsIsRefused(String cursor) {
        Answer answer = open.on("/api/filings/documents/pending-approval", open.manager(), new JsonObject().put("cursor", cursor));
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.sentence()).isEqualTo("cursor: must be the nextCursor of a page before");
    }

    @Test
    void aPartyHasNoMoreDraftsInACaseThanItsBoundHoweverManyAreMadeAtOnce(@TempDir Path folder) {
        RunningPlatform platform = RunningPlatform.start(folder, Map.of("ACP_DOCKET_OPEN_DRAFTS_MAX", "5"));
        try {
            OpenCase small = OpenCase.on(platform);
            List<CompletableFuture<Answer>> answers = IntStream.range(0, 12).mapToObj(i -> CompletableFuture.supplyAsync(
                    () -> small.create(i % 2 == 0 ? small.claimant() : small.colleague(), "motion", new JsonObject()), Thread::startVirtualThread)).toList();
            List<Answer> made = answers.stream().map(CompletableFuture::join).filter(answer -> answer.status() == 200).toList();
            assertThat(made).hasSize(5);
            assertThat(answers.stream().map(CompletableFuture::join).filter(answer -> answer.status() != 200)).hasSize(7).allSatisfy(answer -> {
                assertThat(answer.status()).isEqualTo(409);
                assertThat(answer.sentence()).isEqualTo("a party can have at most 5 drafts in a case");
                assertThat(answer.header("Error-Code")).isEqualTo("filing.too-many-drafts");
            });
            assertThat(small.create(small.respondent(), "motion", new JsonObject()).status()).as("the other side has a bound of its own").isEqualTo(200);
            assertThat(small.another().create(small.claimant(), "motion", new JsonObject()).status()).as("so has another case").isEqualTo(200);
            assertThat(small.document("withdraw", small.claimant(), made.getFirst().object().getString("filingID")).status()).isEqualTo(200);
            assertThat(small.create(small.claimant(), "motion", new JsonObject()).status()).isEqualTo(200);
        } finally {
            platform.close();
        }
    }
}
