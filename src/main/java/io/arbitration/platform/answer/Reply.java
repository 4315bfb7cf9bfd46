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
 * A successful answer: status, body and headers.
 *
 * @param cookies values of {@code Set-Cookie}, the only header that an answer can have several times
 * @param kept the body, if it is the same for everybody
 * @param shared whether several answers share the same bytes
 */
public record Reply(int status, String contentType, Buffer body, Map<String, String> headers, List<String> cookies, Optional<CachedBody> kept, boolean shared) {

    public static final String JSON = "application/json";

    public Reply(int status, String contentType, Buffer body, Map<String, String> headers) {
        this(status, contentType, body, headers, List.of(), Optional.empty(), false);
    }

    /** A constant body, for a GET. */
    public static Reply kept(String contentType, CachedBody body, Map<String, String> headers) {
        return new Reply(200, contentType, body.plain(), headers, List.of(), Optional.of(body), true);
    }

    public static Reply json(JsonObject body) {
        return json(body.toBuffer());
    }

    public static Reply json(JsonArray body) {
        return json(body.toBuffer());
    }

    /** JSON already encoded as UTF-8; the buffer is sent unchanged. */
    public static Reply json(Buffer body) {
        return new Reply(200, JSON, body, Map.of());
    }

    /** The same for a cached buffer that is also the body of other answers: its compressed form is then made once. */
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
