package io.arbitration.platform.answer;

import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A body that is the same for everybody: compressed once, with an entity tag for each of its forms, so that a client that has it
 * gets no bytes at all.
 *
 * @param gzip empty where compressing brings nothing
 * @param hash of the plain bytes
 */
public record KeptBody(Buffer plain, Optional<Buffer> gzip, String hash) {

    private static final String GZIP_SUFFIX = "-gzip";

    /** Compresses the bytes, which may take long: not for an event loop when they are many. */
    public static KeptBody of(String contentType, byte[] bytes) {
        Optional<Buffer> gzip = Gzip.isWorthwhile(contentType, bytes.length) ? Optional.of(Gzip.small(bytes)) : Optional.empty();
        try {
            return new KeptBody(Buffer.buffer(bytes), gzip.filter(small -> small.length() < bytes.length),
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Strong: another content never has it, nor has another form of this one (RFC 9110, section 8.8.3.3). */
    public String entityTag(boolean compressed) {
        return "\"" + hash + (compressed ? GZIP_SUFFIX : "") + "\"";
    }

    /** Whether a client that sends this {@code If-None-Match} has the body, in either form (RFC 9110, section 13.1.2). */
    public boolean isKnown(String ifNoneMatch) {
        return ifNoneMatch != null && Stream.of(ifNoneMatch.split(",")).map(String::strip).map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
                .anyMatch(tag -> tag.equals("*") || tag.equals(entityTag(false)) || tag.equals(entityTag(true)));
    }
}
