package io.arbitration.mainapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.arbitration.Exported;
import io.arbitration.Form;
import io.arbitration.OpenCase;
import io.arbitration.RunningPlatform;
import io.arbitration.RunningPlatform.Answer;
import io.arbitration.RunningPlatform.Person;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;

/**
 * Nothing reaches anyone before they may see it. Everything that is filed or uploaded bears a mark of its own; after every step
 * of a random history each person looks everywhere (list, view, render, download, actions, audit, export), and the marks that
 * come back are compared with those that the model lets that person see.
 */
class PointInTimePropertyIT {

    private static final OpenCase PEOPLE = OpenCase.on(RunningPlatform.shared());
    private static final RunningPlatform PLATFORM = PEOPLE.platform();
    private static final Person ADMINISTRATOR = PLATFORM.administrator();
    private static final Person RITA = PLATFORM.signIn("rita-" + UUID.randomUUID() + "@example.org", "Rita", "Reader");
    private static final Person MONA = PLATFORM.signIn("mona-" + UUID.randomUUID() + "@example.org", "Mona", "Reader");
    private static final Pattern MARK = Pattern.compile("mark[0-9a-f]{12}");
    private static final List<String> PHASES = List.of("evidenceSubmissions", "evidenceExchange", "hearing");

    enum Who {
        CLAIMANT("claimant", false), COLLEAGUE("claimant", false), OBSERVER("claimant", true), RESPONDENT("respondent", false),
        RESPONDENT_OBSERVER("respondent", true), MANAGER("caseManager", false), MANAGER_OBSERVER("caseManager", true),
        ARBITRATOR("arbitrator", false), OUTSIDER("none", false), ADMINISTRATOR("none", false);

        private final String party;
        private final boolean observes;

        Who(String party, boolean observes) {
            this.party = party;
            this.observes = observes;
        }
    }

    enum What { LETTER, REPRESENTATION, UPDATE, SUBMIT, APPROVE, REJECT, WITHDRAW, UPLOAD, ADVANCE, COME_OR_GO, CLOSE }

    /** @param which of what there is, counted round and round from the last */
    record Deed(Who who, What what, int which) {
        @Override
        public String toString() {
            return "%s %s %d".formatted(who, what, which);
        }
    }

    enum State { DRAFT, SUBMITTED, REJECTED, WITHDRAWN, DOCKETED, UPLOADED }

    /** A filing or an upload. */
    private static final class Thing {
        private final String id;
        private final String mark;
        private final String party;
        private final boolean approved;
        private State state;
        private boolean wasSubmitted;
        private String entryId;

        Thing(String id, String mark, String party, boolean approved, State state) {
            this.id = id;
            this.mark = mark;
            this.party = party;
            this.approved = approved;
            this.state = state;
        }

        boolean isFiling() {
            return state != State.UPLOADED;
        }
    }

    @Provide
    Arbitrary<List<Deed>> histories() {
        Arbitrary<Who> who = Arbitraries.frequency(Tuple.of(6, Who.CLAIMANT), Tuple.of(2, Who.COLLEAGUE), Tuple.of(6, Who.RESPONDENT),
                Tuple.of(7, Who.MANAGER), Tuple.of(2, Who.ARBITRATOR), Tuple.of(1, Who.OBSERVER), Tuple.of(1, Who.OUTSIDER));
        Arbitrary<What> what = Arbitraries.frequency(Tuple.of(5, What.LETTER), Tuple.of(2, What.REPRESENTATION), Tuple.of(2, What.UPDATE),
                Tuple.of(7, What.SUBMIT), Tuple.of(5, What.APPROVE), Tuple.of(3, What.REJECT), Tuple.of(2, What.WITHDRAW), Tuple.of(6, What.UPLOAD),
                Tuple.of(2, What.ADVANCE), Tuple.of(2, What.COME_OR_GO));
        return Combinators.combine(who, what, Arbitraries.integers().between(0, 5))
                .as((by, deed, which) -> new Deed(deed == What.APPROVE || deed == What.REJECT || deed == What.ADVANCE ? Who.MANAGER : by, deed, which))
                .list().ofMinSize(6).ofMaxSize(18)
                .map(deeds -> {
                    // Every history begins with something to hide, and some end with a closed case.
                    List<Deed> all = new ArrayList<>(List.of(new Deed(Who.CLAIMANT, What.UPLOAD, 0), new Deed(Who.RESPONDENT, What.UPLOAD, 0),
                            new Deed(Who.CLAIMANT, What.LETTER, 0)));
                    all.addAll(deeds);
                    if (deeds.size() % 3 == 0) {
                        all.add(new Deed(Who.MANAGER, What.CLOSE, 0));
                    }
                    return all;
                });
    }

