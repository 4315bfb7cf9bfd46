package io.arbitration.domain.time;

/** A number of days in a rule set: fixed, or chosen for each case. */
public sealed interface NumberOfDays {
    /** The same in every case; at least 1. */
    record Fixed(int days) implements NumberOfDays {
    }

    /** The case's own responseDeadlineDays. */
    record ResponseDeadline() implements NumberOfDays {
    }

    /** The number of days in a case with these responseDeadlineDays. */
    default int in(int responseDeadlineDays) {
        return switch (this) {
            case Fixed(int days) -> days;
            case ResponseDeadline() -> responseDeadlineDays;
        };
    }
}
