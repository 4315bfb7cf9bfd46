package io.arbitration.mainapi.live;

import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.UUID;

/**
 * What a stream sends of a change that is no event: its kind and what it belongs to, so that a client reads that again. Never the content.
 *
 * @param about the case or organization; empty where that is not the reader's to know, or where anything may have changed
 */
record Hint(String kind, Optional<About> about) {

    /** The name of hints in the stream. */
    static final String EVENT = "change";
    /** Changes may have been missed: whatever is shown is to be read anew. */
    static final Hint ANYTHING = new Hint("all", Optional.empty());

    /** @param field the name in the hint: {@code caseID} or {@code organizationID} */
    record About(String field, UUID id) {
        static About ofCase(UUID id) {
            return new About("caseID", id);
        }

        static About ofOrganization(UUID id) {
            return new About("organizationID", id);
        }
    }

    String data() {
        JsonObject data = new JsonObject().put("kind", kind);
        about.ifPresent(what -> data.put(what.field(), what.id().toString()));
        return data.encode();
    }
}
