package io.arbitration.command.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Every attack that others must not feel. */
final class Attacks {

    /** Attacks of several kinds that are played together, with an attacker for each. */
    static final String TOGETHER = "everything at once";
    private static final Set<String> PLAYED_TOGETHER = Set.of("reference page", "large drafts", "broken bodies", "wrong tokens", "slow bodies", "slow readers", "streams reset",
            "HTTP/2 lists unread", "dear reads", "uploads without end", "exports unread", "captures", "organizations", "mail to the world");

    private Attacks() {}

    static List<Attack> together() {
        return all().stream().filter(attack -> PLAYED_TOGETHER.contains(attack.name())).toList();
    }

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
