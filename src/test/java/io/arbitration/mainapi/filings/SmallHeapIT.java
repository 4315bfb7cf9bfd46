package io.arbitration.mainapi.filings;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One user with as many drafts of the largest size as a party can have, and a docket of the largest entries, reads all of it as
 * fast as it can: a node with 256 MB of heap goes on serving others.
 */
class SmallHeapIT {

    private static final int HEAP_MEGABYTES = 256;
    private static final int DRAFTS_MAX = 200;
    private static final int ENTRIES = 80;
    private static final int MOTIONS = 10;
    private static final int ANALYSES = 60;
    private static final int UNREAD = 400;
    /** The docket is the largest answer: eighty entries of 20,000 characters of four bytes. */
    private static final int ANSWER_BYTES_MAX = 8 << 20;
    /** What is held at once is the same in each round, all lists, three times; the second begins with what the first has left in the heap. */
    private static final int ROUNDS = Integer.getInteger("heap.rounds", 2);
    private static final int READERS_OF_EACH = 3;
    /** The last reader of an export waits for those of the others, which together took more than a minute beside other work (load 15). */
    private static final Duration WHOLE_ANSWER_WAIT = Duration.ofMinutes(3);
    /** Bytes of answers whose rows are small, or of which there is only a sentence. */
    private static final Map<String, Integer> FULL = Map.of("a chain", 10, "the docket", 10_000, "the audit trail", 100_000);
    /** Four bytes in UTF-8 and two characters of Java: what a field holds most of. */
    private static final String LARGEST_CHARACTER = "\uD834\uDD1E";

    /** Bounds that fit such a heap: with the default ones the node refuses to start. */
    private static final Map<String, String> FITTING = Map.ofEntries(entry("ACP_HTTP_BODIES_BYTES_MAX", "8388608"), entry("ACP_HTTP_CONNECTIONS_MAX", "1000"),
            entry("ACP_EVIDENCE_TRANSFERS_MAX", "16"), entry("ACP_DOCKET_CACHE_BYTES_MAX", "8388608"), entry("ACP_EXPORT_BYTES_MAX", "33554432"),
            entry("ACP_PDFS_TEMPLATES_BYTES_MAX", "8388608"), entry("ACP_WEBHOOKS_IN_FLIGHT", "256"), entry("ACP_PUSH_IN_FLIGHT", "128"),
            entry("ACP_HTTP_ANSWERS_BYTES_MAX", "16777216"), entry("ACP_HTTP_STREAMS_MAX", "500"), entry("ACP_RATE_LIMIT_KEYS_MAX", "1000"),
            entry("ACP_IDENTITY_REMEMBERED_MAX", "1000"), entry("ACP_IDENTITY_REVOCATIONS_MAX", "5000"));

    @TempDir
    private Path folder;

    /** The long fields of an answer as long as they may be: half a megabyte. */
    private static JsonObject largest() {
        return new JsonObject().put("admissions", LARGEST_CHARACTER.repeat(20_000)).put("denials", LARGEST_CHARACTER.repeat(50_000))
                .put("defenses", LARGEST_CHARACTER.repeat(50_000)).put("reliefSought", LARGEST_CHARACTER.repeat(10_000));
    }

