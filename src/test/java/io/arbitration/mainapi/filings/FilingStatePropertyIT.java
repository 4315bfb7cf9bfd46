package io.arbitration.mainapi.filings;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.arbitration.TestFolders;
import io.arbitration.mainapi.DocketInvariants;
import io.arbitration.mainapi.filings.FilingModel.Act;
import io.arbitration.mainapi.filings.FilingModel.Kind;
import io.arbitration.mainapi.filings.FilingModel.Request;
import io.arbitration.mainapi.filings.FilingModel.Who;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Random requests of every kind of caller, legal and not, against {@link FilingModel}: one after the other each must be
 * answered as the model says, and those fired at once must be answered, and leave the case, as some order of them would.
 * How many runs: {@code -Djqwik.tries.default}.
 */
class FilingStatePropertyIT {

    private static final OpenCase PEOPLE = OpenCase.on(RunningPlatform.shared());
    private static RunningPlatform sibling;

    enum What { CREATE, UPDATE, SUBMIT, WITHDRAW, APPROVE, REJECT, ADVANCE, CLOSE }

    enum Match { NONE, CURRENT, STALE }

    /**
     * What somebody is up to, before it is known what there is.
     *
     * @param which filing, counted from the first, round and round; negative: from the last
     * @param supersedes entry that a new filing is to take the place of, counted the same way; negative for none
     */
    record Deed(Who who, What what, int which, Kind kind, boolean complete, Match match, int supersedes) {
        @Override
        public String toString() {
            return switch (what) {
                case CREATE -> "%s CREATE %s%s%s".formatted(who, kind, complete ? "" : " incomplete", supersedes < 0 ? "" : " superseding " + supersedes);
                case UPDATE -> "%s UPDATE %d%s%s".formatted(who, which, complete ? "" : " incomplete", match == Match.NONE ? "" : " " + match);
                case SUBMIT, WITHDRAW, APPROVE, REJECT -> "%s %s %d%s".formatted(who, what, which, match == Match.NONE ? "" : " " + match);
                case ADVANCE, CLOSE -> what.name();
            };
        }
    }

    @Provide
    Arbitrary<Deed> deed() {
        Arbitrary<Who> who = Arbitraries.frequency(Tuple.of(6, Who.CLAIMANT), Tuple.of(3, Who.COLLEAGUE), Tuple.of(1, Who.OBSERVER),
                Tuple.of(4, Who.RESPONDENT), Tuple.of(6, Who.MANAGER), Tuple.of(1, Who.OUTSIDER));
        Arbitrary<What> what = Arbitraries.frequency(Tuple.of(60, What.CREATE), Tuple.of(35, What.UPDATE), Tuple.of(80, What.SUBMIT),
                Tuple.of(25, What.WITHDRAW), Tuple.of(70, What.APPROVE), Tuple.of(30, What.REJECT), Tuple.of(4, What.ADVANCE), Tuple.of(1, What.CLOSE));
        Arbitrary<Kind> kind = Arbitraries.frequency(Tuple.of(6, Kind.LETTER), Tuple.of(4, Kind.REPRESENTATION), Tuple.of(4, Kind.CLAIM),
                Tuple.of(6, Kind.SETTLEMENT), Tuple.of(2, Kind.CLAIM_WITHDRAWAL), Tuple.of(2, Kind.NOTICE), Tuple.of(1, Kind.ANSWER));
        Arbitrary<Boolean> complete = Arbitraries.frequency(Tuple.of(9, true), Tuple.of(1, false));
        Arbitrary<Match> match = Arbitraries.frequency(Tuple.of(6, Match.NONE), Tuple.of(3, Match.CURRENT), Tuple.of(1, Match.STALE));
        return Combinators.combine(who, what, Arbitraries.integers().between(0, 7), kind, complete, match, Arbitraries.integers().between(-4, 2))
                .as(FilingStatePropertyIT::plausible);
    }

    /** Decisions mostly come from who may decide and drafts from who may draft, or nearly every run would end with the first refusal. */
    private static Deed plausible(Who who, What what, int which, Kind kind, boolean complete, Match match, int supersedes) {
        boolean decides = what == What.APPROVE || what == What.REJECT;
        Who likely = decides && which % 4 != 0 ? Who.MANAGER : who;
        return new Deed(likely, what, which, kind, complete, match, supersedes);
    }

    @Provide
    Arbitrary<List<Deed>> sequences() {
        return deed().list().ofMinSize(1).ofMaxSize(50);
    }

