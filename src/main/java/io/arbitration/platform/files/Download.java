package io.arbitration.platform.files;

import io.arbitration.platform.objects.Blocks;
import io.vertx.core.Future;

/** A file that is the answer to a request, sent block by block. {@link FileName} cleans its name. */
public sealed interface Download {

    String contentType();

    String fileName();

    /**
     * A stored file, sent as a whole or as a range (RFC 9110, section 14).
     *
     * @param bytes length of the whole file
     * @param entityTag a strong one: no other content has the same
     */
    record Stored(String contentType, String fileName, long bytes, String entityTag, Source source) implements Download {

        /** Opens a range of the file. The blocks are always closed. */
        @FunctionalInterface
        public interface Source {
            Future<Blocks> open(long from, long length);
        }
    }

    /** A file that is created while it is sent. Its length is unknown, so it has no ranges. */
    record Made(String contentType, String fileName, Source source) implements Download {

        /**
         * Starts to create the file. The blocks are always closed. The first one may take long; if it fails, the answer is that
         * error.
         */
        @FunctionalInterface
        public interface Source {
            Future<Blocks> open();
        }
    }
}
