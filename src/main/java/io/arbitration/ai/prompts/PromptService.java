package io.arbitration.ai.prompts;

import io.arbitration.domain.cases.DefinitionNames;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.auth.Requester;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The prompts. The definitions say for which document types and rule sets there can be one. */
public final class PromptService {

    private final PromptRepository repository;
    private final DefinitionNames definitions;
    private final Clock clock;

    public PromptService(PromptRepository repository, DefinitionNames definitions, Clock clock) {
        this.repository = repository;
        this.definitions = definitions;
        this.clock = clock;
    }

    /** In the order of their IDs. A page is bounded in bytes: a prompt may have 50,000 characters. */
    Future<Page<Prompt>> list(Optional<String> documentID, Optional<String> ruleSet, OptionalLong afterId, int limit) {
        return repository.prompts(documentID, ruleSet, afterId.orElse(0), limit + 1L, Page.BYTES_MAX)
                .map(found -> Page.of(found, limit, Page.BYTES_MAX, PromptRepository::bytes));
    }

    Future<Prompt> create(Requester by, String documentID, String ruleSet, String text, Prompt.Flags flags) {
        if (!definitions.hasDocument(documentID)) {
            return Future.failedFuture(PromptError.DOCUMENT_TYPE_NOT_FOUND.refusal());
        }
        if (!definitions.hasRuleSet(ruleSet)) {
            return Future.failedFuture(PromptError.RULE_SET_NOT_FOUND.refusal());
        }
        return repository.insert(by, documentID, ruleSet, text, flags, Timestamps.milliseconds(clock.instant()));
    }

    /** @param ifMatch time of the change that the caller has seen last; empty: whichever */
    Future<Prompt> update(Requester by, long promptId, Optional<Instant> ifMatch, PromptChange change) {
        return repository.update(promptId, ifMatch, change, by, Timestamps.milliseconds(clock.instant()))
                .compose(prompt -> prompt.map(Future::succeededFuture).orElseGet(() -> notChanged(promptId)));
    }

    private Future<Prompt> notChanged(long promptId) {
        return repository.exists(promptId).compose(exists -> Future.failedFuture((exists ? PromptError.STALE : PromptError.PROMPT_NOT_FOUND).refusal()));
    }
}