    @Provide
    Arbitrary<List<List<Deed>>> volleys() {
        Arbitrary<List<List<Deed>>> melee = deed().list().ofMinSize(1).ofMaxSize(6).map(List::of);
        return Arbitraries.frequencyOf(Tuple.of(4, melee), Tuple.of(1, contest()))
                .list().ofMinSize(1).ofMaxSize(10)
                .map(acts -> acts.stream().flatMap(List::stream).toList());
    }

    /** One side wants the same several times, each step at once: who comes first uses up the quota and supersedes the entry. */
    private Arbitrary<List<List<Deed>>> contest() {
        Arbitrary<Kind> kind = Arbitraries.of(Kind.CLAIM, Kind.SETTLEMENT, Kind.LETTER, Kind.REPRESENTATION);
        return Combinators.combine(kind, Arbitraries.integers().between(2, 5), Arbitraries.integers().between(-1, 1))
                .as((what, times, supersedes) -> Stream.of(What.CREATE, What.SUBMIT, What.APPROVE)
                        .map(step -> IntStream.rangeClosed(1, times)
                                .mapToObj(i -> new Deed(step == What.APPROVE ? Who.MANAGER : Who.CLAIMANT, step, -i, what, true, Match.NONE, supersedes))
                                .toList())
                        .toList());
    }

    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void requestsOneAfterTheOtherAreAnsweredAsTheModelSays(@ForAll("sequences") List<Deed> deeds) throws Exception {
        new Run(List.of(RunningPlatform.shared())).play(deeds.stream().map(List::of).toList());
    }

    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void requestsAtOnceAreAnsweredAsInSomeOrder(@ForAll("volleys") List<List<Deed>> volleys) throws Exception {
        new Run(List.of(RunningPlatform.shared())).play(volleys);
    }

    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void requestsAtOnceToTwoNodesAreAnsweredAsInSomeOrder(@ForAll("volleys") List<List<Deed>> volleys) throws Exception {
        new Run(List.of(RunningPlatform.shared(), sibling())).play(volleys);
    }

    private static RunningPlatform sibling() throws IOException {
        if (sibling == null) {
            sibling = RunningPlatform.shared().sibling(TestFolders.create("sibling-"));
        }
        return sibling;
    }

    @AfterContainer
    static void closeSibling() {
        if (sibling != null) {
            sibling.close();
            sibling = null;
        }
    }

    /** One case, played from its creation. */
    private static final class Run {

        private final List<RunningPlatform> nodes;
        private final OpenCase open = PEOPLE.another();
        private final Map<Integer, String> filingIds = new TreeMap<>();
        private final List<String> history = new ArrayList<>();
        private int slots;

        Run(List<RunningPlatform> nodes) {
            this.nodes = nodes;
        }

        void play(List<List<Deed>> volleys) throws Exception {
            FilingModel model = FilingModel.EMPTY;
            for (List<Deed> volley : volleys) {
                List<Request> requests = requests(model, volley);
                List<String> answers = fire(requests);
                history.add(requests + " → " + answers);
                model = explanation(model, requests, answers);
            }
            check(model);
        }

        private List<Request> requests(FilingModel model, List<Deed> deeds) {
            List<Request> requests = new ArrayList<>();
            boolean advanced = false;
            for (Deed deed : deeds) {
                if (deed.what == What.ADVANCE && (advanced || model.phase() == FilingModel.PHASES.size() - 1)) {
                    continue;
                }
                advanced |= deed.what == What.ADVANCE;
                requests.add(request(model, deed));
            }
            return requests;
        }

        private Request request(FilingModel model, Deed deed) {
            List<Integer> known = List.copyOf(model.papers().keySet());
            int slot = known.isEmpty() ? -1 : known.get(Math.floorMod(deed.which, known.size()));
            Long ifMatch = slot < 0 ? null : switch (deed.match) {
                case NONE -> null;
                case CURRENT -> Long.valueOf(model.papers().get(slot).revision());
                case STALE -> Long.valueOf(model.papers().get(slot).revision() + 1);
            };
            return switch (deed.what) {
                case CREATE -> new Request.Create(deed.who, deed.kind, deed.complete, deed.supersedes < 0 || model.docket().isEmpty() ? null
                        : model.docket().get(deed.supersedes % model.docket().size()), slots++);
                case UPDATE -> new Request.Update(deed.who, slot, slot < 0 ? null : model.papers().get(slot).kind(), deed.complete, ifMatch);
                case SUBMIT -> new Request.Move(deed.who, Act.SUBMIT, slot, ifMatch);
                case WITHDRAW -> new Request.Move(deed.who, Act.WITHDRAW, slot, ifMatch);
                case APPROVE -> new Request.Move(deed.who, Act.APPROVE, slot, ifMatch);
                case REJECT -> new Request.Move(deed.who, Act.REJECT, slot, ifMatch);
                case ADVANCE -> new Request.Advance();
                case CLOSE -> new Request.Close();
            };
        }

