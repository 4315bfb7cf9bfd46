package io.arbitration.platform.body;

import io.arbitration.platform.answer.HttpError;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.limits.ByteBudget;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/**
 * Reads the body of a request into memory, within four bounds: the bytes of one body (413), the bytes of all bodies of one caller or
 * address (429), the bytes of all bodies of this node whose requests are not answered yet (503), and the time and the pace of the arrival
 * (408).
 */
public final class BodyReader implements Handler<RoutingContext> {

    /** The {@link Reading} of a context, until its body is dropped. */
    private static final String BODY = "body";
    private static final Buffer EMPTY = Buffer.buffer(0);

    private final BodySettings settings;
    private final int bytesMax;
    private final ByteBudget budget;
    private final Function<RoutingContext, ByteBudget.Owner> owner;

    /**
     * @param bytesMax of one body
     * @param budget of the node, shared by all its readers
     * @param owner says whose body it is
     */
    public BodyReader(BodySettings settings, int bytesMax, ByteBudget budget, Function<RoutingContext, ByteBudget.Owner> owner) {
        this.settings = settings;
        this.bytesMax = bytesMax;
        this.budget = budget;
        this.owner = owner;
    }

    /** The body that was read; empty if the request has none, or the operation takes none. */
    public static Buffer body(RoutingContext context) {
        return context.get(BODY) instanceof Reading reading ? reading.bytes : EMPTY;
    }

    /** Frees the body when the request is executed, so that a client that does not read its answer cannot keep the body in memory. */
    public static void drop(RoutingContext context) {
        if (context.get(BODY) instanceof Reading reading) {
            reading.drop();
        }
    }

    @Override
    public void handle(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (declaredLength(request) > bytesMax) {
            throw HttpError.BODY_TOO_LARGE.refusal(bytesMax);
        }
        Reading reading = new Reading(context);
        request.exceptionHandler(reading::stop).handler(reading::take).endHandler(reading::end);
        if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
            context.response().writeContinue();
        }
    }

    /** The Content-Length, which the HTTP decoder has checked to be a number; -1 if there is none. */
    private static long declaredLength(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length == null) {
            return -1;
        }
        return length.length() > 18 ? Long.MAX_VALUE : Long.parseLong(length);
    }

    private final class Reading {

        private final RoutingContext context;
        private long timer;
        private Buffer bytes = EMPTY;
        private final ByteBudget.Allocation body;
        private int parts;
        private int looks;
        private int bytesBefore;
        private boolean over;

        Reading(RoutingContext context) {
            this.context = context;
            checkPaceLater();
            Context own = context.vertx().getOrCreateContext();
            this.body = budget.open(owner.apply(context), () -> own.runOnContext(full -> refuse(HttpError.OVERLOADED.refusal().retryAfter(1))));
            context.addEndHandler(answered -> drop());
        }

        /**
         * Each check is a whole window after the one before, even if that was late. A periodic timer would catch up, and check twice
         * without a pause.
         */
        private void checkPaceLater() {
            timer = context.vertx().setTimer(settings.paceWindow().toMillis(), this::checkPace);
        }

        private void checkPace(long due) {
            looks++;
            double seconds = settings.paceWindow().toMillis() / 1000.0;
            if (looks == BodySettings.LOOKS || bytes.length() - bytesBefore < settings.paceBytesMin() * seconds) {
                refuse(HttpError.BODY_TOO_SLOW.refusal((int) Math.ceil(looks * seconds)));
                return;
            }
            bytesBefore = bytes.length();
            checkPaceLater();
        }

        void take(Buffer part) {
            if (over) {
                return;
            }
            if (bytes.length() + part.length() > bytesMax) {
                refuse(HttpError.BODY_TOO_LARGE.refusal(bytesMax));
                return;
            }
            switch (body.reserve(part.length())) {
                case HELD -> append(part);
                case SHARE_USED_UP -> refuse(HttpError.BODIES_OF_CALLER.refusal().retryAfter(1));
                case NODE_FULL -> refuse(HttpError.OVERLOADED.refusal().retryAfter(1));
            }
        }

        private void append(Buffer part) {
            parts++;
            bytes = switch (parts) {
                // Nearly every body is one buffer, which is then not copied.
                case 1 -> part;
                // The first buffer belongs to the HTTP decoder, so further ones are collected in a new buffer.
                case 2 -> Buffer.buffer(bytes.length() + part.length()).appendBuffer(bytes).appendBuffer(part);
                default -> bytes.appendBuffer(part);
            };
        }

        void end(Void ended) {
            context.vertx().cancelTimer(timer);
            if (!over) {
                // From now on the request is executed, so its body cannot be discarded to free memory for others.
                if (!body.pin()) {
                    refuse(HttpError.OVERLOADED.refusal().retryAfter(1));
                    return;
                }
                over = true;
                context.put(BODY, this);
                context.next();
            }
        }

        /** The connection has broken, so nobody waits for an answer. */
        void stop(Throwable broken) {
            context.vertx().cancelTimer(timer);
            drop();
        }

        private void drop() {
            over = true;
            bytes = EMPTY;
            context.remove(BODY);
            body.close();
        }

        private void refuse(Refusal refusal) {
            context.vertx().cancelTimer(timer);
            if (!over) {
                drop();
                context.fail(refusal);
            }
        }
    }
}
