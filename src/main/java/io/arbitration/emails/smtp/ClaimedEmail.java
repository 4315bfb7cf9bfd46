package io.arbitration.emails.smtp;

import io.arbitration.emails.AcceptedEmail;
import io.arbitration.emails.Attachment;
import io.arbitration.platform.queue.Lease;
import io.arbitration.platform.queue.LeasedItem;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The copy of an email for one recipient, which this node may send until its lease ends.
 *
 * @param recipient address of the one recipient of this copy
 * @param returnToken names this copy in the address that it comes back to; empty for what the release before accepted
 * @param isVoid whether nobody is to get it any more: it reminds of a deadline that was met or moved, or is over
 * @param trace context of the trace that asked for it
 */
record ClaimedEmail(Lease lease, String recipient, AcceptedEmail email, Optional<UUID> returnToken, boolean isVoid, Optional<String> trace) implements LeasedItem {

    ClaimedEmail with(List<Attachment> attachments) {
        return new ClaimedEmail(lease, recipient, email.with(attachments), returnToken, isVoid, trace);
    }
}
