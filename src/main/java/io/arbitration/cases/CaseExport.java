package io.arbitration.cases;

import io.arbitration.platform.files.Streamed;
import io.vertx.core.Future;

/** Writes a case as one archive. The area that stores docket and evidence implements it, and reads both as of one moment. */
@FunctionalInterface
public interface CaseExport {

    /**
     * Begins an archive, which is written while the stream is read. Fails with {@link CaseMoved} if the case has changed since
     * the order was made, and with a refusal if the node or the caller has the maximum number of exports in progress.
     */
    Future<Streamed> begin(ExportOrder order);

    /** The case was changed after the order was made; the caller makes a new order. */
    final class CaseMoved extends RuntimeException {
        public CaseMoved() {
            super("the case was changed meanwhile", null, false, false);
        }
    }
}
