package io.arbitration.ai.award;

import java.util.List;
import java.util.UUID;

/** What an award is drafted from, and who asks. */
record AwardRequest(By by, List<StoredDocument> documents, List<Exhibit> exhibits) {

    /** @param requestId of the HTTP request @param address where it came from */
    record By(UUID userId, String requestId, String address) {}

    /** A thing that is read from the object store. */
    sealed interface Input {
        String gsUrl();

        String contentType();
    }

    record StoredDocument(String gsUrl, String contentType) implements Input {}

    /** @param number by which it is cited */
    record Exhibit(String gsUrl, String contentType, String number, String description, String party) implements Input {}
}
