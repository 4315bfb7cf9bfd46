package io.arbitration.cases;

import io.arbitration.platform.files.Streamed;
import io.vertx.core.Future;

/**
 * Writes a case out as one archive: what the docket and the evidence hold of it. Made by the area that keeps both, which reads
 * them as they are at one moment.
 */
@FunctionalInterface
public interface CaseExport {

    /**
     * Begins an archive; the stream writes it as it is read. Fails with {@link CaseMoved} when the case is not any more as the
     * order says, and with a refusal when there is no room for one more.
     */
    Future<Streamed> begin(ExportOrder order);

    /** The case was changed after the order was made: it is to be made again. */
    final class CaseMoved extends RuntimeException {
        public CaseMoved() {
            super("the case was changed meanwhile", null, false, false);
        }
    }
}
