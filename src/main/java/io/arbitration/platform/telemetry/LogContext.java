package io.arbitration.platform.telemetry;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.spi.VertxServiceProvider;
import io.vertx.core.spi.context.storage.ContextLocal;
import java.util.Optional;

/** The IDs of the request that is handled on a Vert.x context, for its log lines. Stored in a local of that context. */
public final class LogContext {

    /** Registers the context local. Vert.x loads this class before it makes its first context, because locals cannot be registered later. */
    public static final class Place implements VertxServiceProvider {

        static final ContextLocal<LogContext> LOCAL = ContextLocal.registerLocal(LogContext.class);

        @Override
        public void init(VertxBootstrap bootstrap) {}
    }

    private final String request;
    private volatile String caller;
    private volatile String caseId;

    private LogContext(String request) {
        this.request = request;
    }

    /** Sets the id of the request on the current context. */
    public static void begin(Vertx vertx, String request) {
        ((ContextInternal) vertx.getOrCreateContext()).putLocal(Place.LOCAL, new LogContext(request));
    }

    /** The ids on the current context. */
    static Optional<LogContext> now() {
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