        /** Sends all of them at once, each from a thread of its own. */
        private List<String> fire(List<Request> requests) {
            CyclicBarrier together = new CyclicBarrier(Math.max(1, requests.size()));
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < requests.size(); i++) {
                Request request = requests.get(i);
                RunningPlatform node = nodes.get(i % nodes.size());
                answers.add(CompletableFuture.supplyAsync(() -> {
                    try {
                        together.await();
                    } catch (Exception interrupted) {
                        throw new IllegalStateException(interrupted);
                    }
                    return send(node, request);
                }, Thread::startVirtualThread));
            }
            List<String> told = new ArrayList<>();
            for (int i = 0; i < requests.size(); i++) {
                told.add(told(requests.get(i), answers.get(i).join()));
            }
            return told;
        }

        private String told(Request request, Answer answer) {
            if (answer.status() != 200) {
                return answer.status() + " " + answer.header("Error-Code");
            }
            return switch (request) {
                case Request.Create create -> {
                    filingIds.put(create.slot(), answer.object().getString("filingID"));
                    yield "200 revision " + answer.object().getLong("revision");
                }
                case Request.Update update -> "200 revision " + answer.object().getLong("revision");
                case Request.Move move -> "200";
                case Request.Advance() -> "200";
                case Request.Close() -> "200";
            };
        }

        private Answer send(RunningPlatform node, Request request) {
            JsonObject body = new JsonObject().put("caseID", open.caseId());
            return switch (request) {
                case Request.Create create -> node.post("/api/filings/create", body
                        .put("documentID", create.kind().documentId)
                        .put("fields", fields(create.kind(), create.complete()))
                        .mergeIn(create.supersedes() == null ? new JsonObject() : new JsonObject().put("supersedes", entryId(create.supersedes()))),
                        person(create.who()).token());
                case Request.Update update -> node.post("/api/filings/update", body
                        .put("filingID", filingId(update.slot()))
                        .put("fields", update.kind() == null ? new JsonObject() : fields(update.kind(), update.complete())),
                        person(update.who()).token(), ifMatch(update.ifMatch()));
                case Request.Move move -> node.post("/api/filings/documents/" + move.verb().name().toLowerCase(), body
                        .put("filingID", filingId(move.slot()))
                        .mergeIn(move.verb() == Act.REJECT ? new JsonObject().put("reason", "No.") : new JsonObject()),
                        person(move.who()).token(), ifMatch(move.ifMatch()));
                case Request.Advance() -> node.post("/cases/cases/phases/advance", body, person(Who.MANAGER).token());
                case Request.Close() -> node.post("/cases/cases/close", body.put("reason", "settled"), person(Who.MANAGER).token());
            };
        }

        private String filingId(int slot) {
            return slot < 0 ? "999999999999" : filingIds.get(slot);
        }

        private String entryId(int slot) {
            return open.view(open.claimant(), filingIds.get(slot)).getString("entryID");
        }

        private static String[] ifMatch(Long revision) {
            return revision == null ? new String[0] : new String[] {"If-Match", "\"" + revision + "\""};
        }

        private static JsonObject fields(Kind kind, boolean complete) {
            return complete ? OpenCase.completeFields(kind.documentId) : new JsonObject();
        }

        private Person person(Who who) {
            return switch (who) {
                case CLAIMANT -> open.claimant();
                case COLLEAGUE -> open.colleague();
                case OBSERVER -> open.observer();
                case RESPONDENT -> open.respondent();
                case MANAGER -> open.manager();
                case OUTSIDER -> open.outsider();
            };
        }

        /** The model after some order of the requests that gives these answers and what is stored; fails when there is none. */
        private FilingModel explanation(FilingModel model, List<Request> requests, List<String> answers) throws SQLException {
            List<FilingModel> possible = new ArrayList<>();
            orders(model, requests, answers, 0, possible);
            List<Object> stored = requests.size() == 1 && possible.size() == 1 ? null : stored();
            Optional<FilingModel> found = possible.stream().filter(end -> stored == null || modelled(end).equals(stored)).findFirst();
            assertThat(found).as("an order that explains the last of%n%s%nstored: %s%npossible: %s", String.join("\n", history), stored,
                    possible.stream().map(this::modelled).distinct().toList()).isPresent();
            return found.get();
        }

