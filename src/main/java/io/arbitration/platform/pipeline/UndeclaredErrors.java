package io.arbitration.platform.pipeline;

import io.arbitration.platform.answer.Refusal;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log of an operation that answers an error that its contract does not show: a mistake of the contract, which the tests refuse. The
 * client is answered all the same.
 */
final class UndeclaredErrors {

    private static final Logger LOG = LoggerFactory.getLogger(UndeclaredErrors.class);
    /** Each is told once; there are no more than operations times codes. */
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();
    /** Set on a context whose operation is known: the codes that its contract shows. */
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
        if (TOLD.add(operation + " " + refusal.code())) {
            LOG.error("{} answered {} {}, which its contract does not show", operation, refusal.status(), refusal.code());
        }
    }
}