    @Property(tries = 4, shrinking = ShrinkingMode.OFF)
    void nobodySeesAnywhereWhatTheyMayNotYetSee(@ForAll("histories") List<Deed> history) throws IOException {
        History told = new History();
        for (int step = 0; step < history.size(); step++) {
            Deed deed = history.get(step);
            Optional<Thing> touched = told.play(deed);
            for (Who who : Who.values()) {
                told.look(who, touched, "step %d, %s".formatted(step, deed));
            }
            if (step % 6 == 5 || step == history.size() - 1) {
                for (Who who : Who.values()) {
                    told.lookIntoExport(who, "step %d, %s".formatted(step, deed));
                }
            }
        }
    }

    /** A case and what the model knows of it. */
    private static final class History {

        private final OpenCase open = PEOPLE.another();
        private final Map<Who, Person> people = new EnumMap<>(Map.of(Who.CLAIMANT, open.claimant(), Who.COLLEAGUE, open.colleague(),
                Who.OBSERVER, open.observer(), Who.RESPONDENT, open.respondent(), Who.RESPONDENT_OBSERVER, RITA, Who.MANAGER, open.manager(),
                Who.MANAGER_OBSERVER, MONA, Who.ARBITRATOR, open.arbitrator(), Who.OUTSIDER, open.outsider(), Who.ADMINISTRATOR, ADMINISTRATOR));
        private final Set<Who> present = EnumSet.of(Who.CLAIMANT, Who.COLLEAGUE, Who.OBSERVER, Who.RESPONDENT, Who.MANAGER, Who.ARBITRATOR);
        private final List<Thing> things = new ArrayList<>();
        private int phase = -1;

        private boolean isShared() {
            return phase >= PHASES.indexOf("evidenceExchange");
        }

        /** The model: what somebody may see now. */
        private boolean sees(Who who, Thing thing) {
            if (!present.contains(who)) {
                return false;
            }
            boolean own = thing.party.equals(who.party);
            boolean manages = who.party.equals("caseManager");
            return switch (thing.state) {
                case UPLOADED -> isShared() || manages || own;
                case DOCKETED -> true;
                case DRAFT, SUBMITTED, REJECTED, WITHDRAWN -> own || manages && thing.approved && thing.wasSubmitted;
            };
        }

        /** In an export a super administrator without a part sees what the case manager does; nobody finds what is not docketed. */
        private boolean exports(Who who, Thing thing) {
            boolean inCase = who == Who.ADMINISTRATOR || sees(who, thing);
            return inCase && (thing.state == State.DOCKETED || thing.state == State.UPLOADED);
        }

        private Set<String> marks(Predicate<Thing> which) {
            return things.stream().filter(which).map(thing -> thing.mark).collect(Collectors.toCollection(TreeSet::new));
        }

        private Optional<Thing> thing(int which, Predicate<Thing> kind) {
            List<Thing> all = things.stream().filter(kind).toList().reversed();
            return all.isEmpty() ? Optional.empty() : Optional.of(all.get(which % all.size()));
        }

        private Answer post(Who who, String path, JsonObject more) {
            Answer answer = open.on(path, people.get(who), more);
            assertThat(answer.status()).as(path).isLessThan(500);
            return answer;
        }

        private static String mark() {
            return "mark" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        }

        /** Does it, and has the model follow when it was allowed; what it was done to. */
        Optional<Thing> play(Deed deed) {
            return switch (deed.what) {
                case LETTER -> create(deed.who, "letterToTribunal");
                case REPRESENTATION -> create(deed.who, "noticeOfRepresentation");
                case UPDATE -> on(deed, "/api/filings/update", thing -> {
                    thing.state = State.DRAFT;
                    thing.wasSubmitted = false;
                });
                case SUBMIT -> on(deed, "/api/filings/documents/submit", thing -> {
                    thing.wasSubmitted = true;
                    thing.state = thing.approved ? State.SUBMITTED : State.DOCKETED;
                });
                case APPROVE -> on(deed, "/api/filings/documents/approve", thing -> thing.state = State.DOCKETED);
                case REJECT -> on(deed, "/api/filings/documents/reject", thing -> thing.state = State.REJECTED);
                case WITHDRAW -> on(deed, "/api/filings/documents/withdraw", thing -> thing.state = State.WITHDRAWN);
                case UPLOAD -> upload(deed.who);
                case ADVANCE -> advance();
                case COME_OR_GO -> comeOrGo(List.of(Who.COLLEAGUE, Who.RESPONDENT_OBSERVER, Who.MANAGER_OBSERVER).get(deed.which % 3));
                case CLOSE -> {
                    assertThat(post(Who.MANAGER, "/cases/cases/close", new JsonObject().put("reason", "settled")).status()).isEqualTo(200);
                    yield Optional.empty();
                }
            };
        }

