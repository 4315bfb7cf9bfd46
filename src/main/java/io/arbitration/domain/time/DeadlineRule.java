package io.arbitration.domain.time;

import io.arbitration.domain.DocumentTypeId;

/**
 * The rule for the last day for filing a document: a number of days after a trigger.
 *
 * @param days at least 1; the day of the trigger itself does not count
 */
public record DeadlineRule(Trigger trigger, NumberOfDays days, DayCount calendar, LateFiling late) {

    /** The start of the deadline. */
    public sealed interface Trigger {
        /** The case enters the phase of the rule. */
        record PhaseStart() implements Trigger {
        }

        /** The case is created. */
        record CaseCreated() implements Trigger {
        }

        /** The newest entry of that document type enters the docket; until then there is no deadline. */
        record DocumentDocketed(DocumentTypeId documentId) implements Trigger {
        }

        /** The name of the trigger in the definition files. */
        default String wireName() {
            return switch (this) {
                case PhaseStart() -> "phaseStart";
                case CaseCreated() -> "caseCreated";
                case DocumentDocketed(DocumentTypeId ignored) -> "documentDocketed";
            };
        }
    }

    /** Which days count. */
    public enum DayCount {
        /** Every day; a deadline on a day off moves to the next working day. */
        CALENDAR_DAYS("calendarDays"),
        /** Only the working days of the rule set's holiday calendar. */
        WORKING_DAYS("workingDays");

        private final String wireName;

        DayCount(String wireName) {
            this.wireName = wireName;
        }

        /** The name of the day count in the definition files. */
        public String wireName() {
            return wireName;
        }
    }
}
