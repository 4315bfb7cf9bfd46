package io.arbitration.mainapi.live;

import io.arbitration.domain.Identifiers;
import io.arbitration.mainapi.live.Hint.About;
import java.util.Optional;
import java.util.UUID;

/**
 * A change as the database notifies of it: the arguments of {@code platform.notify_change} (migration V073), in its order.
 *
 * @param audience who may see it; what {@code id} and {@code detail} mean depends on it
 */
record Change(String kind, String audience, Optional<UUID> id, String detail) {

    private static final int PARTS = 4;
    private static final String NONE = "-";

    /**
     * Empty for what {@code platform.notify_change} does not send.
     *
     * @param payload of a notification: kind, audience, id or {@code -}, and detail, with a space between two
     */
    static Optional<Change> parse(String payload) {
        String[] parts = payload.split(" ", PARTS);
        if (parts.length < PARTS) {
            return Optional.empty();
        }
        Optional<UUID> id = Identifiers.uuid(parts[2]);
        return id.isPresent() || parts[2].equals(NONE) ? Optional.of(new Change(parts[0], parts[1], id, parts[3])) : Optional.empty();
    }

    /** @param caseId of which the change turned out to be; empty where that is not the readers' to know */
    Hint hint(Optional<UUID> caseId) {
        return new Hint(kind, switch (audience) {
            case "organization", "members", "administrators" -> id.map(About::ofOrganization);
            default -> caseId.map(About::ofCase);
        });
    }
}
