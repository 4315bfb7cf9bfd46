package io.arbitration.mainapi.live;

import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.limits.Bulkhead;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The places for event streams of a node. Machine clients get at most half of them, because a user can create many clients in many
 * organizations at no cost; the other half is left for people. When the half of the clients is taken, a client whose organization has
 * fewer streams takes the place of the oldest stream of the organization that has most, if this has at least two more. That stream ends,
 * and its client can go on with {@code Last-Event-ID} when there is a place. Thread-safe.
 */
final class StreamPlaces {

    private static final int FULL = LiveError.NODE_FULL.status();

    private final Bulkhead all;
    private final int clientsMost;
    /** The streams of machine clients by organization, the oldest first. */
    private final Map<UUID, Deque<Place>> clients = new HashMap<>();
    private int clientsTaken;

    StreamPlaces(LiveSettings settings) {
        all = new Bulkhead(new Bulkhead.Bounds(settings.streamsMax(), settings.streamsPerCaller(), 0), LiveError.NODE_FULL::refusal,
                () -> LiveError.TOO_MANY_OF_CALLER.refusal(settings.streamsPerCaller()));
        clientsMost = Math.max(1, settings.streamsMax() / 2);
    }

    /** One stream's place, which is free again when it is closed. */
    final class Place implements Bulkhead.Permit {

        private final UUID tenant;
        private final Bulkhead.Permit permit;
        private Runnable end = () -> { };
        private boolean isLost;

        private Place(UUID tenant, Bulkhead.Permit permit) {
            this.tenant = tenant;
            this.permit = permit;
        }

        /** @param stream ends the stream when it loses this place, at once if it has lost it already; called on any thread */
        void onLoss(Runnable stream) {
            boolean isLate;
            synchronized (StreamPlaces.this) {
                end = stream;
                isLate = isLost;
            }
            if (isLate) {
                stream.run();
            }
        }

        @Override
        public void close() {
            permit.close();
            remove(this);
        }
    }

    /** A place for a person. */
    synchronized Place forPerson(Caller caller) {
        return new Place(caller.tenant(), all.acquire(caller.id()));
    }

    /** A place for a machine client of an organization. */
    synchronized Place forClient(Caller caller) {
        Bulkhead.Permit permit = permit(caller);
        if (clientsTaken >= clientsMost && !takePlaceFor(caller.tenant())) {
            permit.close();
            throw LiveError.NODE_FULL.refusal();
        }
        Place place = new Place(caller.tenant(), permit);
        clients.computeIfAbsent(caller.tenant(), none -> new ArrayDeque<>()).add(place);
        clientsTaken++;
        return place;
    }

    private Bulkhead.Permit permit(Caller caller) {
        try {
            return all.acquire(caller.id());
        } catch (Refusal refused) {
            // The shares of the caller and of its organization are not used up then.
            if (refused.status() != FULL || !takePlaceFor(caller.tenant())) {
                throw refused;
            }
            return all.acquire(caller.id());
        }
    }

    /** Ends the oldest stream of the organization that has most; false if none would have more than this one then. */
    private boolean takePlaceFor(UUID tenant) {
        int own = clients.containsKey(tenant) ? clients.get(tenant).size() : 0;
        Deque<Place> most = clients.values().stream().max(Comparator.comparingInt(Deque::size)).orElseGet(ArrayDeque::new);
        if (most.size() <= own + 1) {
            return false;
        }
        Place oldest = most.getFirst();
        oldest.isLost = true;
        oldest.close();
        oldest.end.run();
        return true;
    }

    private synchronized void remove(Place place) {
        Deque<Place> places = clients.get(place.tenant);
        if (places != null && places.remove(place)) {
            clientsTaken--;
            if (places.isEmpty()) {
                clients.remove(place.tenant);
            }
        }
    }
}
