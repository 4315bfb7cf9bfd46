package io.arbitration.mainapi.live;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.answer.EventStream;
import io.arbitration.platform.auth.Caller;
import io.arbitration.platform.limits.Bulkhead;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Opens event streams for whoever may follow what it asks for. */
final class LiveService {

    private static final int CATCHING_UP_AT_ONCE = 8;

    private final Vertx vertx;
    private final LiveRepository repository;
    private final LiveStreams streams;
    private final Clock clock;
    private final long stallMillis;
    private final StreamPlaces places;
    private final Bulkhead catchingUp;

    LiveService(Vertx vertx, LiveRepository repository, LiveStreams streams, LiveSettings settings, Clock clock) {
        this.vertx = vertx;
        this.repository = repository;
        this.streams = streams;
        this.clock = clock;
        this.stallMillis = TimeUnit.SECONDS.toMillis(settings.stallSeconds());
        places = new StreamPlaces(settings);
        catchingUp = Bulkhead.ofNode(CATCHING_UP_AT_ONCE, settings.streamsMax(), LiveError.NODE_FULL::refusal);
    }

    /** @param caseId the only case to follow; @param changes whether to send hints at changes that are no events as well */
    record Wanted(Optional<CaseId> caseId, boolean changes) {}

    /**
     * What serves the stream of the caller when it is open.
     *
     * @param lastEventId where the client was
     */
    Future<Consumer<EventStream>> open(Caller caller, Wanted wanted, Optional<String> lastEventId) {
        Optional<StreamCursor> cursor = lastEventId.map(text -> StreamCursor.parse(text).orElseThrow(LiveError.BAD_CURSOR::refusal));
        if (cursor.isPresent() && !cursor.get().isValidAt(clock.instant())) {
            throw LiveError.EXPIRED.refusal();
        }
        return repository.organizationOfClient(caller)
                .map(organization -> new Subscriber(organization.orElse(caller.id()), organization.isPresent(), wanted.caseId(), wanted.changes()))
                .compose(subscriber -> checked(subscriber))
                .compose(subscriber -> subscriber.changes() ? streams.follow().map(subscriber) : Future.succeededFuture(subscriber))
                .map(subscriber -> {
                    StreamPlaces.Place place = subscriber.isOrganization() ? places.forClient(caller) : places.forPerson(caller);
                    return events -> new LiveStream(vertx, streams, subscriber, events, catchingUp, clock, stallMillis).begin(place, cursor.map(StreamCursor::position));
                });
    }

    private Future<Subscriber> checked(Subscriber subscriber) {
        return subscriber.caseId().isEmpty() ? Future.succeededFuture(subscriber) : repository.follows(subscriber, subscriber.caseId().get()).map(follows -> {
            if (!follows.orElseThrow(LiveError.CASE_NOT_FOUND::refusal)) {
                throw LiveError.NOT_A_PARTICIPANT.refusal();
            }
            return subscriber;
        });
    }
}
