package io.arbitration.platform.answer;

import io.arbitration.domain.hash.Sha256;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A body that is the same for everybody: compressed once, with an entity tag for each of its forms, so that a client that has it
 * gets no bytes at all.
 *
 * @param gzip empty if compressing saves nothing
 * @param hash of the plain bytes
 */
public record CachedBody(Buffer plain, Optional<Buffer> gzip, String hash) {

    private static final String GZIP_SUFFIX = "-gzip";

    /** Compresses the bytes, which may take long: do not call it on an event loop with many bytes. */
    public static CachedBody of(String contentType, byte[] bytes) {
        Optional<Buffer> gzip = Gzip.isWorthwhile(contentType, bytes.length) ? Optional.of(Gzip.small(bytes)) : Optional.empty();
        return new CachedBody(Buffer.buffer(bytes), gzip.filter(small -> small.length() < bytes.length), Sha256.hex(bytes));
    }

    /** Strong: no other content has the same tag, nor has another form of this one (RFC 9110, section 8.8.3.3). */
    public String entityTag(boolean compressed) {
        return "\"" + hash + (compressed ? GZIP_SUFFIX : "") + "\"";
    }

    /** Whether a client that sends this {@code If-None-Match} has the body, in either form (RFC 9110, section 13.1.2). */
    public boolean isKnown(String ifNoneMatch) {
        return ifNoneMatch != null && Stream.of(ifNoneMatch.split(",")).map(String::strip).map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
                .anyMatch(tag -> tag.equals("*") || tag.equals(entityTag(false)) || tag.equals(entityTag(true)));
    }
}
