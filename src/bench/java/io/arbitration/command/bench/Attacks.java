package io.arbitration.command.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** Every attack that others must not feel. */
final class Attacks {

    private Attacks() {}

    static List<Attack> all() {
        return Stream.of(RequestAttacks.all(), ReadingAttacks.all(), ConnectionAttacks.all(), FrameAttacks.all(), WorkAttacks.all(), AccessAttacks.all()).flatMap(List::stream).toList();
    }

    /** A notice of an entry to the case manager. */
    static JsonObject notice(String caseId, String entryId) {
        return new JsonObject().put("caseID", caseId).put("entryID", entryId).put("mailType", "docketNotice")
                .put("recipients", new JsonArray().add(new JsonObject().put("email", "manager@bench.example")));
    }

    static JsonObject inOwnCase(AttackStage stage) {
        return new JsonObject().put("caseID", stage.caseId());
    }
}
