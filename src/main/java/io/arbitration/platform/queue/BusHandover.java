package io.arbitration.platform.queue;

import io.arbitration.platform.config.AreaSettings;
import io.arbitration.platform.events.Addresses;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/**
 * Hands work to another area by a request over the event bus. An answer means that the other area has stored it. Each repetition has the
 * same idempotency key, so repeating a request after a crash or a lost answer does no harm.
 */
public final class BusHandover {

    /** More than twice {@link #REPLY_WAIT}, so that a lease only ends if its node is dead. */
    public static final Duration LEASE = Duration.ofSeconds(41);

    private static final Duration REPLY_WAIT = Duration.ofSeconds(20);
    private static final int BAD_REQUEST = 400;
    private static final int INTERNAL = 500;

    private final Vertx vertx;
    private final AreaSettings areas;

    public BusHandover(Vertx vertx, AreaSettings areas) {
        this.vertx = vertx;
        this.areas = areas;
    }

    /** The answer of the other area. */
    public sealed interface Answer {

        /** It has stored the work. */
        record Taken() implements Answer {}

        /** It will never accept the work. */
        record Refused(String reason) implements Answer {}

        /**
         * It could not accept the work now, or did not answer.
         *
         * @param perhaps whether it may have stored the work nevertheless, because only the answer was lost
         */
        record NotYet(String reason, boolean perhaps) implements Answer {}
    }

    public Future<Answer> offer(String address, JsonObject request) {
        return vertx.eventBus().request(address, request, Addresses.asking(areas, address, REPLY_WAIT))
                .<Answer>map(taken -> new Answer.Taken())
                .otherwise(BusHandover::answer);
    }

    private static Answer answer(Throwable failure) {
        String reason = String.valueOf(failure.getMessage());
        boolean refused = failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
                && reply.failureCode() >= BAD_REQUEST && reply.failureCode() < INTERNAL;
        boolean nobodyAsked = failure instanceof ReplyException reply && reply.failureType() == ReplyFailure.NO_HANDLERS;
        return refused ? new Answer.Refused(reason) : new Answer.NotYet(reason, !nobodyAsked);
    }
}
