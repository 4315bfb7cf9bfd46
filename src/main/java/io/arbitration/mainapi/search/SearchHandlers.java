package io.arbitration.mainapi.search;

import io.arbitration.domain.CaseId;
import io.arbitration.domain.UserId;
import io.arbitration.domain.search.SearchQuery;
import io.arbitration.domain.time.Timestamps;
import io.arbitration.platform.answer.Page;
import io.arbitration.platform.answer.Refusal;
import io.arbitration.platform.answer.Reply;
import io.arbitration.platform.pipeline.Call;
import io.arbitration.platform.pipeline.Contract;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The operation {@code /search}. */
final class SearchHandlers {

    private static final int LIMIT_DEFAULT = 50;
    private static final int SNIPPET_CHARACTERS = 240;
    private static final int CURSOR_BYTES = 24;
    private static final String NO_TEXT = "This file has no text that can be read.";
    /** The end of the year 9999, in microseconds: the database cannot store later times. */
    private static final long MICROS_MAX = 253_402_300_799_999_999L;

    private final SearchService service;

    SearchHandlers(SearchService service) {
        this.service = service;
    }

    void bind(Contract contract) {
        contract.bind("searchCases", this::search);
    }

    private Future<Reply> search(Call call) {
        SearchQuery query = SearchQuery.of(call.text("query"));
        if (query.isEmpty()) {
            throw SearchError.NOTHING_TO_FIND.refusal();
        }
        Optional<CaseId> caseId = call.optionalText("caseID").map(text -> CaseId.of(text).orElseThrow(SearchError.CASE_NOT_FOUND::refusal));
        SearchRepository.Place after = call.optionalText("cursor").map(SearchHandlers::place).orElse(SearchRepository.Place.FIRST);
        return service.find(new UserId(call.caller().id()), query, caseId, call.hasAny("kinds") ? call.texts("kinds") : List.of(), after,
                call.integer("limit", LIMIT_DEFAULT)).map(page -> Reply.json(json(page, query)));
    }

    private static JsonObject json(Page<SearchRepository.Found> page, SearchQuery query) {
        return new JsonObject()
                .put("results", new JsonArray(page.items().stream().map(found -> json(found, query)).toList()))
                .put("nextCursor", page.more() ? cursor(page.items().getLast().place()) : null);
    }

    private static JsonObject json(SearchRepository.Found found, SearchQuery query) {
        JsonObject json = new JsonObject().put("kind", found.kind()).put("caseID", found.caseId().toString());
        found.entryId().ifPresent(id -> json.put("entryID", id.toString()));
        found.filingId().ifPresent(id -> json.put("filingID", id.toString()));
        found.uploadId().ifPresent(id -> json.put("uploadID", id.toString()));
        found.fileId().ifPresent(id -> json.put("fileID", id.toString()));
        return json.put("title", found.title())
                .put("snippet", found.hasText() ? query.snippet(found.text(), SNIPPET_CHARACTERS) : NO_TEXT)
                .put("at", Timestamps.text(found.at()));
    }

    /** The time in microseconds since 1970, as exactly as in the database, and the ID, which is random. */
    private static String cursor(SearchRepository.Place place) {
        ByteBuffer bytes = ByteBuffer.allocate(CURSOR_BYTES).putLong(ChronoUnit.MICROS.between(Instant.EPOCH, place.at()))
                .putLong(place.documentId().getMostSignificantBits()).putLong(place.documentId().getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    private static SearchRepository.Place place(String cursor) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(cursor);
        } catch (IllegalArgumentException notBase64) {
            throw badCursor();
        }
        ByteBuffer read = ByteBuffer.wrap(bytes);
        long micros = bytes.length == CURSOR_BYTES ? read.getLong() : -1;
        if (micros < 0 || micros > MICROS_MAX) {
            throw badCursor();
        }
        return new SearchRepository.Place(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), new UUID(read.getLong(), read.getLong()));
    }

    private static Refusal badCursor() {
        return Refusal.badRequest("cursor: must be the nextCursor of a page before");
    }
}
