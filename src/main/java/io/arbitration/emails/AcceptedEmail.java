package io.arbitration.emails;

import io.arbitration.domain.text.Mailbox;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An email as it is kept: all that its message is made of.
 *
 * @param template of which it was made
 * @param attachments in their order
 * @param calendar an entry for the calendar of the recipient
 */
public record AcceptedEmail(
        UUID id, EmailKey key, Mailbox from, List<Mailbox> to, RenderedEmail content,
        Optional<String> template, Instant acceptedAt, List<Attachment> attachments, Optional<CalendarPart> calendar) {

    /** One without an entry for a calendar. */
    public AcceptedEmail(UUID id, EmailKey key, Mailbox from, List<Mailbox> to, RenderedEmail content, Optional<String> template, Instant acceptedAt,
            List<Attachment> attachments) {
        this(id, key, from, to, content, template, acceptedAt, attachments, Optional.empty());
    }

    public AcceptedEmail with(List<Attachment> files) {
        return new AcceptedEmail(id, key, from, to, content, template, acceptedAt, files, calendar);
    }
}
