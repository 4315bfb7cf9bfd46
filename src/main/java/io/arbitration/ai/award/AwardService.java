package io.arbitration.ai.award;

import io.arbitration.ai.award.Award.Checked;
import io.arbitration.ai.context.Condenser;
import io.arbitration.ai.context.Fence;
import io.arbitration.ai.context.Material;
import io.arbitration.ai.context.PromptText;
import io.arbitration.ai.context.TooLong;
import io.arbitration.ai.model.ModelAnswer;
import io.arbitration.ai.model.ModelClient;
import io.arbitration.ai.model.ModelFailure;
import io.arbitration.ai.model.ModelMessage.Part;
import io.arbitration.ai.model.ModelMessage.Role;
import io.arbitration.ai.model.ModelMessage;
import io.arbitration.ai.model.ModelRequest;
import io.arbitration.ai.model.Tokens;
import io.arbitration.domain.Identifiers;
import io.arbitration.domain.hash.Sha256;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.limits.Bulkhead;
import io.arbitration.platform.limits.RateLimiter;
import io.arbitration.platform.objects.ObjectAddress;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drafts awards: reads the inputs, makes them fit into the context of the model, asks the model, checks its answer, has it corrected
 * once if need be, and records from which inputs the award was drafted.
 */
public final class AwardService {

    private static final PromptText PROMPT = PromptText.read("award.1");
    private static final int ROUNDS_MAX = 2;
    /** The tokens of the wrong answer that are shown to the model again, with what is wrong about it. */
    private static final int REPAIR_TOKENS_MAX = 2000;
    private static final int RETRY_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(AwardService.class);

    /**
     * How many awards at once, and for how long.
     *
     * @param atOnce being drafted by this node
     * @param perCaller of those, for one caller
     * @param within the time for one award
     */
    public record Bounds(int atOnce, int perCaller, Duration within) {}

    /** @param summarised how many inputs the model was given as a summary */
    record Drafted(Award award, int summarised) {}

    private final Optional<ModelClient> model;
    private final AwardInputs inputs;
    private final AwardRepository repository;
    private final RateLimiter rate;
    private final Bulkhead bulkhead;
    private final Duration within;
    private final Clock clock;
    private final RandomGenerator random;

    /** @param rate how often a caller may ask for an award */
    public AwardService(Optional<ModelClient> model, AwardInputs inputs, AwardRepository repository, RateLimiter rate, Bounds bounds, Clock clock,
            RandomGenerator random) {
        this.model = model;
        this.inputs = inputs;
        this.repository = repository;
        this.rate = rate;
        this.bulkhead = new Bulkhead(new Bulkhead.Bounds(bounds.atOnce, bounds.perCaller, 0),
                () -> AwardError.AWARDS_BUSY.refusal().retryAfter(RETRY_SECONDS),
                () -> AwardError.AWARDS_OF_CALLER.refusal(bounds.perCaller).retryAfter(RETRY_SECONDS));
        this.within = bounds.within;
        this.clock = clock;
        this.random = random;
    }

    Future<Drafted> draft(AwardRequest request) {
        rate.admit(request.requester().userId());
        Map<AwardRequest.Input, ObjectAddress> addresses = inputs.addresses(request);
        if (model.isEmpty()) {
            return Future.failedFuture(AwardError.NOT_CONFIGURED.refusal());
        }
        Draft draft = new Draft(model.get(), request, addresses, System.nanoTime() + within.toNanos());
        return bulkhead.run(request.requester().userId(), () -> inputs.read(request, addresses).compose(draft::make))
                .timeout(within.toMillis(), TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(switch (failure) {
                    case ModelFailure failed -> {
                        LOG.warn("award: {}", failed.getMessage());
                        yield AwardError.of(failed);
                    }
                    case TooLong tooLong -> AwardError.ALL_TOO_LONG.refusal();
                    case TimeoutException late -> AwardError.TIMED_OUT.refusal();
                    default -> failure;
                }));
    }

    /** The draft of one award. */
    private final class Draft {

        private final ModelClient model;
        private final AwardRequest request;
        private final Map<AwardRequest.Input, ObjectAddress> addresses;
        private final long endNanos;
        private final List<String> numbers;
        private ModelAnswer.Usage usage = ModelAnswer.Usage.NONE;

        Draft(ModelClient model, AwardRequest request, Map<AwardRequest.Input, ObjectAddress> addresses, long endNanos) {
            this.model = model;
            this.request = request;
            this.addresses = addresses;
            this.endNanos = endNanos;
            this.numbers = request.exhibits().stream().map(AwardRequest.Exhibit::number).toList();
        }

