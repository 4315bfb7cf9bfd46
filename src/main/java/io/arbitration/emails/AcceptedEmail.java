package io.arbitration.emails;

import io.arbitration.domain.text.Mailbox;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A stored email, with everything from which its message is made.
 *
 * @param template the template from which it was made
 * @param attachments in order
 * @param calendar an entry for the calendar of the recipient
 */
public record AcceptedEmail(
        UUID id, EmailKey key, Mailbox from, List<Mailbox> to, RenderedEmail content,
        Optional<String> template, Instant acceptedAt, List<Attachment> attachments, Optional<CalendarPart> calendar) {

    /** An email without a calendar entry. */
    public AcceptedEmail(UUID id, EmailKey key, Mailbox from, List<Mailbox> to, RenderedEmail content, Optional<String> template, Instant acceptedAt,
            List<Attachment> attachments) {
        this(id, key, from, to, content, template, acceptedAt, attachments, Optional.empty());
    }

    public AcceptedEmail with(List<Attachment> files) {
        return new AcceptedEmail(id, key, from, to, content, template, acceptedAt, files, calendar);
    }
}