        private Optional<Thing> create(Who who, String documentId) {
            String mark = mark();
            Answer answer = post(who, "/api/filings/create", new JsonObject().put("documentID", documentId).put("title", "About " + mark)
                    .put("fields", OpenCase.completeFields(documentId)));
            return answer.status() != 200 ? Optional.empty()
                    : added(new Thing(answer.object().getString("filingID"), mark, who.party, documentId.equals("letterToTribunal"), State.DRAFT));
        }

        private Optional<Thing> upload(Who who) {
            String mark = mark();
            Answer answer = Form.of(open.caseId(), "other", "Shows " + mark).file(mark + ".txt", "text/plain", "Content of " + mark)
                    .post(PLATFORM, people.get(who).token());
            assertThat(answer.status()).isLessThan(500);
            return answer.status() != 200 ? Optional.empty()
                    : added(new Thing(answer.object().getString("uploadID"), mark, who.party, false, State.UPLOADED));
        }

        private Optional<Thing> added(Thing thing) {
            things.add(thing);
            return Optional.of(thing);
        }

        private Optional<Thing> on(Deed deed, String path, java.util.function.Consumer<Thing> done) {
            Optional<Thing> chosen = thing(deed.which, Thing::isFiling);
            chosen.ifPresent(thing -> {
                JsonObject body = new JsonObject().put("filingID", thing.id);
                if (deed.what == What.REJECT) {
                    body.put("reason", "Because.");
                }
                if (deed.what == What.UPDATE) {
                    body.put("title", "Again about " + thing.mark);
                }
                if (post(deed.who, path, body).status() == 200) {
                    done.accept(thing);
                    if (thing.state == State.DOCKETED) {
                        thing.entryId = open.view(people.get(Who.MANAGER), thing.id).getString("entryID");
                    }
                }
            });
            return chosen;
        }

        private Optional<Thing> advance() {
            if (phase + 1 < PHASES.size()
                    && post(Who.MANAGER, "/cases/cases/phases/advance", new JsonObject().put("phaseID", PHASES.get(phase + 1))).status() == 200) {
                phase++;
            }
            return Optional.empty();
        }

        private Optional<Thing> comeOrGo(Who who) {
            JsonObject body = new JsonObject().put("userID", people.get(who).id());
            if (present.contains(who)) {
                if (post(Who.MANAGER, "/cases/cases/participants/remove", body).status() == 200) {
                    present.remove(who);
                }
            } else if (post(Who.MANAGER, "/cases/cases/participants/add",
                    body.put("partyID", who.party).put("isObserver", who.observes)).status() == 200) {
                present.add(who);
            }
            return Optional.empty();
        }

        void look(Who who, Optional<Thing> touched, String when) throws IOException {
            String as = "%s, what %s sees".formatted(when, who);
            assertThat(found(post(who, "/api/evidence/uploads/list", new JsonObject()))).as(as)
                    .isEqualTo(marks(thing -> thing.state == State.UPLOADED && sees(who, thing)));
            assertThat(found(post(who, "/api/filings/list", new JsonObject().put("limit", 200)))).as(as)
                    .isEqualTo(marks(thing -> thing.isFiling() && sees(who, thing)));
            assertThat(found(post(who, "/api/docket/entries/list", new JsonObject()))).as(as)
                    .isEqualTo(marks(thing -> thing.state == State.DOCKETED && sees(who, thing)));
            actions(who, as);
            Answer audit = post(who, "/cases/cases/audit/list", new JsonObject());
            boolean mayAudit = who == Who.ADMINISTRATOR || who == Who.MANAGER;
            assertThat(audit.status()).as(as).isEqualTo(mayAudit ? 200 : 403);
            assertThat(found(audit)).as(as).isEmpty();
            if (touched.isPresent()) {
                alone(who, touched.get(), as);
            }
            // Besides what was just touched, one that this person may not see is asked for by its ID.
            for (Thing hidden : things.stream().filter(thing -> !sees(who, thing)).toList().reversed().stream().limit(1).toList()) {
                alone(who, hidden, as);
            }
        }

