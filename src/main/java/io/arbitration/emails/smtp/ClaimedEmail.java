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
 * @param returnToken identifies this copy in its return path; empty for an email that the previous release accepted
 * @param isVoid whether it must not be sent any more, because the deadline of the reminder was met, was moved or is over
 * @param trace trace context of the request
 */
record ClaimedEmail(Lease lease, String recipient, AcceptedEmail email, Optional<UUID> returnToken, boolean isVoid, Optional<String> trace) implements LeasedItem {

    ClaimedEmail with(List<Attachment> attachments) {
        return new ClaimedEmail(lease, recipient, email.with(attachments), returnToken, isVoid, trace);
    }
}
