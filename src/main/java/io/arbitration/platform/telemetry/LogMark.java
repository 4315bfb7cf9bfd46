package io.arbitration.platform.telemetry;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import java.util.Optional;

/** The ids of the request that is handled on a Vert.x context, for the log lines written there. Kept in a local of that context. */
public final class LogMark {

    /** Registers the context local. Vert.x loads this class before it makes its first context, because locals cannot be registered later. */
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

    /** Sets the id of the request on the current context. */
    public static void begin(Vertx vertx, String request) {
        ((ContextInternal) vertx.getOrCreateContext()).putLocal(Place.LOCAL, new LogMark(request));
    }

    /** The ids on the current context. */
    static Optional<LogMark> now() {
        Context context = Vertx.currentContext();
        return context == null ? Optional.empty() : Optional.ofNullable(((ContextInternal) context).getLocal(Place.LOCAL));
    }

    /** Adds the id of the caller. */
    public static void caller(String id) {
        now().ifPresent(mark -> mark.caller = id);
    }

    /** Adds the id of the case. */
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