        /** Actions name only filings that their reader sees. */
        private void actions(Who who, String as) {
            Answer answer = post(who, "/cases/cases/actions", new JsonObject());
            Set<String> known = things.stream().filter(thing -> thing.isFiling() && sees(who, thing)).map(thing -> thing.id).collect(Collectors.toSet());
            if (answer.status() == 200) {
                List<String> named = answer.object().getJsonArray("actions").stream().map(action -> ((JsonObject) action).getString("filingID"))
                        .filter(java.util.Objects::nonNull).toList();
                assertThat(known).as(as).containsAll(named);
            } else {
                assertThat(present).as(as).doesNotContain(who);
            }
        }

        /** One thing, asked for by its ID in every way there is. */
        private void alone(Who who, Thing thing, String as) throws IOException {
            List<Answer> answers = new ArrayList<>();
            if (thing.isFiling()) {
                JsonObject named = new JsonObject().put("filingID", thing.id);
                answers.add(post(who, "/api/filings/view", named));
                post(who, "/api/filings/documents/check", named);
                answersNothingHidden(who, post(who, "/api/filings/receipt", named), as);
                if (thing.entryId != null) {
                    JsonObject entry = new JsonObject().put("entryID", thing.entryId);
                    answers.add(post(who, "/api/docket/entries/view", entry));
                    answers.add(post(who, "/api/docket/entries/render", entry));
                }
            } else {
                JsonObject named = new JsonObject().put("uploadID", thing.id);
                answers.add(post(who, "/api/evidence/uploads/view", named));
                answers.add(post(who, "/api/evidence/uploads/download", named));
            }
            for (Answer answer : answers) {
                if (sees(who, thing)) {
                    assertThat(answer.status()).as(as).isEqualTo(200);
                    assertThat(found(answer)).as(as).contains(thing.mark);
                } else {
                    assertThat(answer.status()).as(as).isIn(403, 404);
                }
                answersNothingHidden(who, answer, as);
            }
        }

        private void answersNothingHidden(Who who, Answer answer, String as) throws IOException {
            assertThat(marks(thing -> sees(who, thing))).as(as).containsAll(found(answer));
        }

        void lookIntoExport(Who who, String when) throws IOException {
            String as = "%s, the export of %s".formatted(when, who);
            Answer answer = post(who, "/cases/cases/export", new JsonObject());
            if (!present.contains(who) && who != Who.ADMINISTRATOR) {
                assertThat(answer.status()).as(as).isEqualTo(403);
                return;
            }
            assertThat(answer.status()).as(as).isEqualTo(200);
            Exported exported = Exported.of(answer.response().body());
            Set<String> found = new TreeSet<>();
            for (Map.Entry<String, byte[]> file : exported.files().entrySet()) {
                found.addAll(marks(file.getKey()));
                found.addAll(marks(file.getKey().endsWith(".pdf") ? text(file.getValue()) : exported.text(file.getKey())));
            }
            assertThat(found).as(as).isEqualTo(marks(thing -> exports(who, thing)));
            JsonArray uploads = exported.json("exhibits/index.json").getJsonArray("exhibits");
            assertThat(uploads.stream().map(upload -> ((JsonObject) upload).getString("uploadID")).collect(Collectors.toSet())).as(as)
                    .isEqualTo(things.stream().filter(thing -> thing.state == State.UPLOADED && exports(who, thing)).map(thing -> thing.id)
                            .collect(Collectors.toSet()));
            assertThat(exported.files().containsKey("audit.jsonl")).as(as).isEqualTo(who == Who.MANAGER || who == Who.ADMINISTRATOR);
        }

        private static Set<String> found(Answer answer) throws IOException {
            boolean isPdf = "application/pdf".equals(answer.header("Content-Type"));
            return marks(isPdf ? text(answer.response().body()) : answer.body());
        }

        private static Set<String> marks(String text) {
            return MARK.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
        }

        private static String text(byte[] pdf) throws IOException {
            try (PDDocument document = Loader.loadPDF(pdf)) {
                return new PDFTextStripper().getText(document);
            }
        }
    }
}
