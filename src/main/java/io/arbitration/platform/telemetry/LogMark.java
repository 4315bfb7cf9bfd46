package io.arbitration.platform.telemetry;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import java.util.Optional;

/** Whose request the work on a context is for, so that every line logged there says so. Kept with the context of the request. */
public final class LogMark {

    /** Vert.x asks for it before it makes a context: a place in contexts can be had only then. */
    public static final class Place implements VertxServiceProvider {

        static final ContextLocal<LogMark> LOCAL = ContextLocal.registerLocal(LogMark.class);

        @Override
        public void init(VertxBootstrap bootstrap) {}
    }

    private final String request;
    private volatile String caller;
    private volatile String caseId;

    private LogMark(String request) {
        this.request = request;
    }

    /** Begins a request on the context that it is handled on. */
    public static void begin(Vertx vertx, String request) {
        ((ContextInternal) vertx.getOrCreateContext()).putLocal(Place.LOCAL, new LogMark(request));
    }

    /** The mark of the work that is being done now. */
    static Optional<LogMark> now() {
        Context context = Vertx.currentContext();
        return context == null ? Optional.empty() : Optional.ofNullable(((ContextInternal) context).getLocal(Place.LOCAL));
    }

    /** From now on it is known who calls. */
    public static void caller(String id) {
        now().ifPresent(mark -> mark.caller = id);
    }

    /** From now on it is known which case it is about. */
    public static void ofCase(String id) {
        now().ifPresent(mark -> mark.caseId = id);
    }

    String request() {
        return request;
    }

    Optional<String> caller() {
        return Optional.ofNullable(caller);
    }

    Optional<String> caseId() {
        return Optional.ofNullable(caseId);
    }
}
