package io.arbitration.mainapi.filings;

import io.arbitration.domain.filing.Filing;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.mainapi.files.FiledFiles;
import io.arbitration.platform.answer.DeadlineJson;
import io.arbitration.platform.answer.Page;
import io.arbitration.mainapi.docket.SealTerms;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Filings as JSON. */
final class FilingJson {

    private static final byte COMMA = ',';

    private FilingJson() {}

    static JsonObject of(Filing filing) {
        Filing.Document document = filing.document();
        Optional<Filing.Approval> approval = filing instanceof Filing.Docketed docketed ? docketed.approval() : Optional.empty();
        JsonObject json = new JsonObject()
                .put("filingID", document.filingId().toString())
                .put("caseID", document.caseId().toString())
                .put("documentID", document.documentTypeId().value())
                .put("phaseID", document.phaseId().value())
                .put("partyID", document.partyId().value())
                .put("userID", document.userId().toString())
                .put("organizationID", document.organizationId().map(Object::toString).orElse(null))
                .put("state", filing.state().wireName())
                .put("title", document.content().title())
                .put("fields", new JsonObject(document.content().fields()))
                .put("files", FiledFiles.json(document.content().files()))
                .put("revision", document.revision())
                .put("created", Timestamps.text(document.created()))
                .put("updated", Timestamps.text(document.updated()));
        putPresent(json, "supersedes", document.content().supersedes());
        putPresent(json, "parentEntryID", document.content().parentEntryId());
        putPresent(json, "submittedAt", filing.submission().map(Filing.Submission::at).map(Timestamps::text));
        putPresent(json, "decidedAt", filing.rejection().map(Filing.Rejection::at).or(() -> approval.map(Filing.Approval::at)).map(Timestamps::text));
        putPresent(json, "decidedBy", filing.rejection().map(Filing.Rejection::by).or(() -> approval.map(Filing.Approval::by)));
        putPresent(json, "reason", filing.rejection().map(Filing.Rejection::reason));
        putPresent(json, "entryID", filing.docketedAs());
        // Once the filing is docketed, the seal may have changed; the docket entry shows the current one.
        document.sealed().filter(terms -> filing.docketedAs().isEmpty()).ifPresent(terms -> json.put("sealed", SealTerms.json(terms)));
        return json;
    }

    /**
     * A page of a list. The stored JSON of the fields is copied. Parsing and writing it again would block the event loop for a few long
     * filings longer than any other part of a request.
     *
     * @param cursor the cursor of the page after a filing
     */
    static Buffer page(Page<ListedFiling> page, Function<ListedFiling, String> cursor) {
        Buffer json = Buffer.buffer().appendString("{\"filings\":[");
        for (int i = 0; i < page.items().size(); i++) {
            ListedFiling filing = page.items().get(i);
            Buffer head = head(filing).toBuffer();
            Buffer tail = tail(filing).toBuffer();
            if (i > 0) {
                json.appendByte(COMMA);
            }
            json.appendBuffer(head, 0, head.length() - 1).appendString(",\"fields\":").appendBuffer(filing.fields())
                    .appendByte(COMMA).appendBuffer(tail, 1, tail.length() - 1);
        }
        String next = page.more() ? cursor.apply(page.items().getLast()) : null;
        return json.appendString("],\"nextCursor\":").appendBuffer(Json.encodeToBuffer(next)).appendByte((byte) '}');
    }

    private static JsonObject head(ListedFiling filing) {
        return new JsonObject()
                .put("filingID", String.valueOf(filing.filingId()))
                .put("caseID", filing.caseId().toString())
                .put("documentID", filing.documentId())
                .put("phaseID", filing.phaseId())
                .put("partyID", filing.partyId())
                .put("userID", filing.userId().toString())
                .put("organizationID", filing.organizationId().map(UUID::toString).orElse(null))
                .put("state", filing.state())
                .put("title", filing.title());
    }

    private static JsonObject tail(ListedFiling filing) {
        JsonObject json = new JsonObject()
                .put("files", FiledFiles.json(filing.files()))
                .put("revision", filing.revision())
                .put("created", Timestamps.text(filing.created()))
                .put("updated", Timestamps.text(filing.updated()));
        putPresent(json, "supersedes", filing.supersedes());
        putPresent(json, "parentEntryID", filing.parentEntryId());
        putPresent(json, "submittedAt", filing.submittedAt().map(Timestamps::text));
        putPresent(json, "decidedAt", filing.decidedAt().map(Timestamps::text));
        putPresent(json, "decidedBy", filing.decidedBy());
        putPresent(json, "reason", filing.reason());
        putPresent(json, "entryID", filing.entryId());
        filing.sealed().filter(terms -> filing.entryId().isEmpty()).ifPresent(terms -> json.put("sealed", new JsonObject(terms)));
        return json;
    }

    static JsonObject check(FilingReadService.Check check) {
        return new JsonObject()
                .put("allowed", check.problems().isEmpty())
                .put("problems", new JsonArray(check.problems()))
                .put("approvedBy", check.terms().approvedBy().map(Object::toString).orElse(null))
                .put("deadline", check.terms().deadline().map(DeadlineJson::of).orElse(null));
    }

    private static void putPresent(JsonObject json, String name, Optional<?> value) {
        value.ifPresent(present -> json.put(name, present.toString()));
    }
}
