package io.arbitration.chaos;

import io.arbitration.OpenCase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Clients that submit, approve and withdraw the same filings of the same case at once, and list its docket, again and again in a new
 * case, so that most of them come too late. What each was answered is kept in a history.
 */
final class Contention {

    private static final int CLIENTS = 4;
    private static final int FILINGS = 5;
    private static final int OPERATIONS_EACH = 12;
    private static final int ROUNDS_MAX = 2000;
    private static final String DOCUMENT = OpenCase.APPROVED_DOCUMENT;

    private final Client client;
    private final ChaosIT.People people;
    private final History history;
    private final Random random;
    private final AtomicInteger names = new AtomicInteger();

    Contention(Client client, ChaosIT.People people, History history, long seed) {
        this.client = client;
        this.people = people;
        this.history = history;
        this.random = new Random(seed);
    }

    /** Plays round after round until it is over. */
    void play(BooleanSupplier over) {
        for (int round = 0; round < ROUNDS_MAX && !over.getAsBoolean(); round++) {
            round();
        }
    }

    private void round() {
        String caseId = client.settled("/cases/cases/create", new JsonObject().put("title", "Cranes v. Quarry").put("ruleSet", "commercial"), people.claimant().token(),
                answer -> answer.getString("caseID"));
        client.outcome("/cases/cases/participants/add", new JsonObject().put("caseID", caseId).put("userID", people.manager().id()).put("partyID", "caseManager"),
                people.administrator().token(), Set.of());
        List<String> filings = new ArrayList<>();
        for (int i = 0; i < FILINGS; i++) {
            filings.add(client.settled("/api/filings/create", new JsonObject().put("caseID", caseId).put("documentID", DOCUMENT)
                    .put("fields", OpenCase.completeFields(DOCUMENT)), people.claimant().token(), answer -> answer.getString("filingID")));
        }
        CompletableFuture.allOf(java.util.stream.IntStream.range(0, CLIENTS).mapToObj(one -> {
            long seed = random.nextLong();
            int name = names.getAndIncrement();
            return CompletableFuture.runAsync(() -> act(caseId, filings, name, new Random(seed)), Thread::startVirtualThread);
        }).toArray(CompletableFuture[]::new)).join();
    }

    private void act(String caseId, List<String> filings, int name, Random own) {
        for (int i = 0; i < OPERATIONS_EACH; i++) {
            String filing = filings.get(own.nextInt(filings.size()));
            switch (own.nextInt(8)) {
                case 0, 1, 2 -> decide(caseId, name, "submit", filing, people.claimant());
                case 3, 4 -> decide(caseId, name, "approve", filing, people.manager());
                case 5 -> decide(caseId, name, "withdraw", filing, people.claimant());
                default -> list(caseId, name, own.nextBoolean() ? people.claimant() : people.manager());
            }
        }
    }

    private void decide(String caseId, int name, String operation, String filing, ChaosIT.Person by) {
        history.ask(caseId, name, operation, filing, () -> new JsonObject().put("outcome",
                client.outcome("/api/filings/documents/" + operation, new JsonObject().put("caseID", caseId).put("filingID", filing), by.token(), Set.of(404, 409))));
    }

    private void list(String caseId, int name, ChaosIT.Person by) {
        history.ask(caseId, name, "list", "", () -> {
            JsonArray docket = new JsonArray();
            client.post("/api/docket/entries/list", new JsonObject().put("caseID", caseId), by.token()).getJsonArray("entries")
                    .forEach(entry -> docket.add(((JsonObject) entry).getString("filingID")));
            return new JsonObject().put("outcome", "ok").put("docket", docket);
        });
    }
}
