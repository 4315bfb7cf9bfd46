package io.arbitration.ai.analyses;

import io.arbitration.ai.analyses.AnalysisOutcome.Input;
import io.arbitration.ai.analyses.SubjectRepository.Exhibit;
import io.arbitration.ai.analyses.SubjectRepository.Subject;
import io.arbitration.ai.context.Condenser;
import io.arbitration.ai.context.Fence;
import io.arbitration.ai.context.Material;
import io.arbitration.ai.context.PromptText;
import io.arbitration.ai.model.ModelAnswer;
import io.arbitration.ai.model.ModelClient;
import io.arbitration.ai.model.ModelFailure;
import io.arbitration.ai.model.ModelMessage.Part;
import io.arbitration.ai.model.ModelMessage.Role;
import io.arbitration.ai.model.ModelMessage;
import io.arbitration.ai.model.ModelRequest;
import io.arbitration.ai.model.Tokens;
import io.arbitration.domain.hash.Sha256;
import io.arbitration.platform.objects.Fingerprint;
import io.arbitration.platform.objects.ObjectAddress;
import io.arbitration.platform.reading.ObjectReader;
import io.arbitration.platform.reading.Unreadable;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Runs one analysis: gathers what it may see, makes it fit, asks. It may see the filing itself, with the full case the docket, which
 * every participant sees, and with evidence the exhibits, once all who may read the analysis may see them too.
 */
final class Analyst {

    private static final PromptText PROMPT = PromptText.read("analysis.1");
    private static final int TEXT_LENGTH_MAX = 200_000;
    private static final int CHARACTERS_MAX = 10_000_000;
    private static final int MATERIAL_TOKENS_MIN = 512;
    private static final String QUESTION = "Analyse the document, by the institution's instructions.";
    private static final String NOT_SHARED = " Evidence has not been exchanged yet and is not included.";

    private final ModelClient model;
    private final ObjectReader reader;
    private final SubjectRepository subjects;
    private final Duration within;
    private final RandomGenerator random;

    Analyst(ModelClient model, ObjectReader reader, SubjectRepository subjects, Duration within, RandomGenerator random) {
        this.model = model;
        this.reader = reader;
        this.subjects = subjects;
        this.within = within;
        this.random = random;
    }

    /** Nothing else can be wrong with it than what is said here: the analysis fails, and is not tried again. */
    static final class Impossible extends RuntimeException {
        Impossible(String reason) {
            super(reason, null, false, false);
        }
    }

    Future<AnalysisOutcome> run(DueAnalysis analysis) {
        long endNanos = System.nanoTime() + within.toNanos();
        return subjects.subject(analysis).compose(found -> {
            if (found.isEmpty() || found.get().state().equals("withdrawn")) {
                return Future.succeededFuture(new AnalysisOutcome.Skipped(analysis, "the filing was withdrawn"));
            }
            if (analysis.drafted() && found.get().newerDraft()) {
                return Future.succeededFuture(new AnalysisOutcome.Skipped(analysis, "a later draft is analysed"));
            }
            Run run = new Run(analysis, found.get(), endNanos);
            return run.gather().compose(gathered -> run.ask());
        });
    }

    private final class Run {

        private final DueAnalysis analysis;
        private final Subject subject;
        private final long endNanos;
        private final List<Material> materials = new ArrayList<>();
        private final List<Input> inputs = new ArrayList<>();
        private long characters;

        Run(DueAnalysis analysis, Subject subject, long endNanos) {
            this.analysis = analysis;
            this.subject = subject;
            this.endNanos = endNanos;
        }

        Future<Void> gather() {
            JsonObject heading = new JsonObject().put("kind", "document").put("documentID", subject.documentId()).put("party", subject.partyId())
                    .put("title", subject.title()).put("state", subject.state()).put("case", subject.caseTitle()).put("ruleSet", subject.ruleSet())
                    .put("phaseID", subject.phaseId());
            add(heading, "filing %d".formatted(analysis.filingId()), subject.title() + "\n" + subject.fields());
            Future<Void> docket = analysis.includeFullCase()
                    ? subjects.docket(analysis.caseId(), analysis.filingId()).map(entries -> {
                        checkCount(entries.size(), "docket entries");
                        entries.forEach(entry -> add(new JsonObject().put("kind", "docket entry").put("number", entry.number())
                                .put("documentID", entry.documentId()).put("party", entry.partyId()).put("title", entry.title()),
                                "docket entry %d".formatted(entry.number()), entry.title() + "\n" + entry.fields()));
                        return null;
                    })
                    : Future.succeededFuture();
            return docket.compose(read -> subjects.files(analysis.filingId())).compose(this::readFiles).compose(read -> analysis.includeEvidence() && subject.evidenceShared()
                    ? subjects.evidence(analysis.caseId()).compose(this::readAll)
                    : Future.succeededFuture());
        }

