package io.arbitration.ai;

import io.arbitration.ai.analyses.Analyses;
import io.arbitration.ai.award.AwardHandlers;
import io.arbitration.ai.award.Awards;
import io.arbitration.ai.model.ModelClient;
import io.arbitration.ai.reading.ObjectReader;
import io.arbitration.domain.cases.DefinitionNames;
import io.arbitration.platform.AreaServices;
import io.arbitration.platform.objects.Bucket;
import io.arbitration.platform.pipeline.AreaVerticle;
import io.arbitration.platform.pipeline.Contract;
import io.arbitration.platform.pipeline.OperationPipeline;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The AI area: prompts, the analyses that they make of documents, and draft awards. */
public final class AiVerticle extends AreaVerticle {

    private final AreaServices services;
    private final AiSettings settings;
    private final Bucket evidence;
    private final DefinitionNames definitions;
    private final List<String> sharedPhases;
    private Optional<ModelClient> model = Optional.empty();
    private Analyses analyses;

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
        model = settings.model().map(configured -> new ModelClient(vertx, configured, services.meters(), services.clock(), services.random()));
        Optional<ObjectReader> reader = model.map(asked -> new ObjectReader(vertx, services.objects(), settings, asked.settings().images()));
        analyses = new Analyses(vertx, services, settings, model, reader, sharedPhases);
        AwardHandlers awards = Awards.handlers(services, settings, evidence, model, reader, sharedPhases);
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
