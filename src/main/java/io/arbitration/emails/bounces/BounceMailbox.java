package io.arbitration.emails.bounces;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** The mailbox for reports of failed deliveries. */
public interface BounceMailbox {

    /** The maximum number of messages that one check reads. */
    int MESSAGES_MAX = 100;
    /**
     * The maximum bytes that are read of a message. A report has a few KB with the returned headers, more with the complete
     * email.
     */
    int BYTES_MAX = 1_048_576;
    /** A check reads no further message after this many bytes, because anybody can send large messages. */
    int LOOK_BYTES_MAX = 4 * BYTES_MAX;

    /** The treatment of a message. */
    enum Verdict {
        /** Its report was recorded: the message is deleted. */
        RECORDED,
        /** It is no report that can be parsed: it is marked as seen, for a person to read. */
        NOT_UNDERSTOOD,
        /** It stays unchanged and is read again. */
        LATER
    }

    /** What kind of mailbox it is, in a word. */
    String name();

    /** Passes the new messages to the reader and treats each by its verdict. Answers how many there were. */
    Future<Integer> processNew(Function<List<byte[]>, Future<List<Verdict>>> reader);
}
