package io.arbitration.platform.files;

import io.arbitration.platform.objects.Blocks;
import io.vertx.core.Future;

/** A file that is sent as an answer, block by block; its name is cleaned by {@link FileName}. */
public sealed interface Download {

    String contentType();

    String fileName();

    /**
     * A file that is there already, sent whole or a range of it (RFC 9110, section 14).
     *
     * @param bytes length of the whole file
     * @param entityTag strong: another content never has it
     */
    record Stored(String contentType, String fileName, long bytes, String entityTag, Source source) implements Download {

        /** Opens a part of the file. The blocks are always closed. */
        @FunctionalInterface
        public interface Source {
            Future<Blocks> open(long from, long length);
        }
    }

    /** A file that is made while it is sent: nobody knows its length, and there are no ranges of it. */
    record Made(String contentType, String fileName, Source source) implements Download {

        /** Starts to make it. The blocks are always closed; the first may take long, and its failure is the error answer. */
        @FunctionalInterface
        public interface Source {
            Future<Blocks> open();
        }
    }
}