        private static void orders(FilingModel model, List<Request> requests, List<String> answers, int done, List<FilingModel> ends) {
            if (done == (1 << requests.size()) - 1) {
                ends.add(model);
                return;
            }
            for (int i = 0; i < requests.size(); i++) {
                if ((done & 1 << i) == 0) {
                    FilingModel.Step step = model.step(requests.get(i));
                    if (step.answer().equals(answers.get(i))) {
                        orders(step.next(), requests, answers, done | 1 << i, ends);
                    }
                }
            }
        }

        /** Filings as text, docket, phase, open or not: once as modelled, once as stored. */
        private List<Object> modelled(FilingModel model) {
            Map<String, String> filings = new TreeMap<>();
            model.papers().forEach((slot, paper) -> filings.put(filingIds.get(slot), "%s %s %d %s %s".formatted(
                    paper.kind().documentId, paper.state().name().toLowerCase(), paper.revision(), paper.complete() ? "complete" : "incomplete",
                    FilingModel.PHASES.get(paper.phase()))));
            return List.of(filings, model.docket().stream().map(filingIds::get).toList(), FilingModel.PHASES.get(model.phase()), model.open() ? "open" : "closed");
        }

        private List<Object> stored() throws SQLException {
            try (Connection sql = RunningPlatform.shared().sql()) {
                Map<String, String> filings = new TreeMap<>();
                List<String> docket = new ArrayList<>();
                each(sql, "select filing_id, document_id, state, revision, fields = '{}', phase_id from mainapi.filings where case_id = ?", row ->
                        filings.put(row.getString(1), "%s %s %d %s %s".formatted(row.getString(2), row.getString(3), row.getLong(4),
                                row.getBoolean(5) ? "incomplete" : "complete", row.getString(6))));
                each(sql, "select filing_id from mainapi.entries where case_id = ? order by number", row -> docket.add(row.getString(1)));
                List<Object> all = new ArrayList<>(List.of(filings, docket));
                each(sql, "select phase_id, status from cases.cases where case_id = ?", row -> all.addAll(List.of(row.getString(1), row.getString(2))));
                return all;
            }
        }

        @FunctionalInterface
        private interface RowReader {
            void read(ResultSet row) throws SQLException;
        }

        private void each(Connection sql, String query, RowReader reader) throws SQLException {
            try (PreparedStatement statement = sql.prepareStatement(query)) {
                statement.setObject(1, UUID.fromString(open.caseId()));
                ResultSet rows = statement.executeQuery();
                while (rows.next()) {
                    reader.read(rows);
                }
            }
        }

        private void check(FilingModel model) throws SQLException {
            String played = String.join("\n", history);
            try (Connection sql = RunningPlatform.shared().sql()) {
                assertThat(DocketInvariants.violations(sql, open.caseId(), Kind.ALLOWED_PER_PHASE)).as(played).isEmpty();
            }
            assertThat(stored()).as(played).isEqualTo(modelled(model));
            for (RunningPlatform node : nodes) {
                JsonObject caseOnly = new JsonObject().put("caseID", open.caseId());
                JsonObject proof = node.post("/api/docket/verify", caseOnly, open.respondent().token()).object();
                assertThat(proof.getBoolean("valid")).as(played).isTrue();
                assertThat(proof.getInteger("entries")).as(played).isEqualTo(model.docket().size());
                assertThat(ids(node.post("/api/docket/entries/list", caseOnly, open.observer().token()), "entries")).as(played)
                        .isEqualTo(model.docket().stream().map(filingIds::get).toList());
            }
            for (Who who : Who.values()) {
                if (who != Who.OUTSIDER) {
                    assertThat(ids(open.on("/api/filings/list", person(who), new JsonObject().put("limit", 200)), "filings"))
                            .as("filings listed for %s%n%s", who, played).isEqualTo(visible(model, who));
                }
            }
        }

        private List<String> visible(FilingModel model, Who who) {
            return model.papers().entrySet().stream()
                    .filter(filing -> filing.getValue().isVisibleTo(who))
                    .map(filing -> filingIds.get(filing.getKey()))
                    .sorted(Comparator.<String, Long>comparing(Long::valueOf).reversed())
                    .toList();
        }

        private static List<String> ids(Answer answer, String list) {
            return answer.object().getJsonArray(list).stream().map(one -> ((JsonObject) one).getString("filingID")).toList();
        }
    }
}
