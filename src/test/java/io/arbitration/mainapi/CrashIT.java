package io.arbitration.mainapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.OpenCase;
import io.arbitration.PlatformProcess;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.TestFolders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/**
 * A platform of its own is killed, again and again, in the middle of a stream of writes; what it acknowledged must be there
 * when it is back, whole, and nothing by halves. How often: {@code -Dcrash.rounds=50}; again the same: {@code -Dcrash.seed}.
 */
class CrashIT {

    private static final int ROUNDS = Integer.getInteger("crash.rounds", 3);
    private static final long SEED = Long.getLong("crash.seed", System.nanoTime());
    private static final int CASES_PER_ROUND = 3;
    private static final int WRITERS = 9;
    private static final int ACKNOWLEDGED_MAX = 150;
    private static final Map<String, Integer> ALLOWED = Map.of("noticeToParties", 500, "letterToTribunal", 50);

    /** What is killed. */
    enum Blow {
        /** The platform; its database server lives on without it. */
        PLATFORM,
        /** Both at once. */
        BOTH,
        /** The database server under a platform that is asked on and starts it again, then the platform. */
        DATABASE_FIRST,
        /** One session of the database, which then recovers by itself, under a platform that has to live through it. */
        SESSION
    }

    /**
     * A filing as its writer knows it: the state that was acknowledged, and the one that a request without an answer was to
     * bring it to (the same when there is none).
     */
    private record Known(String acknowledged, String attempted) {}

    private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
    private final List<String> caseIds = new ArrayList<>();

    @Test
    void whatWasAcknowledgedSurvivesAKillAndNothingIsThereByHalves() throws Exception {
        Path folder = TestFolders.create("crash-");
        PlatformProcess process = PlatformProcess.start(folder);
        try {
            checkDurability(process);
            OpenCase people = OpenCase.on(process.platform());
            for (int round = 0; round < ROUNDS; round++) {
                Blow blow = Blow.values()[round % Blow.values().length];
                Round stream = new Round(process, people, 1 + random.nextInt(ACKNOWLEDGED_MAX));
                stream.writeUntil(blow);
                process.kill();
                process.awaitEnd();
                process = PlatformProcess.start(folder);
                stream.check(process, "round %d of seed %d, %s after %d".formatted(round, SEED, blow, stream.blowAt));
            }
        } finally {
            process.kill();
            process.awaitEnd();
            process.killDatabase();
        }
    }