        Future<Drafted> make(List<AwardInputs.Read> read) {
            return Condenser.condense(model, random, read.stream().map(AwardInputs.Read::material).toList(), inputTokens(), left()).compose(condensed -> {
                usage = usage.plus(condensed.usage());
                Fence fence = Fence.of(random);
                List<ModelMessage> conversation = List.of(
                        ModelMessage.of(Role.SYSTEM, PROMPT.with("boundary", fence.boundary())),
                        ModelMessage.ofParts(Role.USER, parts(condensed.materials(), fence)));
                return ask(conversation, 1).recover(failure -> Future.failedFuture(ofPictures(failure, read))).compose(decided -> inputs.checkStillReadable(request, addresses).compose(mayRead -> record(decided, read, condensed.materials())).map(new Drafted(decided.award,
                        (int) condensed.materials().stream().filter(Material::summarised).count())));
            });
        }

        /** A model that turns out to take no pictures has read nothing of the first input that is one, or has a page that is. */
        private static Throwable ofPictures(Throwable failure, List<AwardInputs.Read> read) {
            return failure instanceof ModelFailure failed && failed.kind() == ModelFailure.Kind.NO_IMAGES
                    ? read.stream().filter(one -> !one.reading().pictures().isEmpty()).findFirst()
                            .<Throwable>map(one -> AwardError.PICTURE.refusal(one.input().gsUrl())).orElse(failure)
                    : failure;
        }

        private int inputTokens() {
            int context = model.settings().contextTokens();
            return context - model.settings().answerTokens() - Tokens.of(PROMPT.text()) - 4 * Tokens.PER_MESSAGE - repairTokens() - Tokens.of(question());
        }

        private int repairTokens() {
            return Math.min(REPAIR_TOKENS_MAX, model.settings().contextTokens() / 8);
        }

        private String question() {
            return numbers.isEmpty() ? "Draft the award. There are no exhibits; cite none."
                    : "Draft the award. Answer with the JSON object alone. Exhibits that may be cited: " + String.join(", ", numbers);
        }

        private List<Part> parts(List<Material> materials, Fence fence) {
            List<Part> parts = new ArrayList<>();
            materials.forEach(material -> parts.addAll(fence.parts(material)));
            parts.add(new Part.Text(question()));
            return parts;
        }

        private Duration left() {
            return Duration.ofNanos(endNanos - System.nanoTime());
        }

        record Decided(Award award, String model, int rounds) {}

        private Future<Decided> ask(List<ModelMessage> conversation, int round) {
            return model.ask(new ModelRequest(conversation, Optional.of(Award.SCHEMA), model.settings().answerTokens()), left()).compose(answer -> {
                usage = usage.plus(answer.usage());
                return switch (Award.check(answer.text(), answer.whole(), numbers)) {
                    case Checked.Good(Award award) -> Future.succeededFuture(new Decided(award, answer.model(), round));
                    // Reasons may rest on the law alone, or on the lack of proof: when the model cites nothing again, the award is accepted.
                    case Checked.Uncited(Award award) -> round == ROUNDS_MAX
                            ? Future.succeededFuture(new Decided(award, answer.model(), round))
                            : again(conversation, answer, "No reason names an exhibit. Name for each finding the exhibit that it rests on, as [Exhibit %s].".formatted(numbers.getFirst()), round);
                    case Checked.UnknownExhibits unknown -> round == ROUNDS_MAX
                            ? Future.failedFuture(AwardError.UNKNOWN_EXHIBITS.refusal(unknown.named()))
                            : again(conversation, answer, "It cites exhibits that do not exist: %s.".formatted(unknown.named()), round);
                    case Checked.NoAward(String problem) -> round == ROUNDS_MAX
                            ? Future.failedFuture(AwardError.UNUSABLE.refusal())
                            : again(conversation, answer, problem, round);
                };
            });
        }

        private Future<Decided> again(List<ModelMessage> conversation, ModelAnswer answer, String problem, int round) {
            List<ModelMessage> longer = new ArrayList<>(conversation);
            String said = answer.text();
            int most = Tokens.bytesOf(repairTokens() / 2) / 3;
            longer.add(ModelMessage.of(Role.ASSISTANT, said.length() > most ? said.substring(0, most) + "…" : said));
            longer.add(ModelMessage.of(Role.USER, "This answer cannot be used. %s %s".formatted(problem, question())));
            return ask(longer, round + 1);
        }

        private Future<Void> record(Decided decided, List<AwardInputs.Read> read, List<Material> given) {
            List<AwardRepository.Input> hashes = IntStream.range(0, read.size()).mapToObj(i -> {
                AwardInputs.Read one = read.get(i);
                return new AwardRepository.Input(one.input().gsUrl(),
                        one.input() instanceof AwardRequest.Exhibit exhibit ? Optional.of(exhibit.number()) : Optional.empty(),
                        one.reading().sha256(), one.reading().bytes(), given.get(i).summarised());
            }).collect(Collectors.toList());
            return repository.insert(new AwardRepository.Made(Identifiers.random(random), Timestamps.milliseconds(clock.instant()), request.requester().userId(),
                    request.requester().requestId(), decided.model, PROMPT.name(), hashes,
                    Sha256.hex(decided.award.json().encode().getBytes(StandardCharsets.UTF_8)), decided.rounds, usage.promptTokens(), usage.answerTokens()));
        }
    }
}
