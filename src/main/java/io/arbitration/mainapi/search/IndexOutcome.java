package io.arbitration.mainapi.search;

import io.arbitration.platform.queue.AttemptOutcome;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Settlement;
import java.time.Duration;
import java.util.UUID;

/** The result of an attempt to index a source. */
sealed interface IndexOutcome extends AttemptOutcome {

    IndexSource source();

    @Override
    default Lease lease() {
        return source().lease();
    }

    @Override
    default Settlement settlement() {
        return this instanceof Again again ? new Settlement.Again(again.pause) : Settlement.DONE;
    }

    /**
     * The source has this document.
     *
     * @param hasText whether there is any text; false for a scan, or a file that cannot be read
     */
    record Indexed(IndexSource source, UUID documentId, SearchTexts.Indexed texts, boolean hasText) implements IndexOutcome {}

    /** The source no longer exists. */
    record Gone(IndexSource source) implements IndexOutcome {}

    /** The object store was not available. */
    record Again(IndexSource source, Duration pause) implements IndexOutcome {}
}
