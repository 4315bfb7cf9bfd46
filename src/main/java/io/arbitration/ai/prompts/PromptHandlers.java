package io.arbitration.ai.prompts;

import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/** The operations on prompts. */
public final class PromptHandlers {

    /** The ID after which the next page begins; absent on the last page. */
    private static final String NEXT = "Next-Cursor";
    private static final BigDecimal ID_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private final PromptService service;

    public PromptHandlers(PromptService service) {
        this.service = service;
    }

    public Future<Reply> list(Call call) {
        OptionalLong after = call.body().getNumber("afterID") == null ? OptionalLong.empty() : OptionalLong.of(id(call, "afterID"));
        return service.list(call.optionalText("documentID"), call.optionalText("ruleSet"), after, call.integer("limit", Integer.MAX_VALUE)).map(page -> {
            Reply reply = Reply.json(new JsonArray(page.items().stream().map(PromptHandlers::json).toList()));
            return page.more() ? reply.withHeader(NEXT, String.valueOf(page.items().getLast().id())) : reply;
        });
    }

    public Future<Reply> create(Call call) {
        Prompt.Flags flags = new Prompt.Flags(
                call.body().getBoolean("active"), call.body().getBoolean("triggerOnDocket"), call.body().getBoolean("triggerOnDraft"),
                call.body().getBoolean("includeEvidence"), call.body().getBoolean("includeFullCase"));
        return service.create(call.requester(), call.text("documentID"), call.text("ruleSet"), call.text("prompt"), flags)
                .map(PromptHandlers::shown);
    }

    /** The time of its last change is the revision of a prompt. */
    private static Reply shown(Prompt prompt) {
        return Reply.json(json(prompt)).withHeader("ETag", '"' + Timestamps.text(prompt.updated()) + '"');
    }

    public Future<Reply> update(Call call) {
        PromptChange change = new PromptChange(
                call.optionalText("prompt"), flag(call, "active"), flag(call, "triggerOnDocket"), flag(call, "triggerOnDraft"),
                flag(call, "includeEvidence"), flag(call, "includeFullCase"));
        return service.update(call.requester(), id(call, "id"), call.ifMatchTime(), change).map(PromptHandlers::shown);
    }

    private static Optional<Boolean> flag(Call call, String name) {
        return Optional.ofNullable(call.body().getBoolean(name));
    }

    /** The contract bounds an ID below only; a number that is too large for one is the ID of no prompt. */
    private static long id(Call call, String name) {
        BigDecimal id = new BigDecimal(call.body().getNumber(name).toString());
        if (id.compareTo(ID_MAX) > 0) {
            throw PromptError.PROMPT_NOT_FOUND.refusal();
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
