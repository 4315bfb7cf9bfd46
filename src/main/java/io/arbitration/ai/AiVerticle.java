package io.arbitration.ai;

import io.arbitration.ai.analyses.AnalysisWiring;
import io.arbitration.ai.award.AwardHandlers;
import io.arbitration.ai.award.AwardInputs;
import io.arbitration.ai.award.AwardRepository;
import io.arbitration.ai.award.AwardService;
import io.arbitration.ai.award.EvidenceRightsRepository;
import io.arbitration.ai.model.ModelClient;
import io.arbitration.ai.prompts.PromptHandlers;
import io.arbitration.ai.prompts.PromptRepository;
import io.arbitration.ai.prompts.PromptService;
import io.arbitration.domain.cases.DefinitionNames;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.arbitration.platform.reading.ObjectReader;
import io.arbitration.platform.reading.ReadingBounds;
import io.arbitration.platform.reading.Scans;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The AI area: prompts, the analyses that they make of documents, and draft awards. */
public final class AiVerticle extends AreaVerticle {

    private static final Logger LOG = LoggerFactory.getLogger(AiVerticle.class);
    private static final Duration FORGET_PERIOD = Duration.ofMinutes(1);

    private final AreaServices services;
    private final AiSettings settings;
    private final Bucket evidence;
    private final DefinitionNames definitions;
    private final List<String> sharedPhases;
    private Optional<ModelClient> model = Optional.empty();
    private AnalysisWiring analyses;

    /**
     * @param evidence where files of evidence are kept
     * @param sharedPhases phases in which every participant sees all evidence of a case
     */
    public AiVerticle(AreaServices services, AiSettings settings, Bucket evidence, DefinitionNames definitions, List<String> sharedPhases) {
        super("ai");
        this.services = services;
        this.settings = settings;
        this.evidence = evidence;
        this.definitions = definitions;
        this.sharedPhases = sharedPhases;
    }

    @Override
    protected Future<List<Contract>> open() {
        model = settings.model().map(configured -> new ModelClient(vertx, configured, services.meters(),
                services.observed().part("model"), services.clock(), services.random()));
        Optional<ObjectReader> reader = model.map(asked -> new ObjectReader(vertx, services.objects(), services.reading(),
                new ReadingBounds(settings.objectBytesMax(), settings.pagesMax(), settings.reading()), () -> asked.takesImages() ? Scans.SHOWN : Scans.REFUSED));
        analyses = new AnalysisWiring(vertx, services, settings, model, reader, sharedPhases);
        AwardRepository awardRepository = new AwardRepository(services.database());
        AwardHandlers awards = new AwardHandlers(awards(awardRepository, reader));
        vertx.setPeriodic(FORGET_PERIOD.toMillis(), timer -> deleteExpired(awardRepository));
        PromptHandlers handlers = new PromptHandlers(
                new PromptService(new PromptRepository(services.database()), definitions, services.clock()));
        Contract contract = Contract.read("ai")
                .bind("listPrompts", handlers::list)
                .bind("createPrompt", handlers::create)
                .bind("updatePrompt", handlers::update)
                .bind("generateAward", awards::generate)
                .bind("listAnalyses", analyses.handlers()::list);
        return analyses.start().map(started -> List.of(contract));
    }

    private AwardService awards(AwardRepository repository, Optional<ObjectReader> reader) {
        EvidenceRightsRepository rights = new EvidenceRightsRepository(services.database(), services.audit(), sharedPhases);
        AwardInputs inputs = new AwardInputs(services.objects(), reader, rights, evidence, services.clock());
        return new AwardService(model, inputs, repository, services.rates().limiter("award", settings.awardsPerMinute(), Duration.ofMinutes(1)),
                new AwardService.Bounds(settings.awardsAtOnce(), settings.awardsPerCaller(), settings.award()), services.clock(), services.random());
    }

    private void deleteExpired(AwardRepository awards) {
        awards.deleteExpired(settings.awardsHistory()).onFailure(failed -> LOG.warn("removing old awards failed: {}", failed.getMessage()));
        analyses.deleteExpired(settings.analysesHistory()).onFailure(failed -> LOG.warn("removing old analyses failed: {}", failed.getMessage()));
    }

    @Override
    public Future<?> stop() {
        Future<Void> stopped = analyses == null ? Future.succeededFuture() : analyses.stop();
        return stopped.compose(still -> model.map(ModelClient::close).orElse(Future.succeededFuture()));
    }

    @Override
    protected OperationPipeline pipeline() {
        return services.pipeline();
    }
}
