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
 * A source to be indexed, as it is now.
 *
 * @param version  the version of the source, or an earlier one
 * @param content empty if the source no longer exists
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
     * The indexed content.
     *
     * @param text without the text of a file
     * @param filingId of a filing, or of the filing to which a file belongs
     * @param partyId  of an exhibit
     * @param sha256 of the title and fields of a filing, or of the bytes of a file
     * @param file the file whose text belongs to it
     */
    record Content(String title, String text, Instant at, OptionalLong filingId, Optional<String> partyId, Optional<String> sha256, Optional<StoredFile> file) {}

    /** A file in the object store, with its fingerprint. */
    record StoredFile(String address, String contentType, long bytes, String sha256, Buffer blockHashes) {}
}
