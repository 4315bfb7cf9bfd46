package io.arbitration.alerts;

import io.arbitration.domain.DocumentTypeId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What an alert says: the event and what it refers to, as that is now.
 *
 * @param about what the event refers to; empty if that does not exist any more, or has changed so that the alert would be wrong
 * @param by    public name of the filer of the entry; for other events, of the user who caused the event
 */
record AlertContent(UUID eventId, Kind kind, UUID caseId, String caseTitle, Optional<About> about, Optional<String> by, Instant at) {

    /** The kinds of events that people are alerted of; each has a preference. */
    enum Kind {
        DOCKET_FILING("docket_filing"),
        CASE_CREATED("case_created"),
        APPROVAL_AWAITED("filing_submitted"),
        FILING_REJECTED("filing_rejected"),
        DEADLINE_NEAR("deadline_near");

        private final String event;

        Kind(String event) {
            this.event = event;
        }

        /** The kind of event in the log. */
        String event() {
            return event;
        }

        static Kind of(String event) {
            for (Kind kind : values()) {
                if (kind.event.equals(event)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("no alert tells of " + event);
        }
    }

    /** What an alert is about. */
    sealed interface About {
        /** The case itself. */
        record TheCase() implements About {}

        /** The docket entry of a {@code docket_filing}. */
        record Entry(long id, int number, String title) implements About {}

        /** A filing that is not docketed: its type alone, since what it says may be sealed from its first moment. */
        record Filing(long id, DocumentTypeId documentId) implements About {}

        /**
         * @param date    the instant after which it is late
         * @param ruleSet of its case, in whose time zone the day ends
         * @param inSandbox whether its case runs by a clock of its own
         */
        record Deadline(UUID id, DocumentTypeId documentId, Instant date, String ruleSet, boolean inSandbox) implements About {}
    }

    /** Why {@link #about} is empty, so that the alert is dropped. */
    String whyNothing() {
        return switch (kind) {
            case DOCKET_FILING -> "there is no such docket entry";
            case CASE_CREATED -> "there is no such case";
            case APPROVAL_AWAITED -> "decided or withdrawn meanwhile";
            case FILING_REJECTED -> "changed or withdrawn meanwhile";
            case DEADLINE_NEAR -> "met or moved meanwhile";
        };
    }
}
