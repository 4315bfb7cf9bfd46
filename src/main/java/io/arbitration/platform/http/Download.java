package io.arbitration.platform.http;

import io.arbitration.platform.objects.Blocks;
import io.vertx.core.Future;

/**
 * A file that is sent as an answer, whole or a range of it (RFC 9110, section 14).
 *
 * @param fileName as it was cleaned by {@link FileName}
 * @param bytes length of the whole file
 * @param entityTag strong: another content never has it
 */
public record Download(String contentType, String fileName, long bytes, String entityTag, Source source) {

    /** Opens a part of the file. The blocks are always closed. */
    @FunctionalInterface
    public interface Source {
        Future<Blocks> open(long from, long length);
    }
}
