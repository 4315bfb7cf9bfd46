package io.arbitration.command.bench;

import io.arbitration.command.bench.BenchPeople.Person;
import io.arbitration.command.bench.FilledCases.Role;
import io.arbitration.command.bench.LoadGenerator.Request;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What is asked of a filled database. The callers are the people of cases drawn from all of them, as many in a small database as in a large
 * one: somebody's working set does not grow with the platform's.
 */
final class SizeOperations {

    private static final long SEED = 7;
    private static final String DIRECT = "certificateOfService";
    private static final String APPROVED = "letterToTribunal";

    private final BenchPeople people;
    private final FilledCases filled;
    private final List<Drawn> drawn = new ArrayList<>();
    private final Person institution;

    /** An open case, and those who act in it. */
    private record Drawn(int number, String caseId, Person claimant, Person manager) {

        JsonObject body() {
            return new JsonObject().put("caseID", caseId);
        }

        String lastEntry() {
            return String.valueOf(FilledCases.entryId(number, FilledCases.ENTRIES - 1));
        }
    }

    /**
     * One operation.
     *
     * @param requests makes so many requests; what they need is there before they are sent
     */
    record Operation(String name, Function<Integer, List<Request>> requests) {}

    SizeOperations(BenchPeople people, FilledCases filled, int cases) {
        this.people = people;
        this.filled = filled;
        this.institution = people.signIn("administrator@institution.example", "Ines", "Institution");
        SplittableRandom random = new SplittableRandom(SEED);
        Map<String, Person> known = new HashMap<>();
        while (drawn.size() < cases) {
            int number = random.nextInt(filled.cases());
            if (filled.isOpen(number)) {
                drawn.add(new Drawn(number, filled.caseId(number).toString(), signIn(known, Role.CLAIMANT, number), signIn(known, Role.MANAGER, number)));
            }
        }
    }

    private Person signIn(Map<String, Person> known, Role role, int number) {
        String email = FilledCases.Role.email(role, filled.personOf(role, number));
        return known.computeIfAbsent(email, of -> people.signIn(of, "Clara", "Filled"));
    }

    List<Operation> all() {
        List<Operation> all = new ArrayList<>(reads());
        all.addAll(ofTheInstitution());
        all.addAll(writes());
        return all;
    }

    private List<Operation> reads() {
        return List.of(
                ofClaimant("/cases/cases/list", (of, i) -> new JsonObject()),
                named("/cases/cases/list of a manager, closed", ofManager("/cases/cases/list", (of, i) -> new JsonObject().put("status", "closed"))),
                ofClaimant("/cases/cases/view", (of, i) -> of.body()),
                ofClaimant("/cases/cases/actions", (of, i) -> of.body()),
                ofClaimant("/cases/cases/participants/list", (of, i) -> of.body()),
                ofManager("/cases/cases/audit/list", (of, i) -> of.body()),
                ofManager("/cases/invitations/list", (of, i) -> of.body()),
                named("/cases/invitations/list to me", ofClaimant("/cases/invitations/list", (of, i) -> new JsonObject())),
                ofClaimant("/cases/deadlines/list", (of, i) -> of.body()),
                named("/cases/deadlines/list of a manager", ofManager("/cases/deadlines/list", (of, i) -> new JsonObject())),
                ofClaimant("/cases/deadlines/extensions/list", (of, i) -> of.body()),
                named("/cases/hearings/list of a manager", ofManager("/cases/hearings/list", (of, i) -> new JsonObject())),
                ofClaimant("/api/filings/list", (of, i) -> of.body()),
                ofClaimant("/api/filings/view", (of, i) -> of.body().put("filingID", of.lastEntry())),
                ofClaimant("/api/filings/receipt", (of, i) -> of.body().put("filingID", FilledCases.entryId(of.number, 0) + "")),
                ofManager("/api/filings/documents/pending-approval", (of, i) -> new JsonObject()),
                ofClaimant("/api/docket/entries/list", (of, i) -> of.body()),
                named("/api/docket/entries/list, filtered", ofClaimant("/api/docket/entries/list", (of, i) -> of.body().put("documentID", DIRECT).put("details", true))),
                named("/api/docket/entries/recent of a manager", ofManager("/api/docket/entries/recent",
                        (of, i) -> new JsonObject().put("since", filled.newest().minus(Duration.ofDays(60)).toString()))),
                ofClaimant("/api/docket/entries/view", (of, i) -> of.body().put("entryID", of.lastEntry())),
                ofClaimant("/api/docket/verify", (of, i) -> of.body()),
                ofClaimant("/api/evidence/uploads/list", (of, i) -> of.body()),
                ofClaimant("/api/service-of-notice/list", (of, i) -> of.body()),
                named("/api/search of a claimant", ofClaimant("/api/search", (of, i) -> new JsonObject().put("query", word(i)))),
                named("/api/search of a manager", ofManager("/api/search", (of, i) -> new JsonObject().put("query", word(i)))),
                named("/api/search in a case", ofManager("/api/search", (of, i) -> of.body().put("query", word(i)))),
                ofClaimant("/auth/users/me", (of, i) -> new JsonObject()),
                same("/auth/users/find", people.administrator(), i -> new JsonObject().put("email", Role.email(Role.CLAIMANT, filled.personOf(Role.CLAIMANT, of(i).number)))),
                ofClaimant("/auth/organizations/list", (of, i) -> new JsonObject()),
                ofClaimant("/auth/sessions/list", (of, i) -> new JsonObject()),
                ofClaimant("/profiles/users/public-profiles", (of, i) -> new JsonObject().put("userIDs", new JsonArray(
                        IntStream.range(0, 50).mapToObj(n -> FilledCases.userId(Role.CLAIMANT, filled.personOf(Role.CLAIMANT, of.number + n)).toString()).toList()))),
                ofClaimant("/alerts/preferences/view", (of, i) -> new JsonObject()),
                ofManager("/ai/analyses/list", (of, i) -> of.body()),
                ofClaimant("/push/web-push/list", (of, i) -> new JsonObject()));
    }