    private static List<Answer> atOnce(int times, Supplier<Answer> call) {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<CompletableFuture<Answer>> answers = IntStream.range(0, times).mapToObj(i -> CompletableFuture.supplyAsync(call, threads)).toList();
            return answers.stream().map(CompletableFuture::join).toList();
        }
    }

    @Test
    void aNodeWithASmallHeapOutlivesAUserWithTheMostAndTheLargestDrafts() throws Exception {
        try (PlatformProcess process = PlatformProcess.start(folder, FITTING, HEAP_MEGABYTES)) {
            RunningPlatform platform = process.platform();
            OpenCase open = OpenCase.on(platform);
            OpenCase others = OpenCase.on(platform);
            assertThat(atOnce(DRAFTS_MAX, () -> open.create(open.claimant(), "answer", largest()))).allMatch(answer -> answer.status() == 200);
            assertThat(open.create(open.claimant(), "answer", largest()).sentence()).isEqualTo("a party can have at most 200 drafts in a case");
            for (int i = 0; i < ENTRIES; i++) {
                String notice = open.create(open.manager(), "noticeToParties", new JsonObject().put("subject", "Long")
                        .put("body", LARGEST_CHARACTER.repeat(20_000))).object().getString("filingID");
                assertThat(open.document("submit", open.manager(), notice).status()).isEqualTo(200);
            }
            for (int i = 0; i < MOTIONS; i++) {
                String motion = open.create(open.respondent(), "motion", new JsonObject().put("motionTitle", "Long").put("requestedOrder", "All of it.")
                        .put("grounds", LARGEST_CHARACTER.repeat(50_000))).object().getString("filingID");
                assertThat(open.document("submit", open.respondent(), motion).status()).isEqualTo(200);
            }
            String organization = platform.post("/auth/organizations/create", new JsonObject().put("name", "Readers"), open.manager().token()).object()
                    .getString("organizationID");
            fillHistories(process, open, organization);
            readEverythingBeside(platform, open, others);
            askAndTakeNothingBeside(platform, others);
            assertThat(open.draft(open.respondent(), OpenCase.APPROVED_DOCUMENT)).isNotEmpty();
        }
    }

    /** What takes months to come together: analyses, events, deliveries and an audit trail of as much as each row may hold. */
    private static void fillHistories(PlatformProcess process, OpenCase open, String organization) throws SQLException, IOException {
        RunningPlatform platform = process.platform();
        String hook = "http://127.0.0.1:8009/hook";
        Answer url = platform.post("/webhooks/urls/create", new JsonObject().put("url", hook), open.manager().token());
        assertThat(url.status()).as(url.body()).isEqualTo(200);
        Answer prompt = platform.post("/ai/prompts/create", new JsonObject().put("documentID", "motion").put("ruleSet", "commercial").put("prompt", "Who?")
                .put("active", false).put("triggerOnDocket", true).put("triggerOnDraft", false).put("includeEvidence", false).put("includeFullCase", true),
                platform.administrator().token());
        assertThat(prompt.status()).as(prompt.body()).isEqualTo(200);
        try (Connection sql = process.sql(); Statement statement = sql.createStatement()) {
            for (String fill : List.of(
                    // Each names every part of a large case that it has read, and some say as much as an analysis may.
                    """
                    insert into ai.analyses (prompt_id, prompt_version, ran_on, include_evidence, include_full_case, case_id, filing_id, revision, state, created, ended,
                      model, answer, inputs)
                    select v.prompt_id, v.version, 'docket', false, true, '%1$s', (select min(filing_id) from mainapi.entries where case_id = '%1$s'), n, 'done', now(), now(),
                      'm', case when n %% 40 = 0 then repeat(chr(119070), 200000) else 'Nobody.' end,
                      '[' || repeat('{"input":"entry 1000","sha256":"0000000000000000000000000000000000000000000000000000000000000000"},', 1999)
                        || '{"input":"entry 1000","sha256":""}]'
                    from (select prompt_id, max(version) as version from ai.prompt_versions group by prompt_id limit 1) v, generate_series(1, %3$d) n""",
                    """
                    with told as (
                      insert into platform.events (event_id, event, case_id, occurred_at, envelope)
                      select gen_random_uuid(), 'phase_changed', '%1$s', now(), '{"event":"phase_changed","padding":"' || repeat('x', 1000) || '"}' from generate_series(1, 1000)
                      returning sequence)
                    insert into webhooks.feed (organization_id, position, sequence, event, occurred_at)
                    select '%2$s', row_number() over (order by sequence), sequence, 'phase_changed', now() from told""",
                    // The first 4 KB of each answer were control characters, which JSON writes with six characters each.
                    """
                    with made as (
                      insert into webhooks.deliveries (url_id, organization_id, event_id, event, state, created)
                      select url_id, organization_id, gen_random_uuid(), 'phase_changed', 'failed', now() from webhooks.urls, generate_series(1, 20)
                      where organization_id = '%2$s' returning delivery_id)
                    insert into webhooks.attempts (delivery_id, at, status, duration_millis, response)
                    select delivery_id, now(), 500, 1, repeat(chr(1), 4096) from made, generate_series(1, 20)""",
                    """
                    insert into platform.audit (case_id, at, user_id, action, subject, request_id, address)
                    select '%1$s', now(), gen_random_uuid(), repeat('a', 100), repeat('s', 500), repeat('r', 200), repeat('9', 45) from generate_series(1, 400)""")) {
                statement.execute(fill.formatted(open.caseId(), organization, ANALYSES));
            }
        }
    }

    private static void readEverythingBeside(RunningPlatform platform, OpenCase open, OpenCase others) {
        Map<String, ConcurrentLinkedQueue<Integer>> statuses = new ConcurrentHashMap<>();
        JsonObject limit = new JsonObject().put("limit", 200);
        Map<String, Supplier<Answer>> lists = Map.of(
                "a chain", () -> open.on("/api/docket/verify", open.claimant(), new JsonObject()),
                "drafts", () -> open.on("/api/filings/list", open.claimant(), limit.copy().put("state", "draft")),
                "filings", () -> open.on("/api/filings/list", open.claimant(), limit),
                "the docket", () -> open.on("/api/docket/entries/list", open.claimant(), new JsonObject()),
                "pending approvals", () -> open.on("/api/filings/documents/pending-approval", open.manager(), limit),
                "the audit trail", () -> open.on("/cases/cases/audit/list", open.manager(), limit),
                "analyses", () -> open.on("/ai/analyses/list", open.manager(), limit.copy()),
                "events", () -> platform.post("/webhooks/events/list", new JsonObject().put("limit", 1000), open.manager().token()),
                "deliveries", () -> platform.post("/webhooks/deliveries/list", limit, open.manager().token()),
                "an export", () -> open.on("/cases/cases/export", open.claimant(), new JsonObject()));
        Map<String, Integer> largest = new ConcurrentHashMap<>();
        ConcurrentLinkedQueue<Integer> ofOthers = new ConcurrentLinkedQueue<>();
        AtomicBoolean reading = new AtomicBoolean(true);
        List<CompletableFuture<Void>> readers = new ArrayList<>();
        lists.forEach((what, list) -> {
            for (int i = 0; i < READERS_OF_EACH; i++) {
                readers.add(CompletableFuture.runAsync(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        // Who is refused because others read tries again.
                        Await.until("the whole answer: " + what, WHOLE_ANSWER_WAIT, () -> {
                            Answer answer = list.get();
                            statuses.computeIfAbsent(what, first -> new ConcurrentLinkedQueue<>()).add(answer.status());
                            largest.merge(what, answer.response().body().length, Math::max);
                            assertThat(answer.response().body().length).as(what).isLessThan(what.equals("an export") ? Integer.MAX_VALUE : ANSWER_BYTES_MAX);
                            return answer.status() == 200;
                        });
                    }
                }, Thread::startVirtualThread));
            }
        });
        CompletableFuture<Void> honest = CompletableFuture.runAsync(() -> {
            while (reading.get()) {
                ofOthers.add(others.on("/api/docket/entries/list", others.claimant(), new JsonObject()).status());
            }
        }, Thread::startVirtualThread);
        readers.forEach(CompletableFuture::join);
        reading.set(false);
        honest.join();
        assertThat(statuses).hasSameSizeAs(lists).allSatisfy((what, all) -> assertThat(Set.copyOf(all)).as(what).isSubsetOf(200, 429, 503).contains(200));
        // Each list was as full as it may be: what has little to answer proves nothing.
        assertThat(largest).allSatisfy((what, bytes) -> assertThat(bytes).as(what).isGreaterThan(FULL.getOrDefault(what, 200_000)));
        assertThat(ofOthers).isNotEmpty().containsOnly(200);
    }

    /** What is handed to a connection is copied out of the heap, of which there is as much again: all these answers are twice that. */
    private static void askAndTakeNothingBeside(RunningPlatform platform, OpenCase others) throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < UNREAD; i++) {
                Socket socket = new Socket();
                open.add(socket);
                socket.setReceiveBufferSize(4096);
                socket.connect(new InetSocketAddress("localhost", URI.create(platform.url()).getPort()));
                socket.getOutputStream().write("GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(5).getBytes(StandardCharsets.US_ASCII));
                if (i % 10 == 0) {
                    assertThat(others.on("/api/docket/entries/list", others.claimant(), new JsonObject()).status()).as("beside %d connections".formatted(i)).isEqualTo(200);
                }
            }
            Answer whole = platform.get("/docs/swagger-ui-bundle.js");
            assertThat(whole.status()).isEqualTo(200);
            assertThat(whole.response().body().length).isGreaterThan(1 << 20).isEqualTo(Integer.parseInt(whole.header("Content-Length")));
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }
}