        private void add(JsonObject heading, String name, String text) {
            take(text.length());
            materials.add(Material.of(heading, text));
            inputs.add(new Input(name, Sha256.hex(text.getBytes(StandardCharsets.UTF_8))));
        }

        private void take(int length) {
            characters += length;
            if (characters > CHARACTERS_MAX) {
                throw new Impossible("the case is longer than can be read at once");
            }
        }

        private static void checkCount(int count, String of) {
            if (count > SubjectRepository.PARTS_MAX) {
                throw new Impossible("the case has more than %d %s".formatted(SubjectRepository.PARTS_MAX, of));
            }
        }

        private Future<Void> readFiles(List<SubjectRepository.File> files) {
            Future<Void> done = Future.succeededFuture();
            for (SubjectRepository.File file : files) {
                JsonObject heading = new JsonObject().put("kind", "file of the document").put("title", file.title());
                done = done.compose(before -> read("file " + file.title(), heading, file.address(), file.contentType(), file.fingerprint()));
            }
            return done;
        }

        private Future<Void> readAll(List<Exhibit> exhibits) {
            checkCount(exhibits.size(), "exhibits");
            Future<Void> done = Future.succeededFuture();
            for (Exhibit exhibit : exhibits) {
                done = done.compose(before -> read(exhibit));
            }
            return done;
        }

        /** An exhibit that cannot be read does not prevent the analysis of the others. The prompt says that it is missing. */
        private Future<Void> read(Exhibit exhibit) {
            String name = "exhibit %s %d".formatted(exhibit.partyId(), exhibit.number());
            JsonObject heading = new JsonObject().put("kind", "exhibit").put("party", exhibit.partyId()).put("number", exhibit.number())
                    .put("description", exhibit.description());
            return read(name, heading, exhibit.address(), exhibit.contentType(), exhibit.fingerprint());
        }

        private Future<Void> read(String name, JsonObject heading, String address, String contentType, Fingerprint fingerprint) {
            return reader.read(ObjectAddress.parse(address).orElseThrow(), Optional.of(fingerprint), contentType)
                    .map(reading -> {
                        take(reading.text().length());
                        materials.add(Material.of(heading, reading));
                        return null;
                    })
                    .recover(failure -> {
                        if (!(failure instanceof Unreadable unreadable)) {
                            return Future.failedFuture(failure);
                        }
                        materials.add(Material.of(heading.put("unreadable", unreadable.reason().words()), ""));
                        return Future.succeededFuture();
                    })
                    .onSuccess(read -> inputs.add(new Input(name, fingerprint.sha256())))
                    .mapEmpty();
        }

        Future<AnalysisOutcome> ask() {
            int answerTokens = model.settings().answerTokens();
            Fence fence = Fence.of(random);
            String system = PROMPT.with("boundary", fence.boundary()).replace("{words}", String.valueOf(answerTokens / 2))
                    .replace("{instructions}", analysis.instructions());
            String question = QUESTION + (analysis.includeEvidence() && !subject.evidenceShared() ? NOT_SHARED : "");
            int materialTokens = model.settings().contextTokens() - answerTokens - Tokens.of(system) - Tokens.of(question) - 4 * Tokens.PER_MESSAGE;
            if (materialTokens < MATERIAL_TOKENS_MIN) {
                throw new Impossible("the prompt leaves the model no room for the document");
            }
            return Condenser.condense(model, random, materials, materialTokens, left()).compose(condensed -> {
                List<Part> parts = new ArrayList<>();
                condensed.materials().forEach(material -> parts.addAll(fence.parts(material)));
                parts.add(new Part.Text(question));
                List<ModelMessage> messages = List.of(ModelMessage.of(Role.SYSTEM, system), ModelMessage.ofParts(Role.USER, parts));
                return model.ask(new ModelRequest(messages, Optional.empty(), answerTokens), left())
                        .map(answer -> outcome(answer, condensed.usage().plus(answer.usage())));
            });
        }

        private AnalysisOutcome outcome(ModelAnswer answer, ModelAnswer.Usage usage) {
            if (!answer.whole() || answer.text().length() > TEXT_LENGTH_MAX) {
                throw new ModelFailure(ModelFailure.Kind.UNUSABLE, "the model's answer was cut off");
            }
            String content = Sha256.hex((subject.title() + "\n" + subject.fields()).getBytes(StandardCharsets.UTF_8));
            return new AnalysisOutcome.Done(analysis, answer.text().strip().replace("\0", ""), answer.model(), content, List.copyOf(inputs), usage);
        }

        private Duration left() {
            return Duration.ofNanos(endNanos - System.nanoTime());
        }
    }
}
