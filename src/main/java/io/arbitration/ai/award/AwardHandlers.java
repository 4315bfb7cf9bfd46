package io.arbitration.ai.award;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The operation that drafts an award. */
public final class AwardHandlers {

    /** How many inputs the model was given as a summary; absent when it was given all of them in full. */
    private static final String SUMMARISED = "Summarized-Inputs";

    private final AwardService service;

    public AwardHandlers(AwardService service) {
        this.service = service;
    }

    public Future<Reply> generate(Call call) {
        List<AwardRequest.StoredDocument> documents = objects(call, "documents").stream()
                .map(one -> new AwardRequest.StoredDocument(one.getString("gsUrl"), one.getString("contentType"))).toList();
        List<AwardRequest.Exhibit> exhibits = objects(call, "exhibits").stream()
                .map(one -> new AwardRequest.Exhibit(one.getString("gsUrl"), one.getString("contentType"), one.getString("number").strip(),
                        one.getString("description", ""), one.getString("party", "")))
                .toList();
        check(documents, exhibits);
        return service.draft(new AwardRequest(call.requester(), documents, toldApart(exhibits))).map(drafted -> {
            Reply reply = Reply.json(drafted.award().json());
            return drafted.summarised() == 0 ? reply : reply.withHeader(SUMMARISED, String.valueOf(drafted.summarised()));
        });
    }

    /** Where several parties have an exhibit of one number, all are cited by party and number. */
    private static List<AwardRequest.Exhibit> toldApart(List<AwardRequest.Exhibit> exhibits) {
        long numbers = exhibits.stream().map(exhibit -> Citations.normal(exhibit.number())).distinct().count();
        return numbers == exhibits.size() ? exhibits : exhibits.stream().map(AwardRequest.Exhibit::withParty).toList();
    }

    private static List<JsonObject> objects(Call call, String name) {
        return call.body().getJsonArray(name).stream().map(JsonObject.class::cast).toList();
    }

    private static void check(List<AwardRequest.StoredDocument> documents, List<AwardRequest.Exhibit> exhibits) {
        if (documents.isEmpty() && exhibits.isEmpty()) {
            throw Refusal.badRequest("documents: at least one document or exhibit is needed");
        }
        Set<List<String>> seen = new HashSet<>();
        for (AwardRequest.Exhibit exhibit : exhibits) {
            if (exhibit.number().isEmpty()) {
                throw Refusal.badRequest("exhibits: a number must not be blank");
            }
            if (!seen.add(List.of(Citations.normal(exhibit.party()), Citations.normal(exhibit.number())))) {
                throw Refusal.badRequest("exhibits: the number %s is given twice".formatted(exhibit.number()));
            }
        }
    }
}
