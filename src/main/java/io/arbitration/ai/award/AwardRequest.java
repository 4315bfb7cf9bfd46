package io.arbitration.ai.award;

import io.arbitration.platform.auth.Requester;
import java.util.List;

/** What an award is drafted from, and who asks. */
record AwardRequest(Requester requester, List<StoredDocument> documents, List<Exhibit> exhibits) {

    /** An object that is read from the object store. */
    sealed interface Input {
        String gsUrl();

        String contentType();
    }

    record StoredDocument(String gsUrl, String contentType) implements Input {}

    /** @param number the number by which reasons cite it; with its party before it, where several parties number alike */
    record Exhibit(String gsUrl, String contentType, String number, String description, String party) implements Input {

        Exhibit withParty() {
            return party.isBlank() ? this : new Exhibit(gsUrl, contentType, party.strip() + " " + number, description, party);
        }
    }
}
