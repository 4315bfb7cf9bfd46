package io.arbitration.ai;

import io.arbitration.domain.cases.DefinitionNames;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.auth.Requester;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The prompts; the definitions say for which documents and rule sets there can be one. */
final class PromptService {

    private final PromptRepository repository;
    private final DefinitionNames definitions;
    private final Clock clock;

    PromptService(PromptRepository repository, DefinitionNames definitions, Clock clock) {
        this.repository = repository;
        this.definitions = definitions;
        this.clock = clock;
    }

    Future<List<Prompt>> list(Optional<String> documentID, Optional<String> ruleSet) {
        return repository.prompts(documentID, ruleSet);
    }

    Future<Prompt> create(Requester by, String documentID, String ruleSet, String text, Prompt.Flags flags) {
        if (!definitions.hasDocument(documentID)) {
            return Future.failedFuture(AiError.DOCUMENT_TYPE_NOT_FOUND.refusal());
        }
        if (!definitions.hasRuleSet(ruleSet)) {
            return Future.failedFuture(AiError.RULE_SET_NOT_FOUND.refusal());
        }
        return repository.insert(by, documentID, ruleSet, text, flags, Timestamps.milliseconds(clock.instant()));
    }

    Future<Prompt> update(UUID by, long promptId, PromptChange change) {
        return repository.update(promptId, change, by, Timestamps.milliseconds(clock.instant()))
                .compose(prompt -> prompt.map(Future::succeededFuture)
                        .orElse(Future.failedFuture(AiError.PROMPT_NOT_FOUND.refusal())));
    }
}
