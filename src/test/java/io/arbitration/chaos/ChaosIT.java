package io.arbitration.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Await;
import io.arbitration.mainapi.DocketInvariants;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills, pauses and disconnects nodes while they answer requests, and restarts their database. Afterwards every acknowledged entry must be
 * on its docket exactly once, and its webhook, Kafka record and alerts must have arrived. In a run of all tests each fault happens once.
 * {@code ./acp bench chaos} runs it for longer: {@code -Dchaos.minutes}; {@code -Dchaos.seed} repeats the faults of another run;
 * {@code -Dchaos.network=loopback} does without network namespaces.
 */
class ChaosIT {

    private static final double MINUTES = Double.parseDouble(System.getProperty("chaos.minutes", "0"));
    private static final long SEED = Long.getLong("chaos.seed", System.nanoTime() & 0xffff);
    private static final boolean LONG = MINUTES > 0;
    private static final int NODES = 3;
    private static final int WORKERS = 6;
    /** Cases at once in which clients get into each other's way. */
    private static final int CONTENTIONS = 2;
    private static final Duration BETWEEN = Duration.ofMillis(LONG ? 300 : 200);
    private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(LONG ? 0 : 300);
    private static final int ENTRIES_PER_CASE = 300;
    private static final Map<String, Integer> ALLOWED = Map.of("noticeToParties", 500);
    private static final Duration WITHOUT_SERVICE_MOST = Duration.ofSeconds(5);
    private static final double IDLE_MEGABYTES_MOST = 300;
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(60);

    private enum Fault { KILL, PAUSE, CUT, DATABASE }

    /** A fault, and for how long the client then got no answer. */
    private record Outcome(Fault fault, String what, Duration silence, Duration longestRequest) {}

    record Person(String id, String token) {}

    /** Whose cases they are, who manages them, and who appoints her. */
    record People(Person claimant, Person manager, Person administrator) {}

    private record Prepared(People people, List<Case> cases) {}

    private record Case(String id, Person manager) {}

    private record Docketed(String caseId, String filingId) {}

    @TempDir
    private Path folder;

    private final Random random = new Random(SEED);
    private final Queue<Docketed> acknowledged = new ConcurrentLinkedQueue<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final AtomicInteger lookedUp = new AtomicInteger();
    private final AtomicInteger draftsUnnamed = new AtomicInteger();
    private final History history = new History();
    private volatile boolean over;

    @Test
    void whateverHappensToOneNodeOrTheDatabaseNothingIsLostAndTheOthersAnswer() throws Exception {
        long began = System.nanoTime();
        // Also where the process is told to end in the middle of it.
        Thread told = new Thread(() -> System.out.printf("chaos: ended from outside after %.0f s, seed %d, %d faults, %d entries acknowledged; nothing was judged%n",
                seconds(Duration.ofNanos(System.nanoTime() - began)), SEED, outcomes.size(), acknowledged.size()));
        Runtime.getRuntime().addShutdownHook(told);
        try {
            play();
            System.out.printf("chaos: all of it held, after %.0f s%n", seconds(Duration.ofNanos(System.nanoTime() - began)));
        } catch (Throwable failed) {
            System.out.printf("chaos: FAILED after %.0f s, seed %d, %d faults, %d entries acknowledged: %s%n", seconds(Duration.ofNanos(System.nanoTime() - began)), SEED,
                    outcomes.size(), acknowledged.size(), failed);
            throw failed;
        } finally {
            over = true;
            Runtime.getRuntime().removeShutdownHook(told);
        }
    }

