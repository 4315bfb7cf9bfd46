package io.arbitration.mainapi.search;

import io.arbitration.domain.CaseId;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.LeasedItem;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A source that is to be indexed, as it is now.
 *
 * @param version  the version of the source, or an earlier one
 * @param content  empty if the source does not exist any more
 */
record IndexSource(Lease lease, CaseId caseId, Kind kind, long ref, int version, Optional<Content> content) implements LeasedItem {

    enum Kind {
        CASE, FILING, FILE, EXHIBIT;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }
    }

    /**
     * What is indexed.
     *
     * @param text     without that of a file
     * @param filingId of a filing, or of the filing that a file belongs to
     * @param partyId  of an exhibit
     * @param file     whose text belongs to it
     */
    record Content(String title, String text, Instant at, OptionalLong filingId, Optional<String> partyId, Optional<StoredFile> file) {}

    /** A file in the object store, with its fingerprint. */
    record StoredFile(String address, String contentType, long bytes, String sha256, Buffer blockHashes) {}
}
