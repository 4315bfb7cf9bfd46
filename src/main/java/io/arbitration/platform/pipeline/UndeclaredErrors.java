package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.Refusal;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs an error that the contract of its operation does not declare. This is a mistake in the contract and fails the tests; in
 * production the client gets the answer nevertheless.
 */
final class UndeclaredErrors {

    private static final Logger LOG = LoggerFactory.getLogger(UndeclaredErrors.class);
    /** The logged errors, each logged once. There are at most as many as operations times codes. */
    private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();
    /** Set on a context whose operation is known: the codes that its contract declares. */
    private static final String DECLARED = "declaredErrors";

    private UndeclaredErrors() {}

    static void declare(RoutingContext context, Set<String> codes) {
        context.put(DECLARED, codes);
    }

    static void check(RoutingContext context, Refusal refusal) {
        Set<String> declared = context.get(DECLARED);
        if (declared == null || declared.contains(refusal.code())) {
            return;
        }
        String operation = context.get(OperationTimer.OPERATION);
        if (REPORTED.add(operation + " " + refusal.code())) {
            LOG.error("{} answered {} {}, which its contract does not show", operation, refusal.status(), refusal.code());
        }
    }
}