    private void play() throws Exception {
        try (Site site = Site.open(Files.createDirectories(folder.resolve("site")), NODES);
                Client client = new Client(java.util.stream.IntStream.range(0, NODES).mapToObj(site::url).toList())) {
            for (int node = 0; node < NODES; node++) {
                double megabytes = site.node(node).residentMegabytes();
                System.out.printf("node %d: %.0f MB resident before any request%n", node, megabytes);
                assertThat(megabytes).isLessThan(IDLE_MEGABYTES_MOST);
            }
            Prepared prepared = prepare(client, site);
            List<Case> cases = prepared.cases();
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                List<Case> own = cases.subList(worker * cases.size() / WORKERS, (worker + 1) * cases.size() / WORKERS);
                workers.add(CompletableFuture.runAsync(() -> file(client, own), Thread::startVirtualThread));
            }
            for (int contending = 0; contending < CONTENTIONS; contending++) {
                Contention contention = new Contention(client, prepared.people(), history, random.nextLong());
                workers.add(CompletableFuture.runAsync(() -> contention.play(this::overAfterAPause), Thread::startVirtualThread));
            }
            long began = System.nanoTime();
            faults(site, client);
            over = true;
            CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new)).get(150, TimeUnit.SECONDS);
            report(site, client, cases, Duration.ofNanos(System.nanoTime() - began));
            judge();
        }
    }

    /** Whether all that clients were answered about the same filings is right in one order; and that the judge sees what is not. */
    private void judge() throws Exception {
        Optional<Path> judge = History.judge();
        if (judge.isEmpty()) {
            return;
        }
        List<JsonObject> operations = history.operations();
        History.Judgment judgment = History.judged(judge.get(), folder.resolve("history.jsonl"), operations);
        System.out.println("histories of cases that clients fought over: " + judgment.said());
        assertThat(judgment.code()).as(judgment.said()).isZero();
        assertThat(operations).hasSizeGreaterThan(100);
        List<JsonObject> wrong = History.wrong(operations).orElseThrow();
        assertThat(History.judged(judge.get(), folder.resolve("wrong.jsonl"), wrong).code()).as("a docket that goes back is noticed").isEqualTo(1);
    }

    // ---- Requests --------------------------------------------------------------------------------------------------

    private static Prepared prepare(Client client, Site site) {
        Person administrator = person(client, "admin@demo.example");
        String email = "clara-%s@example.org".formatted(UUID.randomUUID());
        client.post("/auth/organizations/create", new JsonObject().put("name", "Cranes Ltd"), person(client, email).token());
        Person claimant = person(client, email);
        Person manager = person(client, "maya-%s@example.org".formatted(UUID.randomUUID()));
        client.post("/webhooks/urls/create", new JsonObject().put("url", site.receiver().url()).put("events", new JsonArray().add("docket_filing")), claimant.token());
        int perWorker = 1 + (int) (MINUTES * 60_000 / BETWEEN.toMillis() / ENTRIES_PER_CASE);
        List<Case> cases = new ArrayList<>();
        for (int i = 0; i < WORKERS * perWorker; i++) {
            String caseId = client.post("/cases/cases/create", new JsonObject().put("title", "Cranes v. Quarry").put("ruleSet", "commercial"), claimant.token())
                    .getString("caseID");
            client.post("/cases/cases/participants/add", new JsonObject().put("caseID", caseId).put("userID", manager.id()).put("partyID", "caseManager"),
                    administrator.token());
            cases.add(new Case(caseId, manager));
        }
        return new Prepared(new People(claimant, manager, administrator), cases);
    }

    private static Person person(Client client, String email) {
        JsonObject demo = new JsonObject().put("email", email).put("first_name", "Some").put("last_name", "Body");
        String idToken = client.post("/auth/demo/id-token", demo, null).getString("idToken");
        String token = client.post("/auth/authenticate/demo", new JsonObject().put("idToken", idToken), null).getString("accessToken");
        return new Person(client.post("/auth/users/me", new JsonObject(), token).getString("id"), token);
    }

    /** Submits notices, one after the other, in the cases of one worker. A notice is docketed at once. */
    private void file(Client client, List<Case> cases) {
        for (int entry = 0; !over && entry < cases.size() * ENTRIES_PER_CASE; entry++) {
            Case here = cases.get(entry % cases.size());
            Optional<String> filingId = draft(client, here);
            if (filingId.isPresent()) {
                submit(client, here, filingId.get());
                acknowledged.add(new Docketed(here.id(), filingId.get()));
            }
            Await.elapsed(BETWEEN);
        }
    }

    /** Makes a draft. Empty when it was made but the answer with its id was lost: the repeated request is answered 409 and makes no second draft. */
    private Optional<String> draft(Client client, Case here) {
        try {
            return Optional.of(client.post("/api/filings/create", new JsonObject().put("caseID", here.id()).put("documentID", "noticeToParties")
                    .put("fields", new JsonObject().put("subject", "Housekeeping").put("body", "Please number your exhibits.")), here.manager().token())
                    .getString("filingID"));
        } catch (Client.Refused refused) {
            if (!refused.answerLost()) {
                throw refused;
            }
            draftsUnnamed.incrementAndGet();
            return Optional.empty();
        }
    }

    /**
     * Submits a draft. The answer may be lost although the submission was committed, because the node or the database failed at that
     * moment. The next attempt is then refused because the filing is docketed; a client finds that by reading the filing.
     */
    private void submit(Client client, Case here, String filingId) {
        JsonObject filing = new JsonObject().put("caseID", here.id()).put("filingID", filingId);
        try {
            client.post("/api/filings/documents/submit", filing, here.manager().token());
        } catch (Client.Refused refused) {
            if (!refused.repeated() || !client.post("/api/filings/view", filing, here.manager().token()).getString("state").equals("docketed")) {
                throw refused;
            }
            lookedUp.incrementAndGet();
        }
    }

    /** Asked between rounds of clients who get into each other's way: without a pause they alone would take the processors from all other tests. */
    private boolean overAfterAPause() {
        Await.elapsed(BETWEEN_ROUNDS);
        return over;
    }

    // ---- Faults ----------------------------------------------------------------------------------------------------

    private void faults(Site site, Client client) throws Exception {
        List<Fault> possible = site.network().canCut() ? List.of(Fault.values()) : List.of(Fault.KILL, Fault.PAUSE, Fault.DATABASE);
        long end = System.nanoTime() + (long) (MINUTES * 60e9);
        rest(1);
        if (!LONG) {
            for (Fault fault : possible) {
                one(fault, site, client);
            }
            return;
        }
        while (System.nanoTime() < end) {
            one(possible.get(random.nextInt(possible.size())), site, client);
        }
    }

    private void one(Fault fault, Site site, Client client) throws Exception {
        int node = random.nextInt(site.count());
        long from = System.nanoTime();
        String what = switch (fault) {
            case KILL -> {
                site.node(node).kill();
                site.node(node).awaitEnd();
                rest(LONG ? random.nextInt(8) : 1);
                site.start(node);
                yield "node %d killed and started again".formatted(node);
            }
            case PAUSE -> {
                int seconds = LONG ? 5 + random.nextInt(56) : 5;
                site.node(node).suspend();
                rest(seconds);
                site.node(node).resume();
                yield "node %d stopped for %d s".formatted(node, seconds);
            }
            case CUT -> {
                int seconds = LONG ? 5 + random.nextInt(30) : 5;
                site.network().connect(node, false);
                rest(seconds);
                site.network().connect(node, true);
                yield "node %d cut off for %d s".formatted(node, seconds);
            }
            case DATABASE -> {
                site.restartDatabase();
                yield "database restarted";
            }
        };
        site.awaitWell();
        rest(1);
        outcomes.add(new Outcome(fault, what, silence(client, from), longest(client, from)));
        Outcome outcome = outcomes.getLast();
        System.out.printf("%-40s without any answer for %.2f s, longest request %.2f s%n", what, seconds(outcome.silence()), seconds(outcome.longestRequest()));
    }

    private static void rest(int seconds) {
        Await.elapsed(Duration.ofSeconds(seconds));
    }

    /** The longest time between two answers since the given moment. */
    private static Duration silence(Client client, long since) {
        long last = since;
        long longest = 0;
        for (long at : client.done().stream().mapToLong(Client.Done::at).filter(at -> at > since).sorted().toArray()) {
            longest = Math.max(longest, at - last);
            last = at;
        }
        return Duration.ofNanos(Math.max(longest, System.nanoTime() - last));
    }

    /** The longest time of a request, including its repetitions. */
    private static Duration longest(Client client, long since) {
        return Duration.ofNanos(client.done().stream().filter(done -> done.at() > since).mapToLong(done -> done.at() - done.from()).max().orElse(0));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    // ---- Afterwards ------------------------------------------------------------------------------------------------

    private void report(Site site, Client client, List<Case> cases, Duration took) throws Exception {
        try (Connection sql = site.sql()) {
            Set<String> docketed = texts(sql, "select filing_id::text from mainapi.entries");
            List<String> lost = acknowledged.stream().map(Docketed::filingId).filter(id -> !docketed.contains(id)).toList();
            List<String> violations = new ArrayList<>();
            for (Case one : cases) {
                violations.addAll(DocketInvariants.violations(sql, one.id(), ALLOWED));
            }
            sql.setAutoCommit(true);
            Set<String> events = texts(sql, "select event_id::text from platform.events where event = 'docket_filing'");
            List<String> hooked = awaitWebhooks(site, events);
            List<ConsumerRecord<String, String>> topic = site.kafka().read("docket_filing", records -> ids(records).containsAll(events));
            List<String> published = topic.stream().map(ChaosIT::id).toList();
            String untold = """
                    select e.event_id::text from platform.events e
                    where e.event = 'docket_filing' and not exists (
                      select from alerts.alerts a where a.sequence = e.sequence and a.channel = 'email' and a.state = 'told')
                    """;
            Await.until("everybody is alerted by email", TOLD_WITHIN, () -> texts(sql, untold).isEmpty());
            Duration silence = outcomes.stream().map(Outcome::silence).max(Duration::compareTo).orElseThrow();
            Duration longest = outcomes.stream().map(Outcome::longestRequest).max(Duration::compareTo).orElseThrow();
            System.out.printf("seed %d, %d nodes%s, %.0f s, faults %s%n", SEED, NODES, site.network().canCut() ? " in network namespaces" : " on loopback",
                    seconds(took), outcomes.stream().collect(Collectors.groupingBy(Outcome::fault, java.util.TreeMap::new, Collectors.counting())));
            System.out.printf("%d requests answered, %d sent again; %d entries acknowledged, %d of them as already done, %d lost%n", client.done().size(),
                    client.again(), acknowledged.size(), lookedUp.get(), lost.size());
            int drafted = texts(sql, "select filing_id::text from mainapi.filings where document_id = 'noticeToParties'").size();
            System.out.printf("%d drafts made, %d of them with an answer that was lost, %d twice%n", drafted, draftsUnnamed.get(),
                    drafted - acknowledged.size() - draftsUnnamed.get());
            System.out.printf("%d entries in %d cases: %d violations (numbers missing or twice, chain, events, trail)%n", docketed.size(), cases.size(), violations.size());
            System.out.printf("%d events: webhook %d missing, %d repeats; Kafka %d missing, %d repeats; alerts %d missing%n", events.size(),
                    missing(events, hooked), hooked.size() - new HashSet<>(hooked).size(), missing(events, published),
                    published.size() - new HashSet<>(published).size(), texts(sql, untold).size());
            System.out.printf("longest without any answer %.2f s (target ≤ %d s), longest request with its repetitions %.2f s%n", seconds(silence),
                    WITHOUT_SERVICE_MOST.toSeconds(), seconds(longest));
            assertThat(client.wrong()).as("answers that no fault explains").isEmpty();
            assertThat(lost).as("acknowledged and not there").isEmpty();
            assertThat(drafted).as("a request that is sent again makes no other draft").isEqualTo(acknowledged.size() + draftsUnnamed.get());
            assertThat(violations).isEmpty();
            assertThat(acknowledged).isNotEmpty().doesNotHaveDuplicates();
            assertThat(hooked).containsAll(events);
            assertThat(outOfOrder(topic)).as("entries that Kafka has behind a later one of their case").isEmpty();
            assertThat(texts(sql, untold)).isEmpty();
            assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.silence()).as(outcome.what()).isLessThanOrEqualTo(WITHOUT_SERVICE_MOST));
        }
    }

    private static long missing(Set<String> wanted, List<String> there) {
        Set<String> found = new HashSet<>(there);
        return wanted.stream().filter(id -> !found.contains(id)).count();
    }

    private static List<String> awaitWebhooks(Site site, Set<String> events) {
        Await.until("every event is delivered", TOLD_WITHIN, () -> webhookIds(site).containsAll(events));
        return webhookIds(site);
    }

    private static List<String> webhookIds(Site site) {
        return site.receiver().all().stream().map(received -> received.header("webhook-id")).toList();
    }

    private static String id(ConsumerRecord<String, String> record) {
        return new String(record.headers().lastHeader("id").value(), java.nio.charset.StandardCharsets.UTF_8);
    }

    /** Checks the order of the first publication of each event. A repetition may come out of order. */
    private static List<String> outOfOrder(List<ConsumerRecord<String, String>> topic) {
        Set<String> seen = new HashSet<>();
        Map<String, Long> last = new HashMap<>();
        List<String> found = new ArrayList<>();
        for (ConsumerRecord<String, String> record : topic) {
            long entry = Long.parseLong(new JsonObject(record.value()).getJsonObject("data").getString("entryID"));
            Long before = seen.add(id(record)) ? last.put(record.key(), entry) : null;
            if (before != null && before > entry) {
                found.add("%s: %d behind %d".formatted(record.key(), entry, before));
            }
        }
        return found;
    }

    private static Set<String> ids(List<ConsumerRecord<String, String>> records) {
        return records.stream().map(ChaosIT::id).collect(Collectors.toSet());
    }

    private static Set<String> texts(Connection sql, String query) throws SQLException {
        try (ResultSet rows = sql.createStatement().executeQuery(query)) {
            Set<String> texts = new HashSet<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }
}