    /** A kill of processes leaves the page cache alone, so that a database without fsync would pass: it is asked instead. */
    private static void checkDurability(PlatformProcess process) throws SQLException, IOException {
        try (Connection sql = process.sql()) {
            for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
                try (ResultSet row = sql.createStatement().executeQuery("show " + setting)) {
                    row.next();
                    assertThat(row.getString(1)).as(setting).isEqualTo("on");
                }
            }
        }
    }

    /** A stream of writes on cases of its own, a blow in the middle, and the look at what is left. */
    private final class Round {

        private final PlatformProcess process;
        private final List<OpenCase> cases = new ArrayList<>();
        private final int blowAt;
        private final Queue<Map<String, Known>> known = new ConcurrentLinkedQueue<>();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final CountDownLatch untilBlow;
        private volatile boolean over;
        private int probes;

        Round(PlatformProcess process, OpenCase people, int blowAt) {
            this.process = process;
            this.blowAt = blowAt;
            this.untilBlow = new CountDownLatch(blowAt);
            OpenCase here = new OpenCase(process.platform(), people.caseId(), people.claimant(), people.colleague(), people.observer(),
                    people.respondent(), people.manager(), people.arbitrator(), people.outsider());
            for (int i = 0; i < CASES_PER_ROUND; i++) {
                cases.add(here.another());
            }
            cases.forEach(open -> caseIds.add(open.caseId()));
        }

        void writeUntil(Blow blow) throws Exception {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Writer writer = new Writer(cases.get(i % CASES_PER_ROUND), i / CASES_PER_ROUND, blow, random.nextLong());
                known.add(writer.filings);
                writers.add(CompletableFuture.runAsync(writer::write, Thread::startVirtualThread));
            }
            assertThat(untilBlow.await(60, TimeUnit.SECONDS)).as("%d answers in a minute", blowAt).isTrue();
            switch (blow) {
                case PLATFORM -> process.kill();
                case BOTH -> {
                    process.killDatabase();
                    process.kill();
                }
                case DATABASE_FIRST -> {
                    process.killDatabase();
                    awaitWritesAgain(cases.getFirst());
                }
                case SESSION -> {
                    process.killDatabaseSession();
                    awaitWritesAgain(cases.getFirst());
                }
            }
            // A writer also stops when it is refused. The database is started again so soon that not every writer is.
            over = true;
            CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
            assertThat(wrong).isEmpty();
        }

        private void awaitWritesAgain(OpenCase open) throws InterruptedException {
            Await.until("the platform finds its database again", () -> {
                probes++;
                int status = open.create(open.manager(), "noticeToParties", new JsonObject()).status();
                assertThat(status).isIn(200, 503);
                return status == 200;
            });
        }

        /** Writes one filing after the other, each by itself: at most one request of a writer has no answer. */
        private final class Writer {

            private final OpenCase open;
            private final int role;
            private final Blow blow;
            private final RandomGenerator choice;
            private final Map<String, Known> filings = new HashMap<>();

            Writer(OpenCase open, int role, Blow blow, long seed) {
                this.open = open;
                this.role = role;
                this.blow = blow;
                this.choice = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            }

            void write() {
                boolean goesOn = true;
                while (goesOn && !over) {
                    goesOn = switch (role) {
                        case 0 -> filing(open.manager(), "noticeToParties");
                        case 1 -> filing(open.claimant(), "letterToTribunal");
                        default -> filing(open.respondent(), "letterToTribunal");
                    };
                }
            }

            /** A filing from draft to where chance takes it; false when no answer came. */
            private boolean filing(Person filer, String documentId) {
                filings.put("", new Known("none", "draft"));
                JsonObject body = new JsonObject().put("caseID", open.caseId()).put("documentID", documentId)
                        .put("fields", OpenCase.completeFields(documentId));
                Answer created = answer("/api/filings/create", body, filer);
                if (created == null || created.status() != 200) {
                    return false;
                }
                filings.remove("");
                String filingId = created.object().getString("filingID");
                filings.put(filingId, new Known("draft", "draft"));
                JsonObject filing = new JsonObject().put("caseID", open.caseId()).put("filingID", filingId);
                if (role == 0) {
                    return step("submit", filing, filer, "docketed");
                }
                if (!step("submit", filing, filer, "submitted")) {
                    return false;
                }
                return switch (choice.nextInt(6)) {
                    case 0 -> step("withdraw", filing, filer, "withdrawn");
                    case 1 -> step("reject", filing.copy().put("reason", "No."), open.manager(), "rejected");
                    default -> step("approve", filing, open.manager(), "docketed");
                };
            }

            private boolean step(String operation, JsonObject filing, Person by, String to) {
                String filingId = filing.getString("filingID");
                String from = filings.get(filingId).acknowledged;
                filings.put(filingId, new Known(from, to));
                Answer answer = answer("/api/filings/documents/" + operation, filing, by);
                if (answer == null) {
                    return false;
                }
                switch (answer.status()) {
                    case 200 -> filings.put(filingId, new Known(to, to));
                    // A quota is used up: refused, so nothing was to change.
                    case 409 -> filings.put(filingId, new Known(from, from));
                    default -> { }
                }
                return answer.status() == 200 || answer.status() == 409;
            }

            private Answer answer(String path, JsonObject body, Person by) {
                Answer answer;
                try {
                    answer = open.platform().post(path, body, by.token());
                } catch (IllegalStateException cut) {
                    // The connection went with the process.
                    return null;
                }
                boolean quota = "filing.quota-used".equals(answer.header("Error-Code"));
                boolean database = answer.status() == 503 && (blow == Blow.DATABASE_FIRST || blow == Blow.SESSION || blow == Blow.BOTH);
                if (answer.status() != 200 && !quota && !database) {
                    wrong.add("%s: %d %s".formatted(path, answer.status(), answer.body()));
                }
                untilBlow.countDown();
                return answer;
            }
        }

        void check(PlatformProcess restarted, String round) throws Exception {
            try (Connection sql = restarted.sql()) {
                for (String caseId : caseIds) {
                    assertThat(DocketInvariants.violations(sql, caseId, ALLOWED)).as(round).isEmpty();
                }
                Map<String, String> states = states(sql);
                long started = 0;
                for (Map<String, Known> filings : known) {
                    Known unanswered = filings.remove("");
                    started += unanswered == null ? 0 : 1;
                    filings.forEach((filingId, expected) -> assertThat(states.remove(filingId))
                            .as("%s: filing %s", round, filingId).isIn(expected.acknowledged, expected.attempted));
                }
                // What is left nobody was told of: drafts whose answer was lost, one a writer, and those of the probes.
                assertThat(states.values()).as(round).allMatch("draft"::equals);
                assertThat((long) states.size()).as("%s: filings that nobody asked for", round).isLessThanOrEqualTo(started + probes);
            }
            for (OpenCase open : cases) {
                checkGoesOn(new OpenCase(restarted.platform(), open.caseId(), open.claimant(), open.colleague(), open.observer(),
                        open.respondent(), open.manager(), open.arbitrator(), open.outsider()), round);
            }
        }

        private Map<String, String> states(Connection sql) throws SQLException {
            Map<String, String> states = new HashMap<>();
            try (PreparedStatement statement = sql.prepareStatement("select filing_id, state from mainapi.filings where case_id = any(?)")) {
                statement.setArray(1, sql.createArrayOf("uuid", cases.stream().map(open -> UUID.fromString(open.caseId())).toArray()));
                ResultSet rows = statement.executeQuery();
                while (rows.next()) {
                    states.put(rows.getString(1), rows.getString(2));
                }
            }
            return states;
        }

        /** The chain holds, and the next entry has the next number. */
        private static void checkGoesOn(OpenCase open, String round) {
            JsonArray before = open.docket(open.claimant());
            String filing = open.draft(open.manager(), "noticeToParties");
            assertThat(open.document("submit", open.manager(), filing).status()).as(round).isEqualTo(200);
            String entryId = open.view(open.manager(), filing).getString("entryID");
            JsonObject entry = open.on("/api/docket/entries/view", open.claimant(), new JsonObject().put("entryID", entryId)).object();
            assertThat(entry.getInteger("number")).as(round).isEqualTo(before.size() + 1);
            JsonObject proof = open.on("/api/docket/verify", open.claimant(), new JsonObject()).object();
            assertThat(proof.getBoolean("valid")).as(round).isTrue();
            assertThat(proof.getInteger("entries")).as(round).isEqualTo(before.size() + 1);
        }
    }
}