    /** One organization gets every event: its lists are as long as the platform is large. */
    private List<Operation> ofTheInstitution() {
        long last = filled.cases() * (long) FilledCases.ENTRIES;
        return List.of(
                same("/webhooks/urls/list", institution, i -> new JsonObject()),
                same("/webhooks/deliveries/list", institution, i -> new JsonObject()),
                named("/webhooks/deliveries/list, failed", same("/webhooks/deliveries/list", institution, i -> new JsonObject().put("state", "failed"))),
                same("/webhooks/events/list", institution, i -> new JsonObject().put("afterSequence", last * (i % 97) / 97)),
                named("/webhooks/events/list of a kind", same("/webhooks/events/list", institution, i -> new JsonObject().put("event", "case_closed"))),
                same("/auth/organizations/members/list", institution, i -> new JsonObject().put("organizationID", filled.institution().toString())),
                named("/cases/cases/list without a case manager", same("/cases/cases/list", people.administrator(), i -> new JsonObject().put("withoutCaseManager", true))),
                same("/auth/permissions/list", people.administrator(), i -> new JsonObject()));
    }

    private List<Operation> writes() {
        return List.of(
                new Operation("/auth/authenticate", count -> IntStream.range(0, count).mapToObj(i -> new Request(people.exchangePath(), null,
                        new JsonObject().put("idToken", people.idToken(Role.email(Role.CLAIMANT, filled.personOf(Role.CLAIMANT, of(i).number)))).encode())).toList()),
                new Operation("/cases/cases/create", count -> IntStream.range(0, count).mapToObj(i -> new Request("/cases/cases/create", of(i).claimant.token(),
                        new JsonObject().put("title", "Harbour %d v. Cranes".formatted(i)).put("ruleSet", "commercial").encode())).toList()),
                new Operation("/api/filings/create", count -> IntStream.range(0, count).mapToObj(i -> create(of(i), DIRECT)).toList()),
                new Operation("/api/filings/documents/submit, docketed", count -> people.all(count, i -> onFiling("submit", of(i), of(i).claimant, draft(of(i), DIRECT)))),
                new Operation("/api/filings/documents/approve", count -> people.all(count, i -> {
                    String filingId = draft(of(i), APPROVED);
                    people.post(onFiling("submit", of(i), of(i).claimant, filingId));
                    return onFiling("approve", of(i), of(i).manager, filingId);
                })),
                new Operation("/cases/hearings/create", count -> IntStream.range(0, count).mapToObj(i -> new Request("/cases/hearings/create", of(i).manager.token(), of(i).body()
                        .put("title", "Hearing %d".formatted(i)).put("start", Instant.now().plus(Duration.ofDays(100)).plusSeconds(i * 60L).toString().substring(0, 16) + ":00Z")
                        .put("durationMinutes", 60).put("timeZone", "UTC").encode())).toList()));
    }

    private Request create(Drawn of, String document) {
        JsonObject fields = document.equals(DIRECT)
                ? new JsonObject().put("documentServed", "The statement of claim").put("servedOn", "Counsel").put("serviceDate", "2026-11-20").put("signedBy", "Clara")
                : new JsonObject().put("subject", "Availability of the witnesses").put("body", "Both can attend.");
        return new Request("/api/filings/create", of.claimant.token(), of.body().put("documentID", document).put("title", "Certificate").put("fields", fields).encode());
    }

    private String draft(Drawn of, String document) {
        return ((JsonObject) people.post(create(of, document))).getString("filingID");
    }

    private static Request onFiling(String act, Drawn of, Person by, String filingId) {
        return new Request("/api/filings/documents/" + act, by.token(), of.body().put("filingID", filingId).encode());
    }

    private Drawn of(int i) {
        return drawn.get(i % drawn.size());
    }

    private static String word(int i) {
        return FilledCases.word(new SplittableRandom(SEED + i % 50));
    }

    private Operation ofClaimant(String path, BiFunction<Drawn, Integer, JsonObject> body) {
        return new Operation(path, count -> IntStream.range(0, count).mapToObj(i -> new Request(path, of(i).claimant.token(), body.apply(of(i), i).encode())).toList());
    }

    private Operation ofManager(String path, BiFunction<Drawn, Integer, JsonObject> body) {
        return new Operation(path, count -> IntStream.range(0, count).mapToObj(i -> new Request(path, of(i).manager.token(), body.apply(of(i), i).encode())).toList());
    }

    private static Operation same(String path, Person caller, Function<Integer, JsonObject> body) {
        return new Operation(path, count -> IntStream.range(0, count).mapToObj(i -> new Request(path, caller.token(), body.apply(i).encode())).toList());
    }

    private static Operation named(String name, Operation operation) {
        return new Operation(name, operation.requests);
    }
}
