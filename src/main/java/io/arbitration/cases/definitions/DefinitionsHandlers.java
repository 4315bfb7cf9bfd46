package io.arbitration.cases.definitions;

import io.arbitration.domain.cases.Definitions;
import io.arbitration.domain.cases.MailType;
import io.arbitration.domain.cases.RuleSet;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The operations that show the definitions: schemas, mail types and rule sets. Their JSON is encoded once. */
public final class DefinitionsHandlers {

    private static final int PAGE_DEFAULT = 50;

    private final Reply schemas;
    private final Reply mailTypes;
    private final Map<String, Reply> fieldsByMailType;
    private final TreeMap<String, JsonObject> ruleSets = new TreeMap<>();

    public DefinitionsHandlers(Definitions definitions) {
        this.schemas = Reply.json(DefinitionsJson.schemas(definitions));
        this.mailTypes = Reply.json(DefinitionsJson.mailTypes(definitions));
        this.fieldsByMailType = definitions.mailTypes().stream()
                .collect(Collectors.toUnmodifiableMap(MailType::id, type -> Reply.json(DefinitionsJson.fields(type))));
        definitions.ruleSets().stream().sorted(Comparator.comparing(RuleSet::id))
                .forEach(ruleSet -> ruleSets.put(ruleSet.id(), DefinitionsJson.ruleSet(ruleSet, definitions)));
    }

    public Contract bind(Contract contract) {
        return contract
                .bind("listSchemas", call -> Future.succeededFuture(schemas))
                .bind("listMailTypes", call -> Future.succeededFuture(mailTypes))
                .bind("listMailTypeFields", this::fields)
                .bind("listRuleSets", this::ruleSets);
    }

    private Future<Reply> fields(Call call) {
        Reply fields = fieldsByMailType.get(call.text("mailType"));
        return fields == null ? Future.failedFuture(DefinitionsError.MAIL_TYPE_NOT_FOUND.refusal()) : Future.succeededFuture(fields);
    }

    /** In the order of their IDs; the cursor is the ID of the last one. */
    private Future<Reply> ruleSets(Call call) {
        List<JsonObject> left = List.copyOf(call.optionalText("cursor").map(after -> ruleSets.tailMap(after, false)).orElse(ruleSets).values());
        Page<JsonObject> page = Page.of(left, call.integer("limit", PAGE_DEFAULT), Page.BYTES_MAX, ruleSet -> ruleSet.encode().length());
        return Future.succeededFuture(Reply.json(new JsonObject()
                .put("ruleSets", new JsonArray(page.items()))
                .put("nextCursor", page.more() ? page.items().getLast().getString("id") : null)));
    }
}
