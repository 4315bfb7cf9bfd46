package io.arbitration.cases;

import io.arbitration.platform.files.Streamed;
import io.vertx.core.Future;

/** Writes a case out as one archive. The area that keeps docket and evidence implements it, and reads both as of one moment. */
@FunctionalInterface
public interface CaseExport {

    /**
     * Begins an archive, which is written while the stream is read. Fails with {@link CaseMoved} when the case has changed since the
     * order was made, and with a refusal when as many exports are under way as the node or the caller may have.
     */
    Future<Streamed> begin(ExportOrder order);

    /** The case was changed after the order was made; a new order will do. */
    final class CaseMoved extends RuntimeException {
        public CaseMoved() {
            super("the case was changed meanwhile", null, false, false);
        }
    }
}
