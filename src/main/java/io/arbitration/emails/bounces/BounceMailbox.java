package io.arbitration.emails.bounces;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** Where reports of failed deliveries arrive. */
public interface BounceMailbox {

    /** The most messages of one look. */
    int MESSAGES_MAX = 100;
    /** The most bytes that are read of a message. A report has a few KB with the returned headers, more with the whole email. */
    int BYTES_MAX = 1_048_576;
    /** No further message is read once those of this look have so many bytes: anybody can send large ones. */
    int LOOK_BYTES_MAX = 4 * BYTES_MAX;

    /** What to do with a message. */
    enum Verdict {
        /** Its report is recorded: it is removed. */
        RECORDED,
        /** It is no report that can be understood: it is marked as seen, for a person to read. */
        NOT_UNDERSTOOD,
        /** It stays unchanged and is read again. */
        LATER
    }

    /** Passes the new messages to the reader and treats each by its verdict. Answers how many there were. */
    Future<Integer> look(Function<List<byte[]>, Future<List<Verdict>>> reader);
}
