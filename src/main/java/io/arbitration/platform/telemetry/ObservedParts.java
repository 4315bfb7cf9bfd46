package io.arbitration.platform.telemetry;

import io.arbitration.platform.PartState;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The systems of others that the areas of a node use, by their names in health. Made by an area when it starts; may be used from any thread. */
public final class ObservedParts {

    private final Clock clock;
    private final Map<String, ObservedPart> parts = new ConcurrentHashMap<>();

    public ObservedParts(Clock clock) {
        this.clock = clock;
    }

    /** The part with this name; made at the first call. */
    public ObservedPart part(String name) {
        return parts.computeIfAbsent(name, made -> new ObservedPart(clock));
    }

    /** {@code OFF} for a part that no area of this node uses. */
    public PartState state(String name) {
        return Optional.ofNullable(parts.get(name)).map(ObservedPart::state).orElseGet(() -> PartState.of("OFF"));
    }

    /** All parts so far, by their names. */
    public SortedMap<String, ObservedPart> all() {
        return new TreeMap<>(parts);
    }
}
