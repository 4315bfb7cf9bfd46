package io.arbitration.emails.bounces;

import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** Where reports of failed deliveries arrive. */
public interface BounceMailbox {

    /** Messages of one look. */
    int MESSAGES_MAX = 100;
    /** Of a message; a report is a few KB, with the returned headers, or with the whole mail. What is larger is read up to here. */
    int BYTES_MAX = 1_048_576;
    /** Of all messages of one look: once they are more, no further one is read. Strangers say how large they are. */
    int LOOK_BYTES_MAX = 4 * BYTES_MAX;

    /** What is to become of a message. */
    enum Verdict {
        /** What it says is recorded: it is removed. */
        RECORDED,
        /** It says nothing that can be understood: it is marked as seen, and left for a person. */
        NOT_UNDERSTOOD,
        /** It stays as it is, and is read again. */
        LATER
    }

    /** Shows new messages one after the other, and does with each what the reader says. Tells how many there were. */
    Future<Integer> look(Function<List<byte[]>, Future<List<Verdict>>> reader);
}
