package io.arbitration.ai;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.answer.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.util.Optional;

/** Prompts as the contract of the AI area has them. */
final class PromptHandlers {

    private static final BigDecimal ID_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private final PromptService service;

    PromptHandlers(PromptService service) {
        this.service = service;
    }

    Future<Reply> list(Call call) {
        return service.list(call.optionalText("documentID"), call.optionalText("ruleSet")).map(prompts ->
                Reply.json(new JsonArray(prompts.stream().map(PromptHandlers::json).toList())));
    }

    Future<Reply> create(Call call) {
        Prompt.Flags flags = new Prompt.Flags(
                call.body().getBoolean("active"), call.body().getBoolean("triggerOnDocket"), call.body().getBoolean("triggerOnDraft"),
                call.body().getBoolean("includeEvidence"), call.body().getBoolean("includeFullCase"));
        return service.create(call.requester(), call.text("documentID"), call.text("ruleSet"), call.text("prompt"), flags)
                .map(prompt -> Reply.json(json(prompt)));
    }

    Future<Reply> update(Call call) {
        PromptChange change = new PromptChange(
                call.optionalText("prompt"), flag(call, "active"), flag(call, "triggerOnDocket"), flag(call, "triggerOnDraft"),
                flag(call, "includeEvidence"), flag(call, "includeFullCase"));
        return service.update(call.caller().id(), id(call), change).map(prompt -> Reply.json(json(prompt)));
    }

    private static Optional<Boolean> flag(Call call, String name) {
        return Optional.ofNullable(call.body().getBoolean(name));
    }

    /** The contract bounds the id below only; a number that no prompt can have names none. */
    private static long id(Call call) {
        BigDecimal id = new BigDecimal(call.body().getNumber("id").toString());
        if (id.compareTo(ID_MAX) > 0) {
            throw AiError.PROMPT_NOT_FOUND.refusal();
        }
        return id.longValueExact();
    }

    private static JsonObject json(Prompt prompt) {
        return new JsonObject()
                .put("id", prompt.id())
                .put("created", Timestamps.text(prompt.created()))
                .put("updated", Timestamps.text(prompt.updated()))
                .put("documentID", prompt.documentID())
                .put("ruleSet", prompt.ruleSet())
                .put("prompt", prompt.text())
                .put("active", prompt.flags().active())
                .put("triggerOnDocket", prompt.flags().triggerOnDocket())
                .put("triggerOnDraft", prompt.flags().triggerOnDraft())
                .put("includeEvidence", prompt.flags().includeEvidence())
                .put("includeFullCase", prompt.flags().includeFullCase());
    }
}
