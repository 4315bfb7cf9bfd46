package io.arbitration.command.bench;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** Every attack that others must not feel. */
final class Attacks {

    private Attacks() {}

    static List<Attack> all() {
        return Stream.of(RequestAttacks.all(), ConnectionAttacks.all(), FrameAttacks.all(), WorkAttacks.all(), AccessAttacks.all()).flatMap(List::stream).toList();
    }

    static JsonObject inOwnCase(AttackStage stage) {
        return new JsonObject().put("caseID", stage.caseId());
    }
}
