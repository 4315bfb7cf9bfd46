package io.arbitration.emails;

import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.Leased;
import java.util.List;
import java.util.Optional;

/**
 * The copy of an email for one recipient, which this node may send until its lease ends.
 *
 * @param recipient address of the one recipient of this copy
 * @param trace context of the trace that asked for it
 */
record Claimed(Lease lease, String recipient, AcceptedEmail email, Optional<String> trace) implements Leased {

    Claimed with(List<Attachment> attachments) {
        return new Claimed(lease, recipient, email.with(attachments), trace);
    }
}
