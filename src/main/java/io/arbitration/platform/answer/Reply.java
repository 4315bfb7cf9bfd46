package io.arbitration.platform.answer;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A successful answer: status, body and the headers beside it.
 *
 * @param cookies values of {@code Set-Cookie}, the only header that an answer has several times
 * @param kept the body, where it is the same for everybody
 * @param shared whether the same bytes are held for several answers
 */
public record Reply(int status, String contentType, Buffer body, Map<String, String> headers, List<String> cookies, Optional<KeptBody> kept, boolean shared) {

    public static final String JSON = "application/json";

    public Reply(int status, String contentType, Buffer body, Map<String, String> headers) {
        this(status, contentType, body, headers, List.of(), Optional.empty(), false);
    }

    /** A body that is the same for everybody, to a GET. */
    public static Reply kept(String contentType, KeptBody body, Map<String, String> headers) {
        return new Reply(200, contentType, body.plain(), headers, List.of(), Optional.of(body), true);
    }

    public static Reply json(JsonObject body) {
        return json(body.toBuffer());
    }

    public static Reply json(JsonArray body) {
        return json(body.toBuffer());
    }

    /** JSON already rendered as UTF-8; the buffer is sent as it is. */
    public static Reply json(Buffer body) {
        return new Reply(200, JSON, body, Map.of());
    }

    /** The same where the buffer is kept, and is the body of other answers, too: its compressed form is then made once. */
    public static Reply sharedJson(Buffer body) {
        return new Reply(200, JSON, body, Map.of(), List.of(), Optional.empty(), true);
    }

    /** A sentence as a JSON string. */
    public static Reply sentence(String sentence) {
        return json(Json.encodeToBuffer(sentence));
    }

    /** A sentence as {@code text/plain}. */
    public static Reply text(String sentence) {
        return new Reply(200, "text/plain; charset=utf-8", Buffer.buffer(sentence), Map.of());
    }

    public Reply withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Reply(status, contentType, body, more, cookies, kept, shared);
    }

    public Reply withCookies(List<String> values) {
        return new Reply(status, contentType, body, headers, values, kept, shared);
    }

    /** The {@code ETag} of a case or filing (RFC 9110, section 8.8.3); clients send it back in {@code If-Match}. */
    public Reply withRevision(long revision) {
        return withHeader("ETag", "\"" + revision + "\"");
    }
}
