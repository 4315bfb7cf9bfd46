package io.arbitration.ai;

import io.arbitration.domain.DefinitionNames;
import io.arbitration.platform.Foundation;
import io.arbitration.platform.http.Area;
import io.arbitration.platform.http.Contract;
import io.arbitration.platform.http.Door;
import io.vertx.core.Future;
import java.util.List;

/** The AI area: the prompts with which documents are analysed. */
public final class AiVerticle extends Area {

    private final Foundation foundation;
    private final DefinitionNames definitions;

    public AiVerticle(Foundation foundation, DefinitionNames definitions) {
        super("ai");
        this.foundation = foundation;
        this.definitions = definitions;
    }

    @Override
    protected Future<List<Contract>> open() {
        PromptHandlers handlers = new PromptHandlers(
                new PromptService(new PromptRepository(foundation.database()), definitions, foundation.clock()));
        return Future.succeededFuture(List.of(Contract.read("ai")
                .bind("listPrompts", handlers::list)
                .bind("createPrompt", handlers::create)
                .bind("updatePrompt", handlers::update)));
    }

    @Override
    protected Door door() {
        return foundation.door();
    }
}
